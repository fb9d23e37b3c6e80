import { it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { type DefaultTreeAdapterTypes, parse } from "parse5"
import { describe, expect } from "vitest"
import { parseHtml } from "../../../../src/services/extractor/dom/Parse.ts"
import { isLinkedData, type TreeNode } from "../../../../src/services/extractor/dom/Tree.ts"
import { isSlow } from "../../../support/Cases.ts"

const noLimit = () => false

/** What makes tokenizers change their state in scripts and styles, and where these may stand. */
const pieces = [
  ..."<script>|<SCRIPT >|<script src=a>|<script/>|</script>|</SCRIPT\n|</script|/>|</scripts>|<!--|-->|--!>|<!-|<!--><".split(
    "|"
  ),
  ..."<style>|<style media=print>|</style>|</STYLE >|</style/|</sty|<script type=application/ld+json>".split("|"),
  ..."<svg>|</svg>|<math>|<select>|</select>|<table>|</table>|<template>|</template>|<title>|</title>".split("|"),
  ..."<textarea>|</textarea>|<noscript>|</noscript>|<p>|</p>|<frameset>|<head>|<body>|</html>|<![CDATA[|]]>".split("|"),
  ..."a < b|\r\n|\r|\0|&amp;|👍|\ud83d|\udc4d| |>|\"|'|text|= 1".split("|")
]
const sources = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(""))

/** Scripts that hide their own end (HTML, "script data escaped state"). */
const inScripts = "<script>|</script>|<!--|-->|--|<|x|</script|>| |\n|<p>".split("|")
const scripts = fc
  .array(fc.constantFrom(...inScripts), { maxLength: 14 })
  .map((parts) => `<script>${parts.join("")}</script><p>text`)

/** Elements with their attributes, and texts that are not left out, in the order of the document. */
const told = (node: TreeNode): ReadonlyArray<unknown> => {
  const inside: Array<unknown> = []
  const isUnread = node.tag === "style" || (node.tag === "script" && !isLinkedData(node))
  for (let child = node.content?.first ?? node.first; child !== null; child = child.next) {
    if (child.tag === "#text") {
      if (!isUnread) inside.push(child.text)
    } else if (child.tag !== "#comment") inside.push(told(child))
  }
  return [node.tag, node.namespace, node.attributes, inside]
}

type Node = DefaultTreeAdapterTypes.Node

const expected = (node: Node): ReadonlyArray<unknown> => {
  const inside: Array<unknown> = []
  const isElement = "tagName" in node
  const isLinked =
    isElement && node.attrs.some(({ name, value }) => name === "type" && value.startsWith("application/ld+json"))
  const isUnread = isElement && (node.tagName === "style" || (node.tagName === "script" && !isLinked))
  const holder = "content" in node ? node.content : node
  for (const child of "childNodes" in holder ? holder.childNodes : []) {
    if ("value" in child) {
      if (!isUnread) inside.push(child.value)
    } else if (child.nodeName !== "#comment" && child.nodeName !== "#documentType") inside.push(expected(child))
  }
  return isElement ? [node.tagName, node.namespaceURI, node.attrs, inside] : [inside]
}

/** Both without what the document node is called. */
const same = (source: string) => {
  const [, , , inside] = told(parseHtml(source, noLimit).document)
  expect([inside]).toEqual(expected(parse(source)))
}

describe("a parse", () => {
  it.prop(
    "builds the tree of parse5, without the source of scripts and styles",
    [fc.oneof(sources, scripts)],
    ([source]) => same(source),
    {
      fastCheck: { numRuns: isSlow ? 2_000 : 100 }
    }
  )

  it("finds the end of a script wherever the tokenizer is given the next piece of the source", () => {
    const chunk = 1 << 18
    for (let before = chunk - 40; before < chunk + 4; before += isSlow ? 1 : 4) {
      same(`<script>${"x".repeat(before - 8)}</script><p>after</p>`)
      same(`<style>${"x".repeat(before - 7)}</style ><p>after</p>`)
      same(`<script>${"x".repeat(before - 8)}<!--<script>y</script>--></script><p>after</p>`)
    }
  })

  it("sees that a page is streamed by a script that it does not keep", () => {
    expect(parseHtml("<p>a</p><script>$RC('B:0','S:0')</script>", noLimit).streamed).toBe(true)
    expect(parseHtml("<p>a</p><script>other()</script><p>$RC</p>", noLimit).streamed).toBe(false)
  })
})
