// Lone halves of a character, invisible spaces and marks that turn the reading direction.
const invisible = /[\p{Cs}\u200B\uFEFF\u202A-\u202E\u2066-\u2069]/gu
const control = /[\p{Cc}\u2028\u2029]/gu
const controlButNewline = /[^\P{Cc}\n]/gu

/** Text for one line: control characters and runs of blanks become one blank, ends are trimmed. */
export const oneLine = (text: string): string =>
  text.normalize('NFC').replace(invisible, '').replace(control, ' ').replace(/\s+/g, ' ').trim()

/** Text that may have several lines: line ends become `\n`, other control characters a blank. */
export const severalLines = (text: string): string =>
  text
    .normalize('NFC')
    .replace(invisible, '')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(controlButNewline, ' ')
    .trim()

/** Each text as one line and once, without regard to case; empty ones are left out. */
export const distinctLines = (texts: readonly string[]): string[] => {
  const lines = texts.map(oneLine).filter((line) => line !== '')
  return lines.filter(
    (line, index) => lines.findIndex((other) => other.toLowerCase() === line.toLowerCase()) === index,
  )
}
