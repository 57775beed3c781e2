import { counted, kwacha } from '../../../lib/format'
import { Button } from '../../../ui/button'
import { total } from '../selection'
import type { Done } from './use-row-acts'

type RowBarProps = {
  /** The rows that are chosen and shown. */
  chosen: readonly { amount: number }[]
  done: Done | null
  busy: boolean
  onConfirm: () => void
}

/** At the foot of the screen, in sight of every row: what was done last and its undoing, and what is chosen. */
export const RowBar = ({ chosen, done, busy, onConfirm }: RowBarProps) => (
  <div aria-live="polite" className="sticky bottom-safe z-20 flex flex-col gap-2 empty:hidden">
    {done ? (
      <div className={bar}>
        <p className="min-w-0 flex-1 text-sm font-semibold wrap-anywhere">{done.words}</p>
        {done.undo ? (
          <Button variant="secondary" size="sm" icon="undo" busy={busy} onClick={() => void done.undo?.()}>
            Undo
          </Button>
        ) : null}
      </div>
    ) : null}
    {chosen.length > 0 ? (
      <div className={bar}>
        <strong className="money flex-1 text-sm">
          {`${counted(chosen.length, 'row')}, ${kwacha(total(chosen))}`}
        </strong>
        <Button icon="check" busy={busy} onClick={onConfirm}>
          Confirm Chosen
        </Button>
      </div>
    ) : null}
  </div>
)

const bar =
  'flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-3 py-3 shadow-raised'
