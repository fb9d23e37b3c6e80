import { type ContentFormat } from "../../../src/domain/Content.ts"
import { toTree } from "../../../src/services/extractor/render/Html.ts"
import { readDocument } from "../../../src/services/extractor/scoring/MainText.ts"
import { render as renderTree } from "../../../src/services/extractor/Page.ts"
import { structureOf } from "../../../src/services/extractor/render/Structure.ts"
import { toText } from "../../../src/services/extractor/render/Text.ts"

export const address = "https://harbour.example/stories/"

/** What a body becomes in a format, all of its blocks chosen. */
export const render = (body: string, format: ContentFormat = "text") => {
  const { page } = readDocument(`<body>${body}</body>`, address)
  const structure = structureOf(page)
  const selection = { page, chosen: page.blocks.map(() => true) }
  return format === "text"
    ? toText(selection, structure)
    : renderTree(toTree(selection, structure, address).tree, format)
}
