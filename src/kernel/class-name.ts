/** `3b`, `3 B`, `3-B` and `Grade 3B` are `3B`, `Class 3 Blue` is `3 Blue`; other names as typed. */
export const classNamed = (text: string): string => {
  const name = text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim()
  const [, grade, stream] = /^(?:(?:grade|class|gr|g)\.? ?)?0?(\d{1,2})[ -]?(\p{L}[^\d]*)$/iu.exec(name) ?? []
  if (grade === undefined || stream === undefined || /^(st|nd|rd|th)\b/i.test(stream)) return name
  return stream.length === 1 ? grade + stream.toUpperCase() : `${grade} ${stream}`
}
