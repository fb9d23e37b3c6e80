import { makeWordFinder } from "./WordFinder.ts"

const holders = "post entry story page main body blog rich md cms".split(" ")
const contents = "body content text copy".split(" ")
const bodies = holders.flatMap((holder) => contents.map((content) => `${holder}-?_?${content}`)).join(" ")

/**
 * Groups of words in the names that authors give to elements (class, id, role, itemprop). Each group has one bit. A
 * name is one signal among many, and never decides alone. In a word, `<` requires the start of a name or of a part of
 * it, `>` requires the end, and the character before `?` is optional.
 */
const groups: ReadonlyArray<readonly [string, string]> = [
  [
    "body",
    `${bodies} article-?_?body article-?_?content article-?_?text articlebody storytext markdown prose wysiwyg richtext`
  ],
  ["article", "article <post> <entry> <story> <blog> <hentry>"],
  ["main", "<main> <primary> <content> <contents> <body> <container__main>"],
  ["nav", "<nav <menu <navbar <navigation <sitenav <topbar <toolbar <dropdown <megamenu <offcanvas <drawer menu> nav>"],
  ["header", "<header <masthead <site-?head <banner <topper <hero"],
  ["footer", "footer <foot> <colophon> <copyright> <legal>"],
  ["aside", "side-?bar <aside <rail <widget <widgets <complementary <secondary <sidecol <right-?col"],
  [
    "related",
    "related recommend you-?may <more <also <next-?up <read-?next <read-?more <trending <popular <latest <similar " +
      "<suggested <outbrain <taboola <upsell <cross-?sell <teaser <recirc"
  ],
  ["comment", "comment disqus respond <reactions <livefyre"],
  ["share", "share sharing social <follow <tweet <facebook <twitter <addthis <sns"],
  ["signup", "newsletter subscri sign-?up <optin <opt-in <mailing <mc4wp <paywall <registration <login <signin email"],
  ["consent", "cookie consent gdpr onetrust privacy ccpa"],
  [
    "ad",
    "<ad> <ads> <adv> <advert> <advertisement> <sponsor> <sponsored> <promo> <promotion> <promoted> <dfp> <gpt> " +
      "<banner-ad> <affiliate> advert sponsor"
  ],
  [
    "meta",
    "<meta> <byline> <by-line> <dateline> <timestamp> <date> <time> <published> <posted> <info> <credit> <credits> " +
      "<reading-?time> <eyebrow> <kicker> <source> author byline"
  ],
  [
    "tags",
    "<tag> <tags> <taxonomy> <category> <categories> <topic> <topics> <keywords> <label> <labels> <filed> tag-?list"
  ],
  [
    "crumbs",
    "breadcrumb crumbs <pagination <pager <paging <paginat <prev <prevnext <page-?numbers <toc " +
      "<table-?of-?contents <skip"
  ],
  ["caption", "caption figure <image <img <photo <gallery <media <video <player <slideshow <carousel <credit"],
  ["overlay", "modal popup pop-up overlay dialog lightbox tooltip toast snackbar <alert <notice <notification <flyout"],
  [
    "hidden",
    "<hidden> <hide> <sr-only> <visually-?hidden> <screen-?reader> <invisible> <print-only> <noprint> <no-print> " +
      "<d-none> <collapse> <collapsed> screen-reader"
  ],
  ["product", "product <price <prices <buy <cart <sku <variant <spec <specs <specification <offer <stock <shipping"],
  ["review", "review rating testimonial <star> <stars> <quote>"],
  [
    "thread",
    "<message <messages <thread <topic <reply <replies <forum <discussion <question <answer <qa " +
      "<postbody <post-?content <cooked <bbwrapper <usertext post_?body postcontent"
  ],
  [
    "user",
    "<user <username <member <profile <avatar <signature <sig <badge <reputation <karma <poster " + "<postprofile <bio"
  ],
  [
    "control",
    "<button> <btn> <cta> <action> <actions> <form> <filter> <filters> <sort> <search> <select> <tab> <tabs> " +
      "<toggle> <control> <controls> <quantity> <vote> <like> <reply-?link>"
  ],
  [
    "item",
    "<item> <card> <tile> <teaser> <result> <listing> <list> <grid> <row> <summary> <excerpt> <feed> <archive> " +
      "<collection>"
  ],
  ["title", "<title <headline <heading <subtitle <dek <standfirst <lede <lead <intro <deck <subhead"],
  [
    "section",
    "<section <block <panel <accordion <faq <feature <features <benefits <about <description <overview <details " +
      "<summary"
  ],
  ["embed", "twitter-tweet instagram-media <embed"],
  ["code", "<code> <highlight> <hljs> <prism> <snippet> <example> <terminal> <console>"]
]

export const tokenGroups: ReadonlyArray<string> = groups.map(([name]) => name)

/** The bit of a group in the result of `groupsOf`. */
export const groupBit = (name: string): number => 1 << tokenGroups.indexOf(name)

/** Returns all spellings of a word, with and without each optional character. */
const spellings = (word: string): ReadonlyArray<string> => {
  const at = word.indexOf("?")
  if (at < 0) return [word]
  const rest = word.slice(at + 1)
  return [...spellings(word.slice(0, at) + rest), ...spellings(word.slice(0, at - 1) + rest)]
}

const findGroups = makeWordFinder(
  groups.flatMap(([name, words]) =>
    words.split(" ").flatMap((word) => spellings(word).map((spelling) => ({ word: spelling, bits: groupBit(name) })))
  )
)

/** Returns the groups of one name as a bit set. */
const groupsOfName = (name: string): number =>
  findGroups((/[a-z][A-Z]/.test(name) ? name.replace(/([a-z])([A-Z])/g, "$1-$2") : name).toLowerCase())

/** Maximum distinct names of a page that are examined. Sets of names have the same limit. */
const namesBudget = 5_000
/** Maximum characters of an element's names that are read. */
const longestNames = 300

/** Finds the groups of element names. Caches each name and each set of names. */
export class NameReader {
  private readonly sets = new Map<string, number>()
  private readonly names = new Map<string, number>()

  private nameGroups(name: string): number {
    const known = this.names.get(name)
    if (known !== undefined) return known
    if (this.names.size >= namesBudget) return 0
    const found = groupsOfName(name)
    this.names.set(name, found)
    return found
  }

  /** Returns the groups of names separated by white space, as a bit set. */
  groupsOf(names: string): number {
    if (names === "") return 0
    const known = this.sets.get(names)
    if (known !== undefined) return known
    if (this.sets.size >= namesBudget) return 0
    let found = 0
    for (const name of names.slice(0, longestNames).split(/\s+/)) if (name !== "") found |= this.nameGroups(name)
    this.sets.set(names, found)
    return found
  }
}
