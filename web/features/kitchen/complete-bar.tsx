import { counted } from '../../lib/format'
import { Button } from '../../ui/button'

type CompleteBarProps = {
  rows: number
  orders: number
  busy: boolean
  onComplete: () => void
  onClear: () => void
}

/** The bar at the foot of the screen: how much is chosen, and the button that completes it. */
export const CompleteBar = ({ rows, orders, busy, onComplete, onClear }: CompleteBarProps) => (
  <div className="sticky bottom-safe z-20 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-4 py-3 shadow-raised print:hidden">
    <p aria-live="polite" className="text-sm">
      {rows === 0 ? (
        <span className="text-muted">Tick what is ready to mark it as complete.</span>
      ) : (
        <strong>{`${counted(rows, 'row')}, ${counted(orders, 'order')} selected`}</strong>
      )}
    </p>
    <div className="flex flex-1 justify-end gap-2">
      {rows > 0 ? (
        <Button variant="ghost" onClick={onClear} disabled={busy}>
          Clear
        </Button>
      ) : null}
      <Button icon="check" disabled={orders === 0} busy={busy} onClick={onComplete}>
        Mark as Complete
      </Button>
    </div>
  </div>
)
