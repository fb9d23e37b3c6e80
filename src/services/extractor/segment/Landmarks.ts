import { attributeOf, type TreeNode } from "../dom/Tree.ts"

const landmarkTags = (
  "main article nav header footer aside section form ul ol table figure figcaption blockquote pre details dl button a " +
  "h p td address label aria-hidden"
).split(" ")

/** The tags that are recorded for the ancestors of a block, each with its bit. "h" is any heading. */
export const landmarks: ReadonlyMap<string, number> = new Map(landmarkTags.map((tag, bit) => [tag, 1 << bit]))

/** Bits of the landmarks around or beside the main text. */
export const frame = ["nav", "footer", "aside", "form"].reduce((bits, name) => bits | (landmarks.get(name) ?? 0), 0)

/** Roles that are equivalent to a tag (WAI-ARIA). */
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

/** Returns the landmark bits of an element, from its tag, its role and `aria-hidden`. */
export const landmarksOf = (node: TreeNode): number => {
  const role = attributeOf(node, "role")
  const hidden = attributeOf(node, "aria-hidden") === "true" ? bitOf("aria-hidden") : 0
  return bitOf(node.tag) | hidden | (role === null ? 0 : bitOf(roles.get(role.trim().toLowerCase()) ?? ""))
}
