import { assert, describe, it } from "@effect/vitest"
import { tokensIn, tokensOn } from "../../src/mcp/Tokens.ts"

/** Texts, and what gpt-tokenizer 4.0.0 counts in them with o200k_base. */
const counted: ReadonlyArray<readonly [what: string, text: string, tokens: number]> = [
  [
    "English",
    "The lighthouse was built on the outermost rock in 1861, after two ships had been lost there in a single winter. Its keepers were relieved every six weeks, weather permitting, and wrote down what they saw: the passing ships, the migrating birds, and the colour of the sea.",
    60
  ],
  [
    "URLs",
    "https://www.flickr.com/photos/8f3f5a1e/1?utm_source=example&id=9780425043769#section-2\nhttps://news.google.com/rss/articles/CBMib0FVX3lxTE1tVnBqWkd4Y3pQ",
    65
  ],
  ["base64", "aGVsbG8gd29ybGQgdGhpcyBpcyBhIHRlc3Qgb2YgYmFzZTY0IGVuY29kaW5nIGFuZCBpdCBpcyBsb25nIGVub3VnaA==", 60],
  ["digits of a hash", "3f1ad0b2c4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6", 39],
  [
    "German",
    "Der Leuchtturm wurde im Jahre 1861 auf dem äußersten Felsen errichtet, nachdem dort in einem einzigen Winter zwei Schiffe verloren gegangen waren. Donaudampfschifffahrtsgesellschaftskapitän.",
    46
  ],
  [
    "French",
    "Le phare fut construit sur le rocher le plus éloigné en 1861, après que deux navires y eurent été perdus en un seul hiver. Ses gardiens étaient relevés toutes les six semaines.",
    44
  ],
  [
    "Polish",
    "Latarnia morska została zbudowana na najbardziej wysuniętej skale w 1861 roku, po tym jak w ciągu jednej zimy zatonęły tam dwa statki.",
    40
  ],
  [
    "Finnish",
    "Majakka rakennettiin uloimmalle kalliolle vuonna 1861 sen jälkeen, kun siellä oli yhden talven aikana kadonnut kaksi laivaa.",
    31
  ],
  [
    "Vietnamese",
    "Ngọn hải đăng được xây dựng trên tảng đá ngoài cùng vào năm 1861, sau khi hai con tàu bị mất ở đó trong một mùa đông.",
    35
  ],
  [
    "Turkish",
    "Deniz feneri, tek bir kışta orada iki geminin kaybolmasının ardından 1861 yılında en dıştaki kayanın üzerine inşa edildi.",
    35
  ],
  [
    "Russian",
    "Маяк был построен на самой дальней скале в 1861 году, после того как за одну зиму там погибли два корабля. Смотрителей сменяли каждые шесть недель.",
    43
  ],
  [
    "Greek",
    "Ο φάρος χτίστηκε στον πιο απομακρυσμένο βράχο το 1861, αφού δύο πλοία χάθηκαν εκεί μέσα σε έναν χειμώνα.",
    38
  ],
  [
    "Arabic",
    "بُنيت المنارة على أبعد صخرة عام 1861 بعد أن فُقدت سفينتان هناك في شتاء واحد. وكان الحراس يُستبدلون كل ستة أسابيع.",
    44
  ],
  ["Hebrew", "המגדלור נבנה על הסלע החיצוני ביותר בשנת 1861, לאחר ששתי ספינות אבדו שם בחורף אחד.", 33],
  ["Hindi", "प्रकाशस्तंभ 1861 में सबसे बाहरी चट्टान पर बनाया गया था, जब एक ही सर्दी में वहाँ दो जहाज खो गए थे।", 34],
  ["Thai", "ประภาคารถูกสร้างขึ้นบนโขดหินที่อยู่นอกสุดในปี 1861 หลังจากเรือสองลำสูญหายไปที่นั่นในฤดูหนาวเดียว", 44],
  [
    "Chinese",
    "这座灯塔于1861年建在最外侧的岩石上，此前一个冬天里有两艘船在那里失事。守塔人每六周轮换一次，天气允许的话。",
    46
  ],
  ["Japanese", "灯台は1861年に最も外側の岩の上に建てられました。ある冬に二隻の船がそこで失われた後のことです。", 40],
  ["Korean", "등대는 한 겨울에 두 척의 배가 그곳에서 사라진 후 1861년에 가장 바깥쪽 바위에 세워졌습니다.", 37],
  ["emoji", "😀🎉👩‍👩‍👧 party 🚀🚀🚀 ok 👍🏽", 22],
  ["HTML", '<div class="a"><p>One <a href="https://example.com/x">two</a></p><ul><li>three</li></ul></div>', 36],
  ["a table", "| a | b | c |\n|---|---|---|\n| 1 | 2.5 | 3,000 |\n| 4 | 5.5 | 6,000 |", 42]
]

describe("the estimate of tokens", () => {
  it.each(counted)("of %s is near to what a tokenizer counts", (_, text, tokens) => {
    const ratio = tokensIn(text) / tokens
    assert.isAtLeast(ratio, 0.75)
    assert.isAtMost(ratio, 2)
  })

  it("adds up, so that a text can be cut at so many", () => {
    for (const [what, text] of counted) {
      const half = Math.floor(tokensIn(text) / 2)
      const cut = text.slice(0, tokensOn(text, half))
      assert.isAtMost(tokensIn(cut), half, what)
      assert.isAtLeast(tokensIn(cut), half - 10, what)
      assert.strictEqual(tokensOn(text, tokensIn(text)), text.length, what)
    }
  })
})
