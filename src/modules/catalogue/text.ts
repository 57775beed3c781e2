const invisible = /[\p{Cs}\u200B\uFEFF\u202A-\u202E\u2066-\u2069]/gu
const control = /[\p{Cc}\u2028\u2029]/gu
const controlButNewline = /[^\P{Cc}\n]/gu

export const oneLine = (text: string): string =>
  text.normalize('NFC').replace(invisible, '').replace(control, ' ').replace(/\s+/g, ' ').trim()

/** Line ends become `\n`, other control characters a blank. */
export const severalLines = (text: string): string =>
  text
    .normalize('NFC')
    .replace(invisible, '')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(controlButNewline, ' ')
    .trim()

export const distinctLines = (texts: readonly string[]): string[] => {
  const lines = texts.map(oneLine).filter((line) => line !== '')
  return lines.filter(
    (line, index) => lines.findIndex((other) => other.toLowerCase() === line.toLowerCase()) === index,
  )
}
