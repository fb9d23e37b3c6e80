import { describe, expect, it } from "@effect/vitest"
import iconv from "iconv-lite"
import { decodeBody } from "../../../src/services/http-client/Charset.ts"
import { sniff, textKind } from "../../../src/services/extractor/formats/MediaType.ts"
import { extractText } from "../../../src/services/extractor/formats/TextDocument.ts"

/** Article 1 of the Universal Declaration of Human Rights, or its beginning; in languages it was put into. */
const languages: Readonly<Record<string, string>> = {
  af: "Alle menslike wesens word vry, met gelyke waardigheid en regte, gebore.",
  am: "የሰው ልጅ ሁሉ ሲወለድ ነጻና በክብርና በመብትም እኩልነት ያለው ነው።",
  ar: "يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق.",
  bg: "Всички хора се раждат свободни и равни по достойнство и права.",
  bn: "সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে।",
  ca: "Tots els éssers humans neixen lliures i iguals en dignitat i en drets.",
  cs: "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv.",
  da: "Alle mennesker er født frie og lige i værdighed og rettigheder.",
  de: "Alle Menschen sind frei und gleich an Würde und Rechten geboren.",
  el: "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.",
  en: "All human beings are born free and equal in dignity and rights.",
  es: "Todos los seres humanos nacen libres e iguales en dignidad y derechos.",
  et: "Kõik inimesed sünnivad vabadena ja võrdsetena oma väärikuselt ja õigustelt.",
  fa: "تمام افراد بشر آزاد به دنیا می‌آیند و از لحاظ حیثیت و حقوق با هم برابرند.",
  fi: "Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan.",
  fr: "Tous les êtres humains naissent libres et égaux en dignité et en droits.",
  ga: "Saolaítear gach duine den chine daonna saor agus comhionann i ndínit agus i gcearta.",
  he: "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.",
  hi: "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।",
  hu: "Minden emberi lény szabadon születik és egyenlő méltósága és joga van.",
  hy: "Բոլոր մարդիկ ծնվում են ազատ ու հավասար՝ իրենց արժանապատվությամբ և իրավունքներով։",
  id: "Semua orang dilahirkan merdeka dan mempunyai martabat dan hak-hak yang sama.",
  is: "Hver maður er borinn frjáls og jafn öðrum að virðingu og réttindum.",
  it: "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti.",
  ja: "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。",
  ka: "ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით.",
  ko: "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
  lt: "Visi žmonės gimsta laisvi ir lygūs savo orumu ir teisėmis.",
  lv: "Visi cilvēki piedzimst brīvi un vienlīdzīgi savā pašcieņā un tiesībās.",
  nl: "Alle mensen worden vrij en gelijk in waardigheid en rechten geboren.",
  no: "Alle mennesker er født frie og med samme menneskeverd og menneskerettigheter.",
  pl: "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw.",
  pt: "Todos os seres humanos nascem livres e iguais em dignidade e em direitos.",
  ro: "Toate ființele umane se nasc libere și egale în demnitate și în drepturi.",
  ru: "Все люди рождаются свободными и равными в своём достоинстве и правах.",
  sk: "Všetci ľudia sa rodia slobodní a sebe rovní, čo sa týka ich dôstojnosti a práv.",
  sr: "Сва људска бића рађају се слободна и једнака у достојанству и правима.",
  sv: "Alla människor är födda fria och lika i värde och rättigheter.",
  ta: "மனிதப் பிறவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்; அவர்கள் மதிப்பிலும் உரிமைகளிலும் சமமானவர்கள்.",
  th: "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ",
  tr: "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar.",
  uk: "Всі люди народжуються вільними і рівними у своїй гідності та правах.",
  ur: "تمام انسان آزاد اور حقوق و عزت کے اعتبار سے برابر پیدا ہوئے ہیں۔",
  vi: "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi.",
  zh: "人人生而自由，在尊严和权利上一律平等。"
}

const page = (language: string, text: string, meta = "") =>
  `<!doctype html><html lang="${language}"><head>${meta}<title>${text}</title></head><body><main><p>${text}</p></main></body></html>`

const read = (bytes: Uint8Array, header: string) => {
  const { kind } = sniff(bytes, header)
  if (kind !== "html") throw new Error(`taken for ${kind}`)
  return extractText(decodeBody(bytes, header, textKind(kind)), kind, "https://rights.example/1", "text")
}

describe("languages", () => {
  for (const [language, text] of Object.entries(languages))
    it(`${language}, declared and not`, () => {
      const expected = { content: text, title: text, language }
      expect(read(Buffer.from(page(language, text)), "text/html; charset=utf-8")).toMatchObject(expected)
      expect(read(Buffer.from(page(language, text)), "text/html")).toMatchObject(expected)
    })
})

const quoted = "“Crème brûlée” costs 12 € – naïve façade… the café’s menu was printed long before."

/** What the bytes are; what the page calls them (WHATWG label); language and text. */
const encodings: ReadonlyArray<readonly [encoding: string, label: string, language: string, text?: string]> = [
  ["windows-1252", "windows-1252", "en", quoted],
  ["windows-1252", "iso-8859-1", "en", quoted],
  ["windows-1252", "us-ascii", "en", quoted],
  ["windows-1250", "windows-1250", "pl"],
  ["windows-1251", "windows-1251", "ru"],
  ["windows-1251", "cp1251", "sr"],
  ["windows-1253", "windows-1253", "el"],
  ["windows-1254", "iso-8859-9", "tr"],
  ["windows-1255", "windows-1255", "he"],
  ["windows-1256", "windows-1256", "ar"],
  ["windows-1257", "windows-1257", "lt"],
  ["windows-874", "tis-620", "th"],
  ["iso-8859-2", "iso-8859-2", "cs"],
  ["iso-8859-4", "iso-8859-4", "lv"],
  ["iso-8859-5", "iso-8859-5", "bg"],
  ["iso-8859-6", "iso-8859-6", "ar"],
  ["iso-8859-7", "iso-8859-7", "el"],
  ["iso-8859-8", "iso-8859-8", "he"],
  ["iso-8859-10", "iso-8859-10", "is"],
  ["iso-8859-13", "iso-8859-13", "lt"],
  ["iso-8859-15", "iso-8859-15", "fr", "Un œuf coûte 2 € à Žilina, dit le garçon."],
  ["iso-8859-16", "iso-8859-16", "ro"],
  ["koi8-r", "koi8-r", "ru"],
  ["koi8-u", "koi8-u", "uk"],
  ["ibm866", "ibm866", "ru"],
  ["macintosh", "macintosh", "fr"],
  ["maccyrillic", "x-mac-cyrillic", "ru"],
  ["shift_jis", "shift_jis", "ja"],
  ["cp932", "x-sjis", "ja", "株式会社①から髙橋さんへ、㈱の印と～の話をした。"],
  ["euc-jp", "euc-jp", "ja"],
  ["euc-kr", "euc-kr", "ko"],
  ["cp949", "ks_c_5601-1987", "ko", "똠방각하와 펲시콜라를 햏자들이 함께 나누어 마셨다고 한다."],
  ["gb18030", "gb18030", "zh"],
  ["gbk", "gb2312", "zh", "朱镕基与陶喆谈到了镕喆二字，价格为€5。"],
  ["big5", "big5", "zh", "人人生而自由，在尊嚴和權利上一律平等。"]
]

describe("legacy encodings", () => {
  for (const [encoding, label, language, given] of encodings)
    it(`${encoding}, called ${label} by header or meta`, () => {
      const text = given ?? languages[language] ?? ""
      const expected = { content: text, title: text, language }
      const encoded = (meta: string) => iconv.encode(page(language, text, meta), encoding)
      expect(iconv.decode(iconv.encode(text, encoding), encoding)).toBe(text)
      expect(read(encoded(""), `text/html; charset=${label}`)).toMatchObject(expected)
      expect(read(encoded(`<meta charset="${label}">`), "text/html")).toMatchObject(expected)
      const equivalent = `<meta http-equiv=Content-Type content="text/html; charset=${label}">`
      expect(read(encoded(equivalent), "text/html")).toMatchObject(expected)
    })

  for (const [encoding, label] of [
    ["utf-16le", "iso-8859-1"],
    ["utf-16be", "utf-8"],
    ["utf-8", "windows-1252"]
  ] as const)
    it(`${encoding} with its mark, called ${label}`, () => {
      for (const language of ["de", "ja", "ar"]) {
        const text = languages[language] ?? ""
        const bytes = iconv.encode(page(language, text), encoding, { addBOM: true })
        expect(read(bytes, `text/html; charset=${label}`)).toMatchObject({ content: text, title: text })
      }
    })

  it("ISO-2022-JP, by header", () => {
    // "日本語" and "です。" between the escapes of JIS X 0208.
    const bytes = Buffer.from("<p>\x1b$BF|K\\8l\x1b(B \x1b$B$G$9!#\x1b(B</p>", "latin1")
    expect(read(bytes, "text/html; charset=iso-2022-jp").content).toBe("日本語 です。")
  })
})
