import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import iconv from "iconv-lite"
import { decodeBody, encodingOf } from "../../../src/services/http-client/Charset.ts"

const russian = "Привет, мир! Это обычный русский текст, в котором есть слова."
const czech = "Příliš žluťoučký kůň úpěl ďábelské ódy, a potom šel domů."
const greek = "Καλημέρα κόσμε, αυτό είναι ένα ελληνικό κείμενο."
const japanese = "これは日本語の文章です。文字コードの判定を試します。"
const hebrew = "שלום עולם, זהו טקסט בעברית לבדיקת קידוד."
const arabic = "مرحبا بالعالم، هذا نص عربي لاختبار الترميز."
const french = "Le café coûte très cher à Noël, déjà vu."

/** Label, the encoder's name for it, text. */
const encodings: ReadonlyArray<readonly [string, string, string]> = [
  ["windows-1250", "win1250", czech],
  ["windows-1251", "win1251", russian],
  ["windows-1252", "win1252", "3 € — “très cher”, l’œuvre…"],
  ["iso-8859-1", "win1252", "3 € — “très cher”, l’œuvre…"],
  ["us-ascii", "win1252", "naïve – “quoted”"],
  ["windows-1253", "win1253", greek],
  ["windows-1254", "win1254", "Türkçe bir metin: şeker, ığdır, çağ, öğüt ve güneş."],
  ["windows-1255", "win1255", hebrew],
  ["windows-1256", "win1256", arabic],
  ["windows-1257", "win1257", "Ąžuolas žaliuoja, šviečia saulė."],
  ["windows-1258", "win1258", "Viêt Nam đông"],
  ["windows-874", "win874", "สวัสดีชาวโลก นี่คือข้อความภาษาไทย"],
  ["iso-8859-2", "iso88592", czech],
  ["iso-8859-5", "iso88595", russian],
  ["iso-8859-6", "iso88596", "مرحبا بالعالم"],
  ["iso-8859-7", "iso88597", greek],
  ["iso-8859-8-i", "iso88598", hebrew],
  ["iso-8859-10", "iso885910", "Þórður át ísköld æðardún"],
  ["iso-8859-13", "iso885913", "Ąžuolas žaliuoja"],
  ["iso-8859-14", "iso885914", "Ŵyth ŷd"],
  ["iso-8859-15", "iso885915", "Prix : 30 € à Noël, l'œuvre"],
  ["iso-8859-16", "iso885916", "Această propoziție are ș și ț, 5 €"],
  ["koi8-r", "koi8r", russian],
  ["koi8-u", "koi8u", "Це звичайний український текст: їжак, ґанок."],
  ["ibm866", "cp866", russian],
  ["macintosh", "macintosh", french],
  ["x-mac-cyrillic", "maccyrillic", russian],
  ["shift_jis", "shiftjis", japanese],
  ["euc-jp", "eucjp", japanese],
  ["gb2312", "gbk", "这是一个简体中文的网页，用来测试字符编码的检测。"],
  ["gb18030", "gb18030", "𠀀 这是一个简体中文的网页 €"],
  ["big5", "big5", "這是一個繁體中文的網頁，用來測試字元編碼的檢測。"],
  ["euc-kr", "euckr", "이것은 한국어 문장입니다. 문자 인코딩을 확인합니다."],
  ["utf-16le", "utf16le", japanese],
  ["utf-16be", "utf16be", russian]
]

const page = (text: string, head = "") => `<!doctype html><html><head>${head}</head><body><p>${text}</p></body></html>`

describe("decodeBody", () => {
  it.each(encodings)("reads %s from the header and from a meta element", (label, codec, text) => {
    expect(decodeBody(iconv.encode(page(text), codec), `text/html; charset="${label}"`, "html")).toBe(page(text))
    if (label.startsWith("utf-16")) return
    const named = page(text, `<meta charset=${label}>`)
    expect(decodeBody(iconv.encode(named, codec), "text/html", "html")).toBe(named)
    const equivalent = page(text, `<META content='text/html; charset=${label}' Http-Equiv="Content-Type">`)
    expect(decodeBody(iconv.encode(equivalent, codec), null, "html")).toBe(equivalent)
  })

  it("reads iso-2022-jp", () => {
    const bytes = Buffer.from("\u001b$B$3$l$OF|K\\8l$G$9\u001b(B", "latin1")
    expect(decodeBody(bytes, "text/html; charset=iso-2022-jp", "html")).toBe("これは日本語です")
  })

  it("reads the XML declaration", () => {
    const feed = `<?xml version="1.0" encoding="windows-1251"?><rss><title>${russian}</title></rss>`
    expect(decodeBody(iconv.encode(feed, "win1251"), "application/rss+xml", "xml")).toBe(feed)
  })

  it.each(["utf-8", "utf-16le", "utf-16be"])("believes a byte order mark of %s over every label", (encoding) => {
    const bytes = iconv.encode(page(russian), encoding, { addBOM: true })
    expect(decodeBody(bytes, "text/html; charset=windows-1252", "html")).toBe(page(russian))
  })

  it.each([
    ["windows-1251", russian],
    ["koi8-r", russian],
    ["shift_jis", japanese],
    ["euc-jp", japanese],
    ["gbk", "这是一个简体中文的网页，用来测试字符编码的检测。"],
    ["big5", "這是一個繁體中文的網頁，用來測試字元編碼的檢測。"],
    ["euc-kr", "이것은 한국어 문장입니다. 문자 인코딩을 확인합니다."],
    ["windows-1253", greek],
    ["windows-1255", hebrew],
    ["windows-1256", arabic],
    ["windows-1252", `${french} Prix : 3 € — “très cher”, l’été dernier où l’on était là.`]
  ])("detects %s without a label, and under a wrong label of utf-8", (codec, text) => {
    const bytes = iconv.encode(page(text), codec)
    expect(decodeBody(bytes, "text/html", "html")).toBe(page(text))
    expect(decodeBody(bytes, "text/html; charset=utf-8", "html")).toBe(page(text))
  })

  it("takes valid UTF-8 for what it is, whatever the label", () => {
    const bytes = Buffer.from(page(`${french} ${russian}`))
    for (const label of ["iso-8859-1", "windows-1252", "windows-1251", "utf-16le", "bogus", "iso-2022-kr"])
      expect(decodeBody(bytes, `text/html; charset=${label}`, "html")).toBe(page(`${french} ${russian}`))
  })

  it("reads the euro sign of Macintosh, where its currency sign was", () => {
    const bytes = Uint8Array.of(0x35, 0xdb, 0x20, 0xbd)
    expect(decodeBody(bytes, "text/plain; charset=macintosh", "text")).toBe("5€ \u03a9")
    expect(decodeBody(Uint8Array.of(0xff), "text/plain; charset=x-mac-cyrillic", "text")).toBe("€")
  })

  it("keeps UTF-8 that is broken in one place", () => {
    const bytes = Buffer.concat([Buffer.from(russian), Buffer.from([0xd0]), Buffer.from(`<p>${russian}`)])
    expect(decodeBody(bytes, "text/html; charset=utf-8", "html")).toBe(`${russian}\uFFFD<p>${russian}`)
  })

  it("does not read a charset out of a comment", () => {
    const text = page(french, "<!-- <meta charset=koi8-r> --><meta charset=windows-1252>")
    expect(decodeBody(iconv.encode(text, "win1252"), null, "html")).toBe(text)
  })

  it.prop("never throws", [FastCheck.uint8Array({ maxLength: 400 }), FastCheck.string()], ([bytes, contentType]) => {
    expect(typeof decodeBody(bytes, contentType, "html")).toBe("string")
    expect(typeof decodeBody(bytes, `a/b;charset=${contentType}`, "xml")).toBe("string")
  })
})

describe("encodingOf", () => {
  it("knows labels as browsers do", () => {
    expect(encodingOf(" Latin1 ")).toBe("windows-1252")
    expect(encodingOf("x-sjis")).toBe("shift_jis")
    expect(encodingOf("iso-2022-kr")).toBe(null)
    expect(encodingOf("")).toBe(null)
  })
})
