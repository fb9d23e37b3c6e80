import { Effect } from "effect"
import { type Metadata } from "../../../domain/Content.ts"
import { plainLineOrNull } from "../../../domain/PlainText.ts"
import { isoDate } from "../dom/DateText.ts"
import { unreadable } from "../dom/Document.ts"
import { boundDecoding } from "./pdf/Bounds.ts"
import { columnsOf } from "./pdf/Columns.ts"
import { fragmentsOf } from "./pdf/Fragments.ts"
import { type PdfDocument, readPages } from "./pdf/PdfPages.ts"
import { linesOf, paragraphsOf } from "./pdf/Paragraphs.ts"
import { withoutRunning } from "./pdf/Running.ts"
import { type TimeLimits } from "../dom/TimeLimit.ts"

export interface PdfText {
  readonly paragraphs: ReadonlyArray<string>
  readonly truncated: boolean
  readonly hidden: boolean
  readonly metadata: Partial<Metadata>
}

/** Converts a PDF date (PDF 32000-1, 7.9.4) to ISO 8601. Example: `D:20250304093000+01'00'`. */
const dateOf = (text: string): string | null => {
  const [, year = "", month = "01", day = "01", hour, minute = "00", second = "00", zone = ""] =
    /^(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(Z|[+-]\d{2}'?\d{2})?/.exec(text.trim()) ?? []
  if (year === "") return isoDate(text)
  const date = `${year}-${month}-${day}`
  return isoDate(hour === undefined ? date : `${date}T${hour}:${minute}:${second}${zone.replace("'", ":")}`)
}

/** Returns whether a title is one that programs write when the author gives none. */
const isFileName = (title: string): boolean =>
  /^(?:microsoft (?:word|powerpoint|excel) -|untitled|document\d*$|slide \d+$)|\.(?:docx?|dvi|indd|pptx?|qxd|rtf|tex|xlsx?)$/i.test(
    title
  )

const metadataOf = async (document: PdfDocument): Promise<Partial<Metadata>> => {
  const { info, metadata } = await document.getMetadata()
  const told = new Map<string, unknown>(Object.entries(info))
  const text = (name: string, xmp: string): string | null => {
    const own = told.get(name)
    const other: unknown = metadata?.get(xmp)
    const parts: ReadonlyArray<unknown> = [own, ...(Array.isArray(other) ? [other.join(", ")] : [other])]
    return parts.reduce<string | null>(
      (found, part) => found ?? (typeof part === "string" ? plainLineOrNull(part.slice(0, 5_000)) : null),
      null
    )
  }
  const title = text("Title", "dc:title")
  const date = (name: string, xmp: string): string | null => {
    const found = text(name, xmp)
    return found === null ? null : dateOf(found)
  }
  return {
    title: title === null || isFileName(title) ? null : title,
    author: text("Author", "dc:creator"),
    description: text("Subject", "dc:description"),
    published: date("CreationDate", "xmp:createdate"),
    modified: date("ModDate", "xmp:modifydate"),
    language: text("Language", "dc:language")
  }
}

/** Polyfills a method that pdf.js requires and Node 20 lacks. */
const addTransfer = () => {
  if ("transferToFixedLength" in ArrayBuffer.prototype) return
  Object.defineProperty(ArrayBuffer.prototype, "transferToFixedLength", {
    configurable: true,
    writable: true,
    value(this: ArrayBuffer, length = this.byteLength) {
      return this.slice(0, length)
    }
  })
}

const open = (bytes: Uint8Array) =>
  Effect.tryPromise(async () => {
    // Imported on demand: two megabytes of code that only PDF documents need.
    const { getDocumentProxy } = await import("unpdf")
    addTransfer()
    return getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      disableFontFace: true,
      useSystemFonts: false,
      isImageDecoderSupported: false,
      isOffscreenCanvasSupported: false,
      // No image is decoded.
      maxImageSize: 0
    })
  })

/** Reads the paragraphs of a PDF in reading order. Fails with `undecodable` when it is broken or encrypted. */
export const readPdf = Effect.fnUntraced(
  function* (bytes: Uint8Array, limits: TimeLimits) {
    const bounds = yield* boundDecoding
    const document = yield* Effect.acquireRelease(open(bytes), (opened) =>
      Effect.promise(() => opened.loadingTask.destroy().catch(() => undefined))
    )
    return yield* Effect.tryPromise(async (): Promise<PdfText> => {
      const metadata = await metadataOf(document).catch(() => ({}))
      const { hidden, pages, truncated } = await readPages(document, limits, bounds)
      const columns = withoutRunning(pages.map(fragmentsOf)).flatMap((page) => columnsOf(page).map(linesOf))
      return { paragraphs: paragraphsOf(columns), truncated: truncated || bounds.wasHit(), hidden, metadata }
    })
  },
  Effect.scoped,
  Effect.mapError(() => unreadable("undecodable"))
)
