import type { StatementRow } from '#contracts/statements'
import { counted } from '../../../lib/format'
import { Notice } from '../../../ui/notice'
import { rowInWords } from './statement-words'
import type { Done } from './use-row-acts'

type SkippedRowsProps = { done: Done | null; rows: readonly StatementRow[] }

/** Row by row what was left as it was, and why. */
export const SkippedRows = ({ done, rows }: SkippedRowsProps) =>
  done && done.skipped.length > 0 ? (
    <Notice tone="warning" title={`${counted(done.skipped.length, 'row')} left as it was`}>
      <ul className="max-h-60 w-full list-disc overflow-y-auto pl-5">
        {done.skipped.map(({ rowId, message }) => {
          const row = rows.find(({ id }) => id === rowId)
          return <li key={rowId}>{`${row ? rowInWords(row) : 'A row on another page'}: ${message}`}</li>
        })}
      </ul>
    </Notice>
  ) : null
