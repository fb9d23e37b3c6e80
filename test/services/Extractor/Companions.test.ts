import { describe, expect, it } from "@effect/vitest"
import { extractPage } from "../../../src/services/Extractor/Page.ts"

const address = "https://harbour.example/manual/"
const prose = (name: string) =>
  `<p>${name}: this is a paragraph of a certain length, with some commas in it, and a second part that goes on.</p>`

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

  it("its headings", () => {
    const sections = ["Alpha", "Beta", "Gamma"].map((name) => `<h2>${name}</h2>${prose(name)}`).join("")
    const { content } = extractPage(`<div><div>${sections}</div></div>`, address, "markdown")
    for (const name of ["Alpha", "Beta", "Gamma"]) expect(content).toContain(`## ${name}\n\n${name}: this`)
  })

  it("the list that it announces", () => {
    const list = "<ul><li>rope</li><li>oars</li><li><a href=/a>an anchor</a> of iron</li></ul>"
    const { content } = extractPage(
      `<div><div><h1>Boats</h1>${prose("A boat")}<p>On every boat there have to be, whatever the weather:</p>${list}${prose("A ship")}</div></div>`,
      address,
      "text"
    )
    expect(content).toContain("weather:\n\n- rope\n- oars\n- an anchor of iron\n\nA ship")
  })
})
