/** Settled items rechecked per run: 5,000 within 11 minutes. */
const maxRepeats = 40

/** Items of this run: newly listed ones, and in turn some settled ones, whose change job may have been lost. */
export const takingTurns = () => {
  // Longest unchecked first.
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
