import type { LeftOutRow } from '#contracts/csv'

/** Rows by the first words of their reason, as "balance: Opening Balance" is a balance; the most first. */
export const byReason = (rows: readonly LeftOutRow[]): [reason: string, rows: LeftOutRow[]][] => {
  const groups = new Map<string, LeftOutRow[]>()
  for (const row of rows) {
    const [reason = ''] = row.reason.split(':', 1)
    groups.set(reason, [...(groups.get(reason) ?? []), row])
  }
  return [...groups].toSorted(([, one], [, other]) => other.length - one.length)
}
