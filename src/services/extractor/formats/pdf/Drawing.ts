import { type Colour, colourOf, isAlike, white } from "../../visibility/Colour.ts"
import { type IsTimeUp } from "../../dom/TimeLimit.ts"
import { type Matrix, matrixOf, times } from "./Matrix.ts"

/** The operator list that pdf.js makes of a page: operator numbers and their arguments. */
export interface Operators {
  readonly fnArray: ReadonlyArray<number>
  readonly argsArray: ReadonlyArray<unknown>
}

/** Letters drawn together. `matrix` places their baseline on the page, in units of the font size. */
export interface Run {
  readonly text: string
  readonly matrix: Matrix
  /** Along the baseline, in points. */
  readonly width: number
  /** Whether the text is visible: `unpainted` by the text rendering mode, `unseen` by colour, size or position. */
  readonly look: "seen" | "unpainted" | "unseen"
}

export interface Drawing {
  readonly runs: ReadonlyArray<Run>
  /** Share of the page that is covered by images, from 0. */
  readonly pictures: number
  /** The time limit was reached before the end. */
  readonly isCut: boolean
}

type Box = readonly [left: number, bottom: number, right: number, top: number]

/** A painted area. The colour is null when it is unknown. */
interface Area {
  readonly box: Box
  readonly colour: Colour | null
}

interface State {
  readonly matrix: Matrix
  readonly fill: Colour | null
  readonly alpha: number
  readonly mode: number
  readonly size: number
  readonly charSpacing: number
  readonly wordSpacing: number
  readonly scale: number
  readonly leading: number
  readonly rise: number
  readonly lineWidth: number
}

const identity: Matrix = [1, 0, 0, 1, 0, 0]
/** Minimum size of letters, in points. Smaller ones are dots. */
const leastSize = 1
/** Maximum gap within a run, in thousandths of the font size. */
const gap = 150
/** Maximum number of areas that are kept. Beyond it, colours are not compared. */
const areaBudget = 2_000
/** Minimum side of an area that can be the background of a text, in points. */
const leastSide = 4

/** Number of operators and parts of shown text between two checks of the time limit. */
const stepsPerLook = 256

const listOf = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : value instanceof Float32Array ? Array.from(value) : []

const boxOf = (matrix: Matrix, [left, bottom, right, top]: Box): Box => {
  const corners = [
    [left, bottom],
    [right, bottom],
    [left, top],
    [right, top]
  ].map(([x = 0, y = 0]) => times(matrix, [1, 0, 0, 1, x, y]))
  const xs = corners.map((corner) => corner[4])
  const ys = corners.map((corner) => corner[5])
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

const glyphOf = (
  value: unknown
): { readonly text: string; readonly width: number; readonly isSpace: boolean } | null =>
  typeof value === "object" && value !== null && "unicode" in value && "width" in value
    ? {
        text: typeof value.unicode === "string" ? value.unicode : "",
        width: Number(value.width),
        isSpace: "isSpace" in value && value.isSpace === true
      }
    : null

const fillNames = ["fill", "eoFill", "fillStroke", "eoFillStroke", "closeFillStroke", "closeEOFillStroke"]
/** Maximum number of values in the path of a rectangle. */
const rectangle = 16

const initial: State = {
  matrix: identity,
  fill: [0, 0, 0, 1],
  alpha: 1,
  mode: 0,
  size: 0,
  charSpacing: 0,
  wordSpacing: 0,
  scale: 1,
  leading: 0,
  rise: 0,
  lineWidth: 1
}

/** Interprets the content of a page (PDF 32000-1, 8 and 9) to find out which text is visible, until the time is up. */
export const drawingOf = (
  { argsArray, fnArray }: Operators,
  ops: Readonly<Record<string, number>>,
  page: Box,
  isTimeUp: IsTimeUp
): Drawing => {
  const runs: Array<Run> = []
  const areas: Array<Area> = []
  const saved: Array<State> = []
  const names = new Map(Object.entries(ops).map(([name, number]) => [number, name]))
  const fills = new Set(fillNames.map((name) => ops[name] ?? 0))
  const pageArea = (page[2] - page[0]) * (page[3] - page[1])
  let pictures = 0
  let state = initial
  let line = identity
  let text = identity
  // pdf.js omits images, since it would have to decode them. A transformation without any drawing places an image.
  let isPictureDue = false
  let taken = 0
  let isCut = false
  const isOver = (): boolean => (isCut ||= ++taken % stepsPerLook === 0 && isTimeUp())

  const paint = (box: Box, colour: Colour | null) => {
    const isLarge = box[2] - box[0] >= leastSide && box[3] - box[1] >= leastSide
    if (isLarge && areas.length < areaBudget) areas.push({ box, colour })
  }
  const picture = () => {
    if (!isPictureDue) return
    isPictureDue = false
    const box = boxOf(state.matrix, [0, 0, 1, 1])
    pictures += ((box[2] - box[0]) * (box[3] - box[1])) / pageArea
    paint(box, null)
  }
  const isUnseen = (matrix: Matrix, width: number): boolean => {
    const size = Math.hypot(matrix[2], matrix[3])
    const [left, bottom, right, top] = boxOf(matrix, [0, 0, width, 0.7])
    const isOutside = right < page[0] || left > page[2] || top < page[1] || bottom > page[3]
    if (size < leastSize || isOutside || state.alpha < 0.05) return true
    if (state.fill === null || areas.length >= areaBudget || state.mode % 4 !== 0) return false
    const x = (left + right) / 2
    const y = (bottom + top) / 2
    const behind = areas.findLast(({ box }) => x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3])
    const paper = behind === undefined ? white : behind.colour
    return paper !== null && isAlike(state.fill, paper)
  }
  const show = (parts: ReadonlyArray<unknown>) => {
    isPictureDue = false
    let letters = ""
    // In units of the font's size.
    let width = 0
    const flush = () => {
      const matrix = times(state.matrix, times(text, [state.size * state.scale, 0, 0, state.size, 0, state.rise]))
      if (letters.trim() !== "" && state.size !== 0) {
        const look = state.mode === 3 ? "unpainted" : isUnseen(matrix, width) ? "unseen" : "seen"
        runs.push({ text: letters, matrix, width: width * Math.hypot(matrix[0], matrix[1]), look })
      }
      text = times(text, [1, 0, 0, 1, width * state.size * state.scale, 0])
      letters = ""
      width = 0
    }
    for (const part of parts) {
      if (isOver()) break
      const glyph = glyphOf(part)
      if (glyph !== null) {
        letters += glyph.text
        const spacing = state.charSpacing + (glyph.isSpace ? state.wordSpacing : 0)
        width += glyph.width / 1000 + (state.size === 0 ? 0 : spacing / state.size)
      } else if (typeof part === "number") {
        if (Math.abs(part) <= gap) width -= part / 1000
        else {
          flush()
          text = times(text, [1, 0, 0, 1, (-part / 1000) * state.size * state.scale, 0])
        }
      }
    }
    flush()
  }
  const move = (x: number, y: number) => {
    line = times(line, [1, 0, 0, 1, x, y])
    text = line
  }
  const steps: Readonly<Record<string, (args: ReadonlyArray<unknown>) => void>> = {
    save: () => saved.push(state),
    restore: () => {
      picture()
      state = saved.pop() ?? state
    },
    transform: (args) => {
      picture()
      state = { ...state, matrix: times(state.matrix, matrixOf(args)) }
      isPictureDue = true
    },
    paintFormXObjectBegin: ([matrix]) => {
      picture()
      saved.push(state)
      if (listOf(matrix).length === 6) state = { ...state, matrix: times(state.matrix, matrixOf(listOf(matrix))) }
    },
    paintFormXObjectEnd: () => {
      picture()
      state = saved.pop() ?? state
    },
    beginText: () => {
      line = identity
      text = identity
    },
    setFont: ([, size]) => void (state = { ...state, size: Number(size) }),
    setTextMatrix: ([matrix]) => {
      line = matrixOf(listOf(matrix))
      text = line
    },
    moveText: ([x, y]) => move(Number(x), Number(y)),
    setLeadingMoveText: ([x, y]) => {
      state = { ...state, leading: -Number(y) }
      move(Number(x), Number(y))
    },
    setLeading: ([leading]) => void (state = { ...state, leading: Number(leading) }),
    nextLine: () => move(0, -state.leading),
    setTextRenderingMode: ([mode]) => void (state = { ...state, mode: Number(mode) }),
    setCharSpacing: ([spacing]) => void (state = { ...state, charSpacing: Number(spacing) }),
    setWordSpacing: ([spacing]) => void (state = { ...state, wordSpacing: Number(spacing) }),
    setHScale: ([scale]) => void (state = { ...state, scale: Number(scale) / 100 }),
    setTextRise: ([rise]) => void (state = { ...state, rise: Number(rise) }),
    showText: ([glyphs]) => show(listOf(glyphs)),
    setFillRGBColor: ([colour]) => void (state = { ...state, fill: colourOf(String(colour)) }),
    setFillColorN: () => void (state = { ...state, fill: null }),
    shadingFill: () => paint(page, null),
    setGState: ([entries]) => {
      for (const entry of listOf(entries)) {
        const [name, value] = listOf(entry)
        if (name === "ca") state = { ...state, alpha: Number(value) }
      }
    },
    setLineWidth: ([width]) => void (state = { ...state, lineWidth: Number(width) }),
    constructPath: ([operator, data, extent]) => {
      isPictureDue = false
      const [left, bottom, right, top] = listOf(extent).map(Number)
      if (left === undefined || bottom === undefined || right === undefined || top === undefined) return
      const isFilled = fills.has(Number(operator))
      const isLine = right - left < 1 || top - bottom < 1
      if (!isFilled && !isLine) return
      const wider = isFilled ? 0 : state.lineWidth / 2
      const box = boxOf(state.matrix, [left - wider, bottom - wider, right + wider, top + wider])
      const [path] = listOf(data)
      const isPlain = isFilled && path instanceof Float32Array && path.length <= rectangle && state.alpha === 1
      paint(box, isPlain ? state.fill : null)
    }
  }
  for (const [index, operator] of fnArray.entries()) {
    if (isOver()) break
    const name = names.get(operator) ?? ""
    const step = steps[name]
    if (step !== undefined) step(listOf(argsArray[index]))
    else if (name.startsWith("paint")) isPictureDue = false
  }
  picture()
  return { runs, pictures, isCut }
}
