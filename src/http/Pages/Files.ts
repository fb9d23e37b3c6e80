/** A file of the documentation pages: what it is called under `dist/pages`, and where it is served. */
export interface PageFile {
  readonly path: `/${string}`
  readonly name: string
  readonly contentType: string
}

/** A page for people; the others are what pages load. */
export interface DocumentationPage extends PageFile {
  readonly description: string
}

const html = "text/html; charset=utf-8"
const script = "text/javascript; charset=utf-8"

/** The pages, by what `GET /` calls them. */
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

/** Every file there is; `npm run build` makes them (`build.mjs` in this folder). */
export const pageFiles: ReadonlyArray<PageFile> = [...Object.values(documentationPages), ...loaded]
