import type { StatementRow } from '#contracts/statements'
import { counted } from '../../../lib/format'
import { Button } from '../../../ui/button'
import { Notice } from '../../../ui/notice'
import { rowInWords } from './statement-words'
import type { Done } from './use-row-acts'

type DoneNoticeProps = { done: Done | null; rows: readonly StatementRow[]; busy: boolean }

/** What was done last, how it is undone, and row by row what was left as it was and why. */
export const DoneNotice = ({ done, rows, busy }: DoneNoticeProps) => (
  <div aria-live="polite" className="flex flex-col gap-3 empty:hidden">
    {done ? (
      <Notice>
        <div className="flex w-full flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="font-semibold">{done.words}</p>
          {done.undo ? (
            <Button variant="secondary" size="sm" icon="undo" busy={busy} onClick={() => void done.undo?.()}>
              Undo
            </Button>
          ) : null}
        </div>
      </Notice>
    ) : null}
    {done && done.skipped.length > 0 ? (
      <Notice tone="warning" title={`${counted(done.skipped.length, 'row')} left as it was`}>
        <ul className="max-h-60 w-full list-disc overflow-y-auto pl-5">
          {done.skipped.map(({ rowId, message }) => {
            const row = rows.find(({ id }) => id === rowId)
            return <li key={rowId}>{`${row ? rowInWords(row) : 'A row on another page'}: ${message}`}</li>
          })}
        </ul>
      </Notice>
    ) : null}
  </div>
)
