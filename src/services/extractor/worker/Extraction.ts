import { Effect } from "effect"
import { type ContentFormat } from "../../../domain/Content.ts"
import { trim } from "../../../domain/Trim.ts"
import { trimHtml } from "../../../domain/TrimHtml.ts"
import { decodeBody } from "../../http-client/Charset.ts"
import { type Extracted, noText, type Piece, type RawDocument } from "../dom/Document.ts"
import { sniff, textKind } from "../formats/MediaType.ts"
import { type Rendered } from "../Page.ts"
import { readPdf } from "../formats/Pdf.ts"
import { plainBytes } from "./PlainBytes.ts"
import { extractText } from "../formats/TextDocument.ts"
import { type TimeLimits, timeLimits } from "../dom/TimeLimit.ts"

const readAsText = Effect.fnUntraced(function* (bytes: Uint8Array, format: ContentFormat, limits: TimeLimits) {
  const { hidden, metadata, paragraphs, truncated } = yield* readPdf(bytes, limits)
  const found = extractText(paragraphs.join("\n\n"), "plain", "", format)
  const rendered: Rendered = {
    ...found,
    ...metadata,
    truncatedInput: found.truncatedInput || truncated,
    hiddenText: found.hiddenText || hidden
  }
  return rendered
})

/** Extracts a document on the calling thread, and blocks that thread meanwhile. */
export const extractDocument = Effect.fnUntraced(function* (
  document: RawDocument,
  format: ContentFormat,
  { maxLength, offset }: Piece
) {
  const { contentType: header, url } = document
  const bytes = yield* plainBytes(document)
  const { contentType, kind } = sniff(bytes, header)
  if (kind === "none") return yield* Effect.fail(noText(contentType))
  const limits = yield* timeLimits
  const { content, ...about } =
    kind === "pdf"
      ? yield* readAsText(bytes, format, limits)
      : extractText(decodeBody(bytes, header, textKind(kind)), kind, url, format, limits)
  const extracted: Extracted = {
    ...about,
    contentType,
    ...(format === "html" ? trimHtml : trim)(content, offset, maxLength)
  }
  return extracted
})
