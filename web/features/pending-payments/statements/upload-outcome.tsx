import { useEffect, useRef } from 'react'
import { counted, kwacha } from '../../../lib/format'
import { FileRows, LeftOut, sumsByReason } from '../../../ui/left-out'
import { Notice } from '../../../ui/notice'
import type { Uploaded } from './api'
import { CountIn } from './count-in'

/** Sums that account for every row; each opens by a press. Takes the focus at first. */
export const UploadOutcome = ({ result }: { result: Uploaded }) => {
  const outcome = useRef<HTMLDivElement>(null)
  useEffect(() => outcome.current?.focus(), [])
  const { id, errors } = result
  const countIn = (row: number) => <CountIn id={id} row={row} />
  return (
    <div ref={outcome} tabIndex={-1} className="flex flex-col gap-4 outline-none">
      <Notice title={titleOf(result)}>
        <p>{sumsOf(result)}</p>
        {result.proof === null ? null : (
          <p>The balances of the file prove direction and amount of each row.</p>
        )}
      </Notice>
      {errors.length === 0 ? null : (
        <Notice tone="warning" title={`${counted(errors.length, 'row')} could not be read`}>
          <FileRows
            summary={`Show ${counted(errors.length, 'error')}`}
            isOpen
            rows={errors.map(({ row, message }) => ({ row, reason: message, amount: null }))}
            act={countIn}
          />
        </Notice>
      )}
      <LeftOut of={result} act={countIn} elsewhere="All of them are under Left out rows below." />
    </div>
  )
}

/** "64 rows: 9 payments in (K1,240.00), 4 of them new, 50 money out, 3 balances, 2 errors". */
const sumsOf = ({ rows, moneyIn, amountIn, new: added, leftOut, leftOutCount, errors }: Uploaded): string => {
  const groups =
    leftOutCount > leftOut.length ? [`${leftOutCount} left out`] : sumsByReason(leftOut).map(([sum]) => sum)
  const parts = [
    `${counted(moneyIn, 'payment')} in (${kwacha(amountIn)})`,
    ...(moneyIn > 0 ? [`${added} of them new`] : []),
    ...groups,
    ...(errors.length > 0 ? [counted(errors.length, 'error')] : []),
  ]
  return `${counted(rows, 'row')}: ${parts.join(', ')}`
}

export const titleOf = (result: Uploaded): string => {
  if (result.new > 0) return `${counted(result.new, 'new payment')}`
  return result.known > 0 ? 'Nothing new: all of it was uploaded before' : 'No incoming money in this file'
}
