/** What gives way on a label that is too full, step by step: the size of letters as a factor, or a number of lines. */
const steps: readonly Record<string, number | 'hidden'>[] = [
  { '--all': 0.95, '--remark': 0.9 },
  { '--all': 0.9, '--remark': 0.8 },
  { '--all': 0.85, '--remark': 0.75 },
  { '--all': 0.8, '--remark': 0.7 },
  ...[8, 7, 6, 5, 4, 3, 2].map((lines) => ({
    '--remark-lines': lines,
    '--remark-overflow': 'hidden' as const,
  })),
  ...[0.75, 0.7].map((size) => ({ '--all': size })),
  { '--remark-lines': 1 },
  { '--lines': 3, '--overflow': 'hidden' },
  { '--lines': 2 },
  { '--lines': 1 },
  // Only allergies can still be of many lines; they stand whole.
  ...[0.6, 0.5, 0.4, 0.3].map((size) => ({ '--all': size, '--remark': size })),
]

/**
 * Makes the texts of these labels fit: long ones shrink, then end in "…"; allergies shrink with the rest and are never
 * cut. Called again it begins anew; the elements have no other styles of their own.
 */
export const fitLabels = (labels: readonly HTMLElement[]): void => {
  for (const label of labels) label.removeAttribute('style')
  let tooFull = labels
  for (const step of steps) {
    tooFull = tooFull.filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)
    for (const label of tooFull)
      for (const [name, value] of Object.entries(step)) label.style.setProperty(name, String(value))
  }
}
