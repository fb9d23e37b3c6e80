import { describe, expect, it } from "@effect/vitest"
import { googlenews } from "../../src/services/engine/catalogue/googlenews.ts"
import { itemsOf, outcomeOf, read } from "./Asking.ts"

const source = googlenews.sources.news

const feed = (items: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><rss xmlns:media="http://search.yahoo.com/mrss/" version="2.0"><channel><title>t</title>${items}</channel></rss>`

const item = (members: string) => `<item>${members}</item>`

describe("googlenews", () => {
  it("reads feeds of other years", () => {
    const old = item(
      `<title>Pandas seen - The Daily</title><link>http://news.google.com/news/url?sa=t&amp;fd=R&amp;ct2=us&amp;url=https%3A%2F%2Fdaily.example%2Fa%3Fb%3D1</link><guid isPermaLink="false">tag:news.google.com,2005:cluster=52779</guid><pubDate>Tue, 05 Sep 2017 07:11:00 GMT</pubDate>`
    )
    const pictured = item(
      `<title><![CDATA[Tom &amp; Jerry - Le Monde.fr]]></title><link>https://news.google.com/articles/CBM?oc=5</link><pubDate>Mon, 4 Mar 2019 07:11:00 +0100</pubDate><source url="https://www.lemonde.fr"> Le Monde.fr </source><media:content url="https://lh5.googleusercontent.com/p" medium="image"/>`
    )
    expect(itemsOf(read(source, feed(old + pictured)))).toEqual([
      {
        title: "Pandas seen - The Daily",
        url: "https://daily.example/a?b=1",
        date: "2017-09-05T07:11:00.000Z",
        body: null,
        image: null,
        source: null
      },
      {
        title: "Tom & Jerry",
        url: "https://news.google.com/articles/CBM?oc=5",
        date: "2019-03-04T06:11:00.000Z",
        body: null,
        image: "https://lh5.googleusercontent.com/p",
        source: "Le Monde.fr"
      }
    ])
  })

  it("repeats no list of other headlines as a passage", () => {
    const description =
      "&lt;ol&gt;&lt;li&gt;&lt;a href=&quot;x&quot;&gt;One&lt;/a&gt;&amp;nbsp;&amp;nbsp;&lt;font color=&quot;#6f6f6f&quot;&gt;S&lt;/font&gt;&lt;/li&gt;&lt;li&gt;&lt;strong&gt;&lt;a href=&quot;y&quot;&gt;View Full Coverage on Google News&lt;/a&gt;&lt;/strong&gt;&lt;/li&gt;&lt;/ol&gt;"
    const body = feed(
      item(`<title>One</title><link>https://a.example/</link><description>${description}</description>`)
    )
    expect(itemsOf(read(source, body))).toMatchObject([{ title: "One", body: null }])
  })

  it("leaves broken items out, and knows a feed without any", () => {
    const broken = item("<title>No link</title>") + item("<link>https://a.example/</link>") + item("")
    const good = item("<title>Good</title><link>https://a.example/</link>")
    expect(itemsOf(read(source, feed(broken + good)))).toMatchObject([{ title: "Good" }])
    expect(outcomeOf(read(source, feed(broken)))).toBe("layout_changed")
    expect(outcomeOf(read(source, feed("")))).toBe("empty")
    expect(outcomeOf(read(source, feed("").replace("</channel></rss>", "")))).toBe("layout_changed")
  })
})
