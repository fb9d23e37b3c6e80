import { describe, expect, it } from "@effect/vitest"
import { regions } from "../../src/domain/Region.ts"
import { firstPage } from "../../src/services/engine/Engine.ts"
import { gdelt } from "../../src/services/engine/catalogue/gdelt.ts"
import { fixture, itemsOf, nextOf, outcomeOf, query, read, sent } from "./Asking.ts"

const source = gdelt.sources.news

type Given = Parameters<typeof query>[0]

const asked = (given: Given = {}) => sent(source.request(query(given), firstPage))

describe("gdelt's requests", () => {
  it("asks for all it gives at once", () => {
    expect(asked({ region: "uk-en", timelimit: "w" })).toEqual({
      query: "red panda sourcecountry:UK sourcelang:english",
      mode: "artlist",
      format: "json",
      maxrecords: "250",
      sort: "hybridrel",
      timespan: "1w"
    })
    expect(asked({ region: "wt-wt" })["query"]).toBe("red panda")
    expect(asked()).not.toHaveProperty("timespan")
    expect(asked({ timelimit: "d" })["timespan"]).toBe("1d")
    expect(asked({ timelimit: "m" })["timespan"]).toBe("1m")
    expect(asked({ timelimit: "y" })["timespan"]).toBe("12m")
  })

  it("names country and language of every region", () => {
    // FIPS 10-4, which differs from ISO 3166, in the order of the table of regions.
    const expected = `AR spanish|AS english|AU german|BE french|BE dutch|BR portuguese|BU bulgarian|CA english|CA french
      |SP catalan|CI spanish|CH chinese|CO spanish|HR croatian|EZ czech|DA danish|EN estonian|FI finnish|FR french
      |GM german|GR greek|HK chinese|HU hungarian|IC icelandic|IN english|ID english|EI english|IS english|IT italian
      |JA japanese|KS korean|LG latvian|LH lithuanian|MY english|MX spanish|NL dutch|NZ english|NO norwegian|PK english
      |PE spanish|RP english|PL polish|PO portuguese|RO romanian|RS russian|SA arabic|SN english|LO slovak|SI slovenian
      |SF english|SP catalan|SP spanish|SW swedish|SZ german|SZ french|TW chinese|TH english|TU turkish|US english
      |US spanish|UP ukrainian|UK english|VM english`.split("|")
    const named = regions
      .filter(({ country }) => country !== null)
      .map(({ code }) => /sourcecountry:(\w+) sourcelang:(\w+)$/.exec(asked({ region: code })["query"] ?? ""))
    expect(named.map((match) => `${match?.[1]} ${match?.[2]}`)).toEqual(expected.map((row) => row.trim()))
  })

  it("writes queries that it runs", () => {
    const terms = (text: string) => asked({ text, region: "wt-wt" })["query"]
    expect(terms("What is the AI act?")).toBe("What AI act")
    expect(terms("U.S. economy & jobs")).toBe("US economy jobs")
    expect(terms('the "red panda" cubs')).toBe('"red panda" cubs')
    expect(terms('say "hi" now')).toBe("say hi now")
    expect(terms("COVID-19 -vaccine")).toBe('"COVID-19" vaccine')
    expect(terms("(cats OR dogs) domain:x.com")).toBe("cats dogs domain com")
    expect(terms("日本の経済")).toBe("日本の経済")
    expect(terms("the a")).toBe("the a")
    expect(terms("?!")).toBe("?!")
    expect((asked({ text: "panda ".repeat(100), region: "no-no" })["query"] ?? "").length).toBeLessThanOrEqual(250)
  })
})

describe("gdelt's answers", () => {
  it("reads articles, their titles put together again", () => {
    const answer = read(source, fixture("gdelt/news.json"))
    expect(itemsOf(answer)).toEqual([
      {
        title: "Red panda cubs born at Chester Zoo, keepers say",
        url: "https://www.bbc.co.uk/news/science-red-panda-1",
        date: "2026-07-26T10:15:00.000Z",
        body: null,
        image: "https://ichef.bbci.co.uk/news/1024/panda.jpg",
        source: "bbc.co.uk"
      },
      {
        title: "U.S. funds Nepal's red panda corridor: $5 million (so far)",
        url: "http://www.kathmandupost.example/panda",
        date: "2026-07-25T23:30:00.000Z",
        body: null,
        image: null,
        source: "kathmandupost.example"
      },
      {
        title: "Kleiner Panda entlaufen - Suche in Köln",
        url: "https://zeitung.example/kleiner-panda",
        date: null,
        body: null,
        image: null,
        source: "zeitung.example"
      }
    ])
    expect(nextOf(answer)).toBeNull()
  })

  it("reads JSON whose backslashes escape nothing", () => {
    const broken = String.raw`{"articles": [{"url": "https://a.example/", "title": "One \ two \"three\" \u00e9 \q${"\t"}x"}]}`
    expect(itemsOf(read(source, broken))).toMatchObject([{ title: 'One two "three" é q x' }])
  })

  it("tells no articles from no answer", () => {
    const json = { headers: { "content-type": "application/json; charset=utf-8" } }
    expect(outcomeOf(read(source, "{}", json))).toBe("empty")
    expect(outcomeOf(read(source, "{}\n", json))).toBe("empty")
    expect(outcomeOf(read(source, '{"articles":[]}', json))).toBe("empty")
    expect(outcomeOf(read(source, "{}", { headers: { "content-type": "text/html" } }))).toBe("layout_changed")
    expect(outcomeOf(read(source, '{"timeline":[]}', json))).toBe("layout_changed")
  })

  it("tells what its words mean", () => {
    const said = (body: string, status = 200) => outcomeOf(read(source, body, { status }))
    const slow = "Please limit requests to one every 5 seconds or contact us for larger queries."
    expect(said(slow)).toBe("rate_limited")
    expect(said(slow, 429)).toBe("rate_limited")
    for (const body of [
      "Your query was too short or too long.\n",
      "The specified phrase is too short.",
      "One or more of your keywords were too short, too long or too common: (x)",
      'One or more of your keywords contained an illegal character. To use a dash in a word, place it in quotes like "f-16".',
      "Queries containing OR'd terms must be surrounded by ().",
      "Parentheses may only be used around OR'd statements.",
      "Invalid/Unsupported Country."
    ])
      expect([body, said(body)]).toEqual([body, "unsupported"])
    expect(said("Something else went wrong.")).toBe("layout_changed")
    expect(said("Invalid response", 502)).toBe("http_status")
  })
})
