/** What is another one each time. */
const changing: [name: string, pattern: RegExp][] = [
  ['time', /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g],
  ['time', /\b\d{4}-\d\d-\d\d \d\d:\d\d\b/g],
  ['id', /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi],
  ['hash', /\b[0-9a-f]{40,64}\b/g],
  ['reference', /\bLP-?[0-9A-Z]{6,12}\b/g],
  ['provider reference', /\bR\d{8}\b/g],
  ['end of token', /…[0-9A-F]{4}\b/g],
  ['approval', /(?<="Approval":")\d{6}/g],
  ['receipt', /\b(?:CN)?2026-0\d{5}\b/g],
  ['place', /(?<="number":)\d+/g],
  ['milliseconds', /(?<="\w+Ms":)\d+/g],
  // The parent who comes back, the provider's word and the job all settle a payment: whoever is first is named there, with his reason.
  [
    'word of a payment',
    /(?<="what":")(?:The browser came back from the payment page|The provider sent word)(?=")/g,
  ],
  [
    'whoever settles',
    /(?<="who":")(?:Tuckshop \((?:settle payment|answer push)\)|golden\.(?!bursar|head|tablet|phone)\w+)/g,
  ],
  ['address', /https?:\/\/(?:127\.0\.0\.1|localhost):\d+/g],
]

export const masked = (text: string): string =>
  changing.reduce((left, [name, pattern]) => {
    const quoted = name === 'place' || name === 'milliseconds'
    return left.replaceAll(pattern, quoted ? `"<${name}>"` : `<${name}>`)
  }, text)

/** The same with the rows of lists in the order of their text: jobs write what is of one moment in any order. */
export const sorted = (value: unknown): unknown => {
  if (Array.isArray(value))
    return value.map(sorted).toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, sorted(one)]))
}
