import { classes } from '../../lib/classes'
import { counted } from '../../lib/format'
import { Button } from '../../ui/button'
import { IconButton } from '../../ui/icon-button'

type CompleteBarProps = {
  rows: number
  orders: number
  busy: boolean
  onComplete: () => void
  onClear: () => void
}

/** The bar at the foot of the screen: how much is chosen, and the button that completes it. */
export const CompleteBar = ({ rows, orders, busy, onComplete, onClear }: CompleteBarProps) => (
  <div className="sticky bottom-safe z-20 flex flex-wrap items-center justify-end gap-x-2 gap-y-1 rounded-lg border border-line bg-surface px-3 py-3 sm:px-4 shadow-raised print:hidden">
    <p aria-live="polite" className={classes('min-w-0 flex-1 text-sm', rows > 0 && 'basis-full sm:basis-0')}>
      {rows === 0 ? (
        <span className="text-muted">Nothing selected</span>
      ) : (
        <strong>{`${counted(rows, 'row')}, ${counted(orders, 'order')} selected`}</strong>
      )}
    </p>
    {rows > 0 ? <IconButton icon="close" label="Clear selection" onClick={onClear} disabled={busy} /> : null}
    <Button icon="check" disabled={orders === 0} busy={busy} onClick={onComplete}>
      Mark as Complete
    </Button>
  </div>
)
