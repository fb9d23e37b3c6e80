/** Zero-width, bidi-control and control characters: no reader sees them. Joiners stay, they shape letters and emoji. */

const unseen =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]+/g

/** Tag characters spell hidden ASCII, but for the flags of regions, where they follow a black flag. */
const tags = /(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]{0,8})[\u{e0000}-\u{e007f}]+/gu

/** Variation selectors one after the other carry bytes, not variants. */
const selectors = /(?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu

/** Runs of invisible characters so long that they can only be a message. */
const message = /[\u200b-\u200d\u2060-\u2064\ufeff]{8,}/

export interface VisiblePart {
  readonly text: string
  /** Whether what was taken out can only have been a message. */
  readonly smuggled: boolean
}

/** Text without the characters that a reader cannot see. */
export const withoutInvisible = (text: string): VisiblePart => {
  const visible = text.replace(tags, "").replace(selectors, "")
  return { text: visible.replace(unseen, ""), smuggled: visible.length < text.length || message.test(text) }
}
