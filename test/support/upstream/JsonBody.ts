/** The members of a JSON body that are text or numbers, as if they were parameters. */
export const membersOf = (body: string): URLSearchParams => {
  const read: unknown = body === "" ? {} : JSON.parse(body)
  const members = new URLSearchParams()
  for (const [name, value] of Object.entries(read ?? {}))
    if (typeof value === "string" || typeof value === "number") members.set(name, String(value))
  return members
}
