/**
 * JSON with one spelling per value: keys sorted by code unit, no blanks, absent keys left out. What a database gives
 * back of a value is written as the value itself was.
 */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map((one) => canonicalJson(one ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts: string[] = []
  for (const key of Object.keys(value).toSorted()) {
    const one = (value as Record<string, unknown>)[key]
    if (one !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(one)}`)
  }
  return `{${parts.join(',')}}`
}
