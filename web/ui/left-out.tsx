import type { ReactNode } from 'react'
import type { LeftOutRow } from '#contracts/csv'
import { counted, kwacha } from '../lib/format'
import { Notice } from './notice'

/** "50 money out", "3 balances": rows by the first words of their reason, the most first. */
export const sumsByReason = (rows: readonly LeftOutRow[]): [sum: string, rows: LeftOutRow[]][] => {
  const groups = new Map<string, LeftOutRow[]>()
  for (const row of rows) {
    const [reason = ''] = row.reason.split(':', 1)
    groups.set(reason, [...(groups.get(reason) ?? []), row])
  }
  return [...groups]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([reason, some]) => [sumOf(some.length, reason), some])
}

const sumOf = (count: number, reason: string): string =>
  reason === 'balance' ? counted(count, 'balance') : `${count} ${reason}`

type LeftOutProps = {
  of: { leftOut: readonly LeftOutRow[]; leftOutCount: number; notes: readonly string[] }
  act?: RowAct
  /** Where all of them are, if the answer holds the first alone. */
  elsewhere?: string
}

/** What a file says beside its rows, and the rows that do not count. */
export const LeftOut = ({ of: { leftOut, leftOutCount, notes }, act, elsewhere }: LeftOutProps) =>
  leftOutCount + notes.length === 0 ? null : (
    <Notice title={leftOutCount > 0 ? `${counted(leftOutCount, 'row')} left out` : 'About this file'}>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {sumsByReason(leftOut).map(([sum, rows]) => (
        <FileRows key={sum} summary={sum} rows={rows} act={act} />
      ))}
      {leftOutCount > leftOut.length ? <p>{elsewhere ?? `The first ${leftOut.length} are listed.`}</p> : null}
    </Notice>
  )

/** What can be done with a row of the file. */
type RowAct = ((row: number) => ReactNode) | undefined

type FileRowsProps = { summary: string; isOpen?: boolean; rows: readonly LeftOutRow[]; act: RowAct }

/** Rows with their reasons, opened by a press. */
export const FileRows = ({ summary, isOpen, rows, act }: FileRowsProps) => (
  <details open={isOpen} className="w-full">
    <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">{summary}</summary>
    <ul className="max-h-60 w-full overflow-y-auto">
      {rows.map(({ row, reason, amount }) => (
        <li key={row} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1">
          <span className="min-w-0 wrap-anywhere">
            {`Row ${row}: ${reason}${amount === null ? '' : `, ${kwacha(amount)}`}`}
          </span>
          {act?.(row)}
        </li>
      ))}
    </ul>
  </details>
)
