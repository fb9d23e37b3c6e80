import { describe, expect, it } from "@effect/vitest"
import { withAdjacentBlocks } from "../../../../src/services/extractor/scoring/AdjacentBlocks.ts"
import { readDocument } from "../../../../src/services/extractor/scoring/MainText.ts"
import { extractPage } from "../../../../src/services/extractor/Page.ts"
import { structureOf } from "../../../../src/services/extractor/render/Structure.ts"

const address = "https://harbour.example/manual/"
const prose = (name: string) =>
  `<p>${name}: this is a paragraph of a certain length, with some commas in it, and a second part that goes on.</p>`

/** The blocks that go with the paragraphs of a body, where nothing else is likely to be main text. */
const companions = (body: string, isProduct = false): ReadonlyArray<string> => {
  const { page } = readDocument(`<body>${body}</body>`, address)
  const chosen = page.blocks.map(({ box }) => page.boxes[box]?.tag === "p")
  const all = withAdjacentBlocks(page, structureOf(page), new Float64Array(chosen.length), chosen, isProduct)
  return page.blocks.flatMap(({ text }, index) => (all[index] === true && chosen[index] !== true ? [text] : []))
}

describe("with the main text goes", () => {
  it("the code beside it, as short as it may be", () => {
    const answers = [1, 2, 3].map(
      (answer) =>
        `<div class=post><div class=user>user${answer}</div><div class=cooked>${prose(`Post ${answer}`)}<pre><code>zap --level ${answer}</code></pre></div></div>`
    )
    const { content } = extractPage(
      `<title>How to zap</title><h1>How to zap</h1><div id=posts>${answers.join("")}</div>`,
      address,
      "text"
    )
    for (const answer of [1, 2, 3]) expect(content).toContain(`goes on.\n\nzap --level ${answer}`)
  })

  it("longer code where the text before announces it", () => {
    const code = Array.from({ length: 30 }, (_, line) => `set_${line} to_${line}`).join("\n")
    const listing = (sign: string) => `${prose("One")}<p>It has to be like this${sign}</p><pre>${code}</pre>`
    expect(companions(listing(":"))).toEqual([code])
    expect(companions(listing("."))).toEqual([])
  })

  it("its headings, but not those of other things", () => {
    expect(companions(`<h2>Boats</h2>${prose("Boats")}<h3>Related</h3><div>Ships</div>`)).toEqual(["Boats"])
    expect(companions(`<div><div><div><h2>Menu</h2></div></div></div>${prose("Boats")}`)).toEqual([])
  })

  it("the list that it announces, unless it is of links or the page sells something", () => {
    const list = "<p>There has to be:</p><ul><li>rope</li><li>oars</li></ul>"
    expect(companions(list)).toEqual(["rope", "oars"])
    expect(companions(list, true)).toEqual([])
    expect(companions("<p>See:</p><ul><li><a href=/a>rope</a></li><li><a href=/b>oars</a></li></ul>")).toEqual([])
  })
})
