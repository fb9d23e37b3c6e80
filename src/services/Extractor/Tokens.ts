/**
 * What the names that authors give to elements (class, id, role, itemprop) say about them: one bit for each group.
 * A name is one signal among many, never a verdict.
 */
const groups: ReadonlyArray<readonly [string, RegExp]> = [
  [
    "body",
    /article-?_?(body|content|text)|(post|entry|story|page|main|body|blog|rich|md|cms)-?_?(body|content|text|copy)|articlebody|storytext|markdown|prose|wysiwyg|richtext/
  ],
  ["article", /article|(^|[^a-z])(post|entry|story|blog|hentry)([^a-z]|$)/],
  ["main", /(^|[^a-z])(main|primary|content|contents|body|container__main)([^a-z]|$)/],
  [
    "nav",
    /(^|[^a-z])(nav|menu|navbar|navigation|sitenav|topbar|toolbar|dropdown|megamenu|offcanvas|drawer)|menu([^a-z]|$)|nav([^a-z]|$)/
  ],
  ["header", /(^|[^a-z])(header|masthead|site-?head|banner|topper|hero)/],
  ["footer", /footer|(^|[^a-z])(foot|colophon|copyright|legal)([^a-z]|$)/],
  ["aside", /side-?bar|(^|[^a-z])(aside|rail|widget|widgets|complementary|secondary|sidecol|right-?col)/],
  [
    "related",
    /related|recommend|you-?may|(^|[^a-z])(more|also|next-?up|read-?next|read-?more|trending|popular|latest|similar|suggested|outbrain|taboola|upsell|cross-?sell|teaser|recirc)/
  ],
  ["comment", /comment|disqus|respond|(^|[^a-z])(reactions|livefyre)/],
  ["share", /shar(e|ing)|social|(^|[^a-z])(follow|tweet|facebook|twitter|addthis|sns)/],
  [
    "signup",
    /newsletter|subscri|sign-?up|(^|[^a-z])(optin|opt-in|mailing|mc4wp|paywall|registration|login|signin)|email/
  ],
  ["consent", /cookie|consent|gdpr|onetrust|privacy|ccpa/],
  [
    "ad",
    /(^|[^a-z])(ad|ads|adv|advert|advertisement|sponsor|sponsored|promo|promotion|promoted|dfp|gpt|banner-ad|affiliate)([^a-z]|$)|advert|sponsor/
  ],
  [
    "meta",
    /(^|[^a-z])(meta|byline|by-line|dateline|timestamp|date|time|published|posted|info|credits?|reading-?time|eyebrow|kicker|source)([^a-z]|$)|author|byline/
  ],
  ["tags", /(^|[^a-z])(tag|tags|taxonomy|category|categories|topic|topics|keywords|labels?|filed)([^a-z]|$)|tag-?list/],
  [
    "crumbs",
    /breadcrumb|crumbs|(^|[^a-z])(pagination|pager|paging|paginat|prev|prevnext|page-?numbers|toc|table-?of-?contents|skip)/
  ],
  ["caption", /caption|figure|(^|[^a-z])(image|img|photo|gallery|media|video|player|slideshow|carousel|credit)/],
  [
    "overlay",
    /modal|popup|pop-up|overlay|dialog|lightbox|tooltip|toast|snackbar|(^|[^a-z])(alert|notice|notification|flyout)/
  ],
  [
    "hidden",
    /(^|[^a-z])(hidden|hide|sr-only|visually-?hidden|screen-?reader|invisible|print-only|noprint|no-print|d-none|collapse|collapsed)([^a-z]|$)|screen-reader/
  ],
  ["product", /product|(^|[^a-z])(price|prices|buy|cart|sku|variant|specs?|specification|offer|stock|shipping)/],
  ["review", /review|rating|testimonial|(^|[^a-z])(stars?|quote)([^a-z]|$)/],
  [
    "thread",
    /(^|[^a-z])(message|messages|thread|topic|reply|replies|forum|discussion|question|answer|qa|postbody|post-?content|cooked|bbwrapper|usertext)|post_?body|postcontent/
  ],
  [
    "user",
    /(^|[^a-z])(user|username|member|profile|avatar|signature|sig|badge|reputation|karma|poster|postprofile|bio)/
  ],
  [
    "control",
    /(^|[^a-z])(button|btn|cta|action|actions|form|filter|filters|sort|search|select|tabs?|toggle|controls?|quantity|vote|like|reply-?link)([^a-z]|$)/
  ],
  [
    "item",
    /(^|[^a-z])(item|card|tile|teaser|result|listing|list|grid|row|summary|excerpt|feed|archive|collection)([^a-z]|$)/
  ],
  ["title", /(^|[^a-z])(title|headline|heading|subtitle|dek|standfirst|lede|lead|intro|deck|subhead)/],
  [
    "section",
    /(^|[^a-z])(section|block|panel|accordion|faq|feature|features|benefits|about|description|overview|details|summary)/
  ],
  ["embed", /twitter-tweet|instagram-media|(^|[^a-z])embed/],
  ["code", /(^|[^a-z])(code|highlight|hljs|prism|snippet|example|terminal|console)([^a-z]|$)/]
]

export const tokenGroups: ReadonlyArray<string> = groups.map(([name]) => name)

/** The bit of a group in what `groupsOf` gives. */
export const groupBit = (name: string): number => 1 << tokenGroups.indexOf(name)

/** Most names belong to no group, which one look tells. */
const inAnyGroup = new RegExp(groups.map(([, pattern]) => pattern.source).join("|"))

/** The groups that one name belongs to, as a bit set. */
const groupsOfName = (name: string): number => {
  const text = name.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase()
  if (!inAnyGroup.test(text)) return 0
  let bits = 0
  for (let index = 0; index < groups.length; index++) if (groups[index]?.[1].test(text) === true) bits |= 1 << index
  return bits
}

/** Different names, and different sets of them, of a page that are looked into. */
const namesBudget = 5_000
/** Characters of one element's names. */
const longestNames = 300

/** Reads the names of a page's elements: each name once, and each set of names once. */
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

  /** The groups that names parted by white space belong to, as a bit set. */
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
