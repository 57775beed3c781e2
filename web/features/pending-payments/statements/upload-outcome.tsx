import { useEffect, useRef } from 'react'
import type { LeftOutRow } from '#contracts/csv'
import { counted, kwacha } from '../../../lib/format'
import { byReason } from '../../../ui/left-out'
import { Notice } from '../../../ui/notice'
import type { Uploaded } from './api'
import { CountIn } from './count-in'

/** Sums that account for every row; each opens by a press. Takes the focus at first. */
export const UploadOutcome = ({ result }: { result: Uploaded }) => {
  const outcome = useRef<HTMLDivElement>(null)
  useEffect(() => outcome.current?.focus(), [])
  const { id, errors, leftOut, leftOutCount } = result
  return (
    <div ref={outcome} tabIndex={-1} className="flex flex-col gap-4 outline-none">
      <Notice title={titleOf(result)}>
        <p>{sumsOf(result)}</p>
        {result.proof === null ? null : (
          <p>The balances of the file prove direction and amount of each row.</p>
        )}
        {result.notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </Notice>
      {errors.length === 0 ? null : (
        <Notice tone="warning" title={`${counted(errors.length, 'row')} could not be read`}>
          <Rows
            id={id}
            summary={`Show ${counted(errors.length, 'error')}`}
            isOpen
            rows={errors.map(({ row, message }) => ({ row, text: message, amount: null }))}
          />
        </Notice>
      )}
      {leftOut.length === 0 ? null : (
        <Notice title={`${counted(leftOutCount, 'row')} left out`}>
          {byReason(leftOut).map(([reason, rows]) => (
            <Rows
              key={reason}
              id={id}
              summary={`${reasonOf(rows.length, reason)}`}
              rows={rows.map(({ row, reason: text, amount }) => ({ row, text, amount }))}
            />
          ))}
          {leftOutCount > leftOut.length ? <p>All of them stand under Left out rows below.</p> : null}
        </Notice>
      )}
    </div>
  )
}

type RowsProps = {
  id: number
  summary: string
  isOpen?: boolean
  rows: readonly { row: number; text: string; amount: number | null }[]
}

const Rows = ({ id, summary, isOpen, rows }: RowsProps) => (
  <details open={isOpen} className="w-full">
    <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">{summary}</summary>
    <ul className="max-h-60 w-full overflow-y-auto">
      {rows.map(({ row, text, amount }) => (
        <li key={row} className="flex flex-wrap items-center justify-between gap-2 py-1">
          <span className="min-w-0 wrap-anywhere">
            {`Row ${row}: ${text}${amount === null ? '' : `, ${kwacha(amount)}`}`}
          </span>
          <CountIn id={id} row={row} />
        </li>
      ))}
    </ul>
  </details>
)

const reasonOf = (count: number, reason: string): string =>
  reason === 'balance' ? counted(count, 'balance') : `${count} ${reason}`

/** "64 rows: 9 payments in (K1,240.00), 4 of them new, 50 money out, 3 balances, 2 errors". */
const sumsOf = ({ rows, moneyIn, amountIn, new: added, leftOut, leftOutCount, errors }: Uploaded): string => {
  const groups = leftOutCount > leftOut.length ? [`${leftOutCount} left out`] : groupsOf(leftOut)
  const parts = [
    `${counted(moneyIn, 'payment')} in (${kwacha(amountIn)})`,
    ...(moneyIn > 0 ? [`${added} of them new`] : []),
    ...groups,
    ...(errors.length > 0 ? [counted(errors.length, 'error')] : []),
  ]
  return `${counted(rows, 'row')}: ${parts.join(', ')}`
}

const groupsOf = (leftOut: readonly LeftOutRow[]): string[] =>
  byReason(leftOut).map(([reason, rows]) => reasonOf(rows.length, reason))

export const titleOf = (result: Uploaded): string => {
  if (result.new > 0) return `${counted(result.new, 'new payment')}`
  return result.known > 0 ? 'Nothing new: all of it was uploaded before' : 'No incoming money in this file'
}
