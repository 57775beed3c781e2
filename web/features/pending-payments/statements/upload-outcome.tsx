import { counted } from '../../../lib/format'
import { Notice } from '../../../ui/notice'
import type { Uploaded } from './api'

/** How an upload ended: what came in, what of it is new, and which rows could not be read. */
export const UploadOutcome = ({ result }: { result: Uploaded }) => (
  <>
    <Notice title={titleOf(result)}>
      <p>
        {`${counted(result.rows, 'row')} read: ${counted(result.moneyIn, 'payment')} in, ${result.new} new, ${result.known} known from before.`}
      </p>
    </Notice>
    {result.errors.length === 0 ? null : (
      <Notice tone="warning" title={`${counted(result.errors.length, 'row')} could not be read`}>
        <ul className="max-h-60 w-full list-disc overflow-y-auto pl-5">
          {result.errors.map(({ row, message }) => (
            <li key={`${row} ${message}`}>{`Row ${row}: ${message}`}</li>
          ))}
        </ul>
      </Notice>
    )}
  </>
)

const titleOf = (result: Uploaded): string => {
  if (result.new > 0) return `${counted(result.new, 'new payment')}`
  return result.known > 0 ? 'Nothing new: all of it was uploaded before' : 'No incoming money in this file'
}
