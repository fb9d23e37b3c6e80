// Builds dist/pages: every file of the documentation pages, compressed once at build time.
import { createHash } from "node:crypto"
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { brotliCompress, constants, gunzip, gzip } from "node:zlib"

const here = dirname(fileURLToPath(import.meta.url))
const require = createRequire(import.meta.url)
const folderOf = (name) => dirname(require.resolve(`${name}/package.json`))

/** Source maps are not served. Developer tools would request the one that this comment names. */
const withoutSourceMap = (text) => text.replace(/^(?:\/\/|\/\*)# sourceMappingURL=.*$/m, "")

/** Redoc loads its vendor's logo from a CDN. The pages must not reveal their visitors to another host. */
const withoutForeignLogo = (text) => {
  const parts = text.split("https://cdn.redoc.ly/redoc/logo-mini.svg")
  if (parts.length !== 2) throw new Error("redoc names its logo in another way: look at what its pages request")
  return parts.join("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E".replaceAll("'", "%27"))
}

const read = (...path) => readFile(join(...path), "utf8")

const sources = async () => {
  const swagger = folderOf("swagger-ui-dist")
  const redoc = folderOf("redoc")
  return {
    "swagger-ui.css": withoutSourceMap(await read(swagger, "swagger-ui.css")),
    "swagger-ui-bundle.js": withoutSourceMap(await read(swagger, "swagger-ui-bundle.js")),
    "docs.js": await read(here, "docs.js"),
    "redoc.standalone.js": withoutForeignLogo(withoutSourceMap(await read(redoc, "bundles", "redoc.standalone.js"))),
    "redoc.js": await read(here, "redoc.js")
  }
}

const licences = async () => {
  const swagger = folderOf("swagger-ui-dist")
  const redoc = folderOf("redoc")
  const texts = [
    ["swagger-ui-dist", await read(swagger, "NOTICE"), await read(swagger, "LICENSE")],
    ["swagger-ui-bundle.js", await read(swagger, "swagger-ui-bundle.js.LICENSE.txt")],
    ["redoc", await read(redoc, "LICENSE")],
    ["redoc.standalone.js", await read(redoc, "bundles", "redoc.standalone.js.LICENSE.txt")]
  ]
  return texts.map(([name, ...parts]) => [`== ${name}`, ...parts].join("\n\n")).join("\n\n")
}

/** Brotli at its highest quality takes seconds, so unchanged files are kept. */
const compress = async (folder, name, text) => {
  const bytes = Buffer.from(text)
  const kept = await readFile(join(folder, `${name}.gz`)).catch(() => null)
  const hasBrotli = await readFile(join(folder, `${name}.br`)).then(
    () => true,
    () => false
  )
  if (kept !== null && hasBrotli && bytes.equals(await promisify(gunzip)(kept).catch(() => Buffer.of()))) return kept
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    promisify(gzip)(bytes, { level: 9 })
  ])
  await writeFile(join(folder, `${name}.br`), br)
  await writeFile(join(folder, `${name}.gz`), gz)
  return gz
}

/** Same as `versionOf` in Representation.ts: asset URLs change when their bytes change. */
const versionOf = (gz) => createHash("sha256").update(gz).digest("hex").slice(0, 16)

export const buildPages = async (folder) => {
  await mkdir(folder, { recursive: true })
  await rm(join(folder, "LICENSES.txt"), { force: true })
  const versions = await Promise.all(
    Object.entries(await sources()).map(async ([name, text]) => [name, versionOf(await compress(folder, name, text))])
  )
  for (const page of ["docs.html", "redoc.html"]) {
    const html = await read(here, page)
    const filled = versions.reduce((text, [name, version]) => text.replaceAll(`{{${name}}}`, version), html)
    if (filled.includes("{{")) throw new Error(`${page} loads a file that is not built`)
    await compress(folder, page, filled)
  }
  await writeFile(join(folder, "LICENSES.txt"), await licences())
}
