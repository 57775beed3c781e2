const secrets: [pattern: RegExp, shown: (found: string) => string][] = [
  [/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi, (found) => `…${found.slice(-4)}`],
  [/[^\s@<>"']+@[^\s@<>"']+/g, () => '(e-mail address)'],
  // Seven digits or more, however grouped; a date is none.
  [/(?<![\d-])(?!\d{4}-\d\d-\d\d(?!\d))\+?\d(?:[ -]?\d){6,}/g, (found) => `…${found.slice(-4)}`],
]

const longest = 300

/**
 * Free text from outside as an auditor may see it: tokens, card and phone numbers down to their last four characters,
 * no e-mail addresses, no line breaks, at most 300 characters.
 */
export const redacted = (text: string): string => {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  const safe = secrets.reduce((known, [pattern, shown]) => known.replaceAll(pattern, shown), flat)
  return safe.length > longest ? `${safe.slice(0, longest)}…` : safe
}
