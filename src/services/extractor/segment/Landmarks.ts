import { attributeOf, type TreeNode } from "../dom/Tree.ts"

const landmarkTags = (
  "main article nav header footer aside section form ul ol table figure figcaption blockquote pre details dl button a " +
  "h p td address label aria-hidden"
).split(" ")

/** Which of the tags around a block are told apart, by the bit of each; "h" is any heading. */
export const landmarks: ReadonlyMap<string, number> = new Map(landmarkTags.map((tag, bit) => [tag, 1 << bit]))

/** The bits of what stands around or beside a page's text. */
export const frame = ["nav", "footer", "aside", "form"].reduce((bits, name) => bits | (landmarks.get(name) ?? 0), 0)

/** Roles that say the same as a tag (WAI-ARIA). */
const roles: ReadonlyMap<string, string> = new Map(
  Object.entries({
    main: "main",
    article: "article",
    navigation: "nav",
    menu: "nav",
    menubar: "nav",
    tablist: "nav",
    banner: "header",
    contentinfo: "footer",
    complementary: "aside",
    search: "form",
    dialog: "form",
    alertdialog: "form",
    button: "button",
    heading: "h"
  })
)

const headingBit = landmarks.get("h") ?? 0
const bits: ReadonlyMap<string, number> = new Map([
  ...landmarks,
  ...["h1", "h2", "h3", "h4", "h5", "h6"].map((tag) => [tag, headingBit] as const)
])

const bitOf = (name: string): number => bits.get(name) ?? 0

/** The bits of what an element is, by its tag and role. */
export const landmarksOf = (node: TreeNode): number => {
  const role = attributeOf(node, "role")
  const hidden = attributeOf(node, "aria-hidden") === "true" ? bitOf("aria-hidden") : 0
  return bitOf(node.tag) | hidden | (role === null ? 0 : bitOf(roles.get(role.trim().toLowerCase()) ?? ""))
}
