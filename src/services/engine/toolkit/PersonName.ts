/** "Austen, Jane" of a library's catalogue as it is spoken, without years of life; names with more commas stay as they are. */
export const spokenName = (name: string): string => {
  const parts = name
    .split(",")
    .map((part) => part.trim())
    .filter((part) => !/^(?:(?:b|d|ca|fl|active)\.? )?\d{3,4}\??(?:-(?:\d{3,4}\??)?)?\.?$/.test(part))
  const [family = "", given = ""] = parts
  return parts.length === 2 && family !== "" && given !== "" ? `${given} ${family}` : parts.join(", ")
}
