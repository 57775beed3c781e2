/**
 * The address that stands in this text, null where there is none. The browser's own answers to this, `URL.parse` and
 * `URL.canParse`, are younger than the oldest browser that is supported.
 */
export const addressOf = (text: string, base?: string): URL | null => {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
