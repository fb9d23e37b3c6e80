import { Effect } from "effect"
import { answerSchemas, BatchAnswer, UnifiedAnswer } from "../domain/Answer.ts"
import { BatchRequest, ContentDocument, ContentQuery } from "../domain/Content.ts"
import { BooksQuery, ImagesQuery, NewsQuery, TextQuery, UnifiedQuery, VideosQuery } from "../domain/Query.ts"
import { searchKinds } from "../domain/SearchKind.ts"
import { batchText, documentText } from "./ContentText.ts"
import { counted } from "./Progress.ts"
import { searchText, unifiedText } from "./SearchText.ts"
import { define, type Tool } from "./Tool.ts"

const distinctUrls = ({ urls }: BatchRequest) => new Set(urls.map((url) => url.trim())).size

/** The eight tools (contract, section 5). They use the same services as the REST endpoints. */
export const tools: ReadonlyArray<Tool> = [
  define({
    name: "search_web",
    title: "Web search",
    description:
      "Finds web pages. Start here for facts; then read the best with fetch_content. " +
      "Nothing found: other words, fewer filters.",
    group: "search",
    parameters: TextQuery,
    answer: answerSchemas.text,
    run: ({ search }, query) => search.run("text", query),
    text: searchText("text"),
    backendProblems: ({ search }, backend) => search.backendProblems("text", backend)
  }),
  define({
    name: "search_images",
    title: "Image search",
    description: "Finds pictures and the pages that show them. Filters only where asked for.",
    group: "search",
    parameters: ImagesQuery,
    answer: answerSchemas.images,
    run: ({ search }, query) => search.run("images", query),
    text: searchText("images")
  }),
  define({
    name: "search_videos",
    title: "Video search",
    description: "Finds videos, with duration, date and channel; their content cannot be read.",
    group: "search",
    parameters: VideosQuery,
    answer: answerSchemas.videos,
    run: ({ search }, query) => search.run("videos", query),
    text: searchText("videos")
  }),
  define({
    name: "search_news",
    title: "News search",
    description: "Finds dated news articles. For what happened lately: set timelimit. Older events: search_web.",
    group: "search",
    parameters: NewsQuery,
    answer: answerSchemas.news,
    run: ({ search }, query) => search.run("news", query),
    text: searchText("news")
  }),
  define({
    name: "search_books",
    title: "Book search",
    description: "Finds books by title, author or subject: who wrote what and when, not their text.",
    group: "search",
    parameters: BooksQuery,
    answer: answerSchemas.books,
    run: ({ search }, query) => search.run("books", query),
    text: searchText("books"),
    backendProblems: ({ search }, backend) => search.backendProblems("books", backend)
  }),
  define({
    name: "search_everything",
    title: "Search everything",
    description:
      "Searches web, images, videos, news and books at once, on a scarcer budget: for an overview only. A kind that " +
      "fails is named: ask its own tool.",
    group: "unified",
    reports: true,
    parameters: UnifiedQuery,
    answer: UnifiedAnswer,
    run: ({ search }, query, report) =>
      Effect.flatMap(counted(report, searchKinds.length), (tell) =>
        search.all(query, ({ kind, receipt: { error, results_count } }) =>
          tell(`${kind}: ${error === null ? `${results_count} results` : error.error}`)
        )
      ),
    text: unifiedText
  }),
  define({
    name: "fetch_content",
    title: "Read a web page",
    description:
      "Reads the main text of one URL (web page, feed, plain text, JSON). Long ones piece by piece with offset. " +
      "No text or a refusal: take another result.",
    group: "content",
    parameters: ContentQuery,
    answer: ContentDocument,
    run: ({ content }, query) => content.fetch(query),
    text: documentText
  }),
  define({
    name: "fetch_multiple_contents",
    title: "Read several web pages",
    description:
      "Reads up to 10 URLs at the price of one fetch; each succeeds or fails alone. They share max_tokens: read on in " +
      "the best with fetch_content.",
    group: "content",
    reports: true,
    parameters: BatchRequest,
    answer: BatchAnswer,
    run: ({ content }, request, report) =>
      Effect.flatMap(counted(report, distinctUrls(request)), (tell) =>
        content.fetchAll(request, (entry) => tell(`${entry.url}: ${entry.success ? "read" : entry.error}`))
      ),
    text: batchText
  })
]
