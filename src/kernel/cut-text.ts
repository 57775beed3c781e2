/** At most `length` UTF-16 units, and no half of a sign, which Postgres refuses in JSON. */
export const cutText = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
