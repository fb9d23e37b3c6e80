/** Invisible characters: zero-width, bidi-control and control. Excludes joiners, which shape letters and emoji. */

const unseen =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]+/g

/**
 * Tag characters, which can encode hidden ASCII. Excludes those after a black flag, which encode the flag of a region.
 */
const tags = /(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]{0,8})[\u{e0000}-\u{e007f}]+/gu

/** Consecutive variation selectors, which carry bytes rather than variants. */
const selectors = /(?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu

/** A run of invisible characters that is too long to be anything but a hidden message. */
const message = /[\u200b-\u200d\u2060-\u2064\ufeff]{8,}/

export interface VisiblePart {
  readonly text: string
  /** The removed characters can only be a hidden message. */
  readonly hasHiddenMessage: boolean
}

/** Removes invisible characters. */
export const withoutInvisible = (text: string): VisiblePart => {
  const visible = text.replace(tags, "").replace(selectors, "")
  return { text: visible.replace(unseen, ""), hasHiddenMessage: visible.length < text.length || message.test(text) }
}
