import { describe, expect, it } from "@effect/vitest"
import { render } from "../Rendered.ts"

describe("formulas", () => {
  it("are written in the sentence that they stand in", () => {
    const formula = `<p>So <math><msup><mi>x</mi><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msup><mo>=</mo><mfrac><mn>1</mn><msqrt><mi>y</mi></msqrt></mfrac></math> holds.</p>`
    for (const format of ["text", "markdown"] as const) expect(render(formula, format)).toBe("So x^(n+1)=1/√y holds.")
  })

  it("are TeX where they say so, and are not there twice", () => {
    const math = `<math><semantics><mrow><mi>E</mi><mi>m</mi></mrow><annotation encoding="application/x-tex">E=mc^2</annotation></semantics></math>`
    const katex = `<span class=katex><span class=katex-mathml>${math}</span><span class=katex-html aria-hidden=true>E=mc2</span></span>`
    const mathjax = `<mjx-container><mjx-math aria-hidden=true>E=mc2</mjx-math><mjx-assistive-mml>${math}</mjx-assistive-mml></mjx-container>`
    const image = `<span><span style="display:none">${math}</span><img src=f.svg alt="{\\displaystyle E=mc^2}"></span>`
    for (const drawn of [katex, mathjax, image])
      expect(render(`<p>That ${drawn} holds.</p>`)).toBe("That E=mc^2 holds.")
  })

  it("are not lost where only the drawn one shows", () => {
    const katex = `<span><span style="display:none"><math><mi>E</mi></math></span><span aria-hidden=true>E</span></span>`
    expect(render(`<p>That ${katex} holds.</p>`)).toBe("That E holds.")
  })
})

describe("raised numbers", () => {
  const sentence =
    "<p>10<sup>24</sup> kg, 10<sup>−6</sup>, 5 m<sup>2</sup>, H<sub>2</sub>O, the 1<sup>st</sup> note<sup>3</sup> and<sup><a href=#f>[4]</a></sup> $5<sup>99</sup></p>"

  it("are powers, cents or the marks of notes", () => {
    const read = "10^24 kg, 10^−6, 5 m^2, H2O, the 1st note3 and[4] $5.99"
    expect(render(sentence)).toBe(read)
    expect(render(sentence, "markdown").replace(/\[\\?\[4\\?\]\]\([^)]*\)/, "[4]")).toBe(read)
    expect(render(sentence, "html")).toContain("10<sup>24</sup> kg")
  })
})

describe("images", () => {
  it("stay in their sentence and in their link", () => {
    const piece = `<p>See <a href=/x><img src=a.png alt=one></a> and <img src=b.png alt=two> here.</p>`
    expect(render(piece, "markdown")).toBe(
      "See [![one](https://harbour.example/stories/a.png)](https://harbour.example/x) and ![two](https://harbour.example/stories/b.png) here."
    )
    expect(render(piece)).toBe("See and here.")
  })

  it("that stand for themselves keep their links, too, and lie side by side", () => {
    const badges = `<p><a href=/x><img src=a.png alt=one></a> <img src=b.png alt=two></p><p>Text</p>`
    expect(render(badges, "markdown")).toBe(
      "[![one](https://harbour.example/stories/a.png)](https://harbour.example/x) ![two](https://harbour.example/stories/b.png)\n\nText"
    )
  })

  it("of pictograms are what they stand for", () => {
    expect(render(`<p>Well done <img class=emoji src=e.png alt="🎉" width=20>!</p>`)).toBe("Well done 🎉!")
  })

  it("may have spaces in their addresses, and lie in figures with their captions", () => {
    const figure = `<figure><img src="a b.png" alt=one><figcaption>What is seen.</figcaption></figure>`
    expect(render(figure, "html")).toBe(
      '<figure><img src="https://harbour.example/stories/a%20b.png" alt="one"><figcaption>What is seen.</figcaption></figure>'
    )
  })
})

describe("links to the heading that they stand in", () => {
  it("are left out", () => {
    const heading = `<h2>Options <a class=headerlink href="#options">¶</a></h2><p>Note <a href="#n">*</a>.</p>`
    expect(render(heading)).toBe("Options\n\nNote *.")
    expect(render(heading, "markdown")).toMatch(/^## Options\n\nNote \[/)
  })
})

describe("captions of tables", () => {
  const table = `<p>Before.</p><table><caption>Fees</caption><tr><th>Boat<th>Fee<tr><td>Small<td>1</table>`

  it("come before them", () => {
    expect(render(table, "html")).toContain("<p>Before.</p>\n<p>Fees</p>\n<table>")
    expect(render(table, "markdown")).toBe("Before.\n\nFees\n\n| Boat | Fee |\n| - | - |\n| Small | 1 |")
  })
})

describe("code side by side", () => {
  it("is one span", () => {
    expect(render("<p>Use <code>a</code><code>b</code> and <code>x </code> <code>y</code>.</p>", "markdown")).toBe(
      "Use `ab` and `x y`."
    )
  })
})
