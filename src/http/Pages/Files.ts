/** A file of the documentation pages: its name under `dist/pages`, and the path that serves it. */
export interface PageFile {
  readonly path: `/${string}`
  readonly name: string
  readonly contentType: string
}

/** An HTML page; the other files are assets of the pages. */
export interface DocumentationPage extends PageFile {
  readonly description: string
}

const html = "text/html; charset=utf-8"
const script = "text/javascript; charset=utf-8"

/** The pages, by their name in `GET /`. */
export const documentationPages = {
  docs: {
    path: "/docs",
    name: "docs.html",
    contentType: html,
    description: "Swagger UI: reads like a list, and sends requests from the browser"
  },
  redoc: { path: "/redoc", name: "redoc.html", contentType: html, description: "Redoc: reads like a manual" }
} as const satisfies Record<string, DocumentationPage>

const loaded: ReadonlyArray<PageFile> = [
  { path: "/docs/swagger-ui.css", name: "swagger-ui.css", contentType: "text/css; charset=utf-8" },
  { path: "/docs/swagger-ui-bundle.js", name: "swagger-ui-bundle.js", contentType: script },
  { path: "/docs/start.js", name: "docs.js", contentType: script },
  { path: "/redoc/redoc.standalone.js", name: "redoc.standalone.js", contentType: script },
  { path: "/redoc/start.js", name: "redoc.js", contentType: script }
]

/** Every file of the pages, built by `npm run build` (`build.mjs` in this folder). */
export const pageFiles: ReadonlyArray<PageFile> = [...Object.values(documentationPages), ...loaded]
