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
  <div className="sticky bottom-safe z-20 flex items-center gap-3 rounded-lg border border-line bg-surface px-4 py-3 shadow-raised print:hidden">
    <p aria-live="polite" className="min-w-0 flex-1 text-sm">
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
