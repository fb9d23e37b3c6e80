import iconv from "iconv-lite"
import { type IncomingMessage, type ServerResponse } from "node:http"
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import { hostilePages } from "./hostile.ts"
import { charsetNames, charsetPage, feed, hiddenPage, json, longArticle, plain, shortArticle } from "./pages.ts"
import { column, pdf } from "./pdf.ts"

export type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => void

const html = "text/html; charset=utf-8"
const mebibyte = 1024 * 1024

const body =
  (type: string | null, content: string | Buffer, headers: Readonly<Record<string, string>> = {}): Handler =>
  (_, response) => {
    response.writeHead(200, { ...(type === null ? {} : { "Content-Type": type }), ...headers }).end(content)
  }

const to = (location: string, status = 302): Handler =>
  function redirect(_, response) {
    response.writeHead(status, { Location: location }).end("Elsewhere.")
  }

const article = Buffer.from(shortArticle)
const packed = (encoding: string, content: Buffer) => body(html, content, { "Content-Encoding": encoding })

const charsets = Object.fromEntries(
  charsetNames.flatMap((name) => [
    [`/charset/header/${name}`, body(`text/html; charset=${name}`, iconv.encode(charsetPage(name, false), name))],
    [`/charset/meta/${name}`, body("text/html", iconv.encode(charsetPage(name, true), name))]
  ])
)

/** Everything but the families that `familyOf` serves, by path. */
export const routes: Readonly<Record<string, Handler>> = {
  "/article": body(html, article),
  "/long": body(html, longArticle),
  "/hidden": body(html, hiddenPage),
  "/no-type": body(null, article),
  "/empty": body(html, ""),
  "/json": body("application/json", json),
  "/text": body("text/plain; charset=utf-8", plain),
  "/feed": body("application/rss+xml; charset=utf-8", feed),
  "/charset/bom": body("text/html", iconv.encode(charsetPage("utf-16le", false), "utf-16le", { addBOM: true })),
  ...charsets,
  "/packed/gzip": packed("gzip", gzipSync(article)),
  "/packed/br": packed("br", brotliCompressSync(article)),
  "/packed/deflate": packed("deflate", deflateSync(article)),
  "/packed/raw-deflate": packed("deflate", deflateRawSync(article)),
  "/packed/zstd": packed("zstd", Buffer.from("28b52ffd0458410000", "hex")),
  "/packed/broken": packed("gzip", Buffer.concat([gzipSync(article).subarray(0, 40), Buffer.alloc(400, 7)])),
  "/bomb": packed("gzip", gzipSync(Buffer.alloc(64 * mebibyte, 32))),
  "/huge": body(html, Buffer.alloc(11 * mebibyte, 32)),
  "/png": body("image/png", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")),
  "/pdf": body("application/pdf", pdf([{ lines: column(60, 700, plain.split("\n")) }], { info: "/Title(Plainly)" })),
  "/pdf/broken": body("application/pdf", "%PDF-1.7\n%âãÏÓ\n"),
  "/pdf/locked": body("application/pdf", pdf([{ lines: [] }], { isLocked: true })),
  "/zip": body("application/zip", Buffer.from("504b0304140000000800", "hex")),
  "/mp4": body("video/mp4", Buffer.from("00000018667479706d703432", "hex")),
  "/redirect/loop": to("/redirect/loop"),
  "/redirect/permanent": to("/article", 301),
  "/redirect/nowhere": (_, response) => void response.writeHead(302).end("Where to?"),
  "/hang": () => undefined,
  "/reset": (_, response) => void response.destroy(),
  "/endless": (_, response) => {
    response.writeHead(200, { "Content-Type": html })
    const timer = setInterval(() => response.write("<p>And on it goes.</p>"), 20)
    response.on("close", () => clearInterval(timer))
  },
  "/truncated": (_, response) => {
    response.writeHead(200, { "Content-Type": html, "Content-Length": article.length + 1000 })
    response.write(article, () => response.destroy())
  },
  "/truncated-chunked": (_, response) => {
    response.writeHead(200, { "Content-Type": html })
    response.write(article, () => response.destroy())
  },
  "/redirect-to": (request, response, url) => to(url.searchParams.get("url") ?? "/")(request, response, url)
}

const hostile = (name: string): Handler | null => {
  const page = hostilePages[name]
  return page === undefined
    ? null
    : (request, response, url) => body(page.contentType, page.body())(request, response, url)
}

/** `/hostile/{name}`, `/status/{code}`, `/redirect/{hops}` (to the article in so many steps), `/slow/{milliseconds}`. */
export const familyOf = (path: string): Handler | null => {
  if (path.startsWith("/hostile/")) return hostile(path.slice("/hostile/".length))
  const [, family, digits] = /^\/(status|redirect|slow)\/(\d+)$/.exec(path) ?? []
  const number = Number(digits)
  if (family === "status") {
    return (_, response) => void response.writeHead(number, { "Content-Type": html }).end(shortArticle)
  }
  if (family === "redirect") return to(number <= 1 ? "/article" : `/redirect/${number - 1}`)
  if (family === "slow") {
    return (request, response, url) => {
      const timer = setTimeout(() => body(html, article)(request, response, url), number)
      response.on("close", () => clearTimeout(timer))
    }
  }
  return null
}
