/** So many of what was as it should be a run looks at again: of 5,000 each within 11 minutes. */
const maxRepeats = 40

/**
 * What a sweep looks at in this run: what is newly listed, and in turn some of what it found as it should be. What it
 * looked at may need it since, and the job that should have told so may be lost.
 */
export const takingTurns = () => {
  // The one that was looked at longest ago comes first.
  let settled: string[] = []
  return {
    due: (listed: Iterable<string>): Set<string> => {
      const due = new Set(listed)
      settled = settled.filter((id) => due.has(id))
      for (const id of settled) due.delete(id)
      for (const id of settled.splice(0, maxRepeats)) due.add(id)
      return due
    },
    isSettled: (id: string): void => void settled.push(id),
  }
}
