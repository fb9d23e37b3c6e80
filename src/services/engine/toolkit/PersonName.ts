/**
 * Converts a catalogue name to spoken order and removes years of life: "Austen, Jane, 1775-1817" becomes "Jane Austen".
 * Names with further commas keep their order.
 */
export const spokenName = (name: string): string => {
  const parts = name
    .split(",")
    .map((part) => part.trim())
    .filter((part) => !/^(?:(?:b|d|ca|fl|active)\.? )?\d{3,4}\??(?:-(?:\d{3,4}\??)?)?\.?$/.test(part))
  const [family = "", given = ""] = parts
  return parts.length === 2 && family !== "" && given !== "" ? `${given} ${family}` : parts.join(", ")
}
