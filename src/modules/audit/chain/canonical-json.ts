/**
 * JSON with one spelling per value: keys sorted by code unit, no blanks, absent keys left out. What a database gives
 * back of a value is written as the value itself was.
 */
export const canonicalJson = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  let text = ''
  if (Array.isArray(value)) {
    for (const one of value) text += `${text === '' ? '' : ','}${canonicalJson(one ?? null)}`
    return `[${text}]`
  }
  for (const key of Object.keys(value).toSorted()) {
    const one = (value as Record<string, unknown>)[key]
    if (one !== undefined) text += `${text === '' ? '' : ','}${quoted(key)}:${canonicalJson(one)}`
  }
  return `{${text}}`
}

// Nearly every text is of these signs, which JSON writes as they are; a log has millions of them.
const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text))
