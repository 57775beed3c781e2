import type { LeftOutRow } from '#contracts/csv'
import { counted, kwacha } from '../lib/format'
import { Notice } from './notice'

/** Rows by the first words of their reason, as "balance: Opening Balance" is a balance; the most first. */
export const byReason = (rows: readonly LeftOutRow[]): [reason: string, rows: LeftOutRow[]][] => {
  const groups = new Map<string, LeftOutRow[]>()
  for (const row of rows) {
    const [reason = ''] = row.reason.split(':', 1)
    groups.set(reason, [...(groups.get(reason) ?? []), row])
  }
  return [...groups].toSorted(([, one], [, other]) => other.length - one.length)
}

type LeftOutProps = { of: { leftOut: readonly LeftOutRow[]; leftOutCount: number; notes: readonly string[] } }

/** What a file says beside its rows, and the rows that do not count; each reason opens by a press. */
export const LeftOut = ({ of: { leftOut, leftOutCount, notes } }: LeftOutProps) =>
  leftOutCount + notes.length === 0 ? null : (
    <Notice title={`${counted(leftOutCount, 'row')} left out`}>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {byReason(leftOut).map(([reason, rows]) => (
        <details key={reason} className="w-full">
          <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">{`${rows.length} ${reason}`}</summary>
          <ul className="max-h-60 w-full list-disc overflow-y-auto pl-5">
            {rows.map(({ row, reason: text, amount }) => (
              <li key={row}>{`Row ${row}: ${text}${amount === null ? '' : `, ${kwacha(amount)}`}`}</li>
            ))}
          </ul>
        </details>
      ))}
    </Notice>
  )
