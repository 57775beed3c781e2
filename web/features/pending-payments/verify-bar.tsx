import { counted, kwacha } from '../../lib/format'
import { Button } from '../../ui/button'

type VerifyBarProps = { count: number; amount: number; busy: boolean; onVerify: () => void }

/** The bar at the foot of the list: how much is chosen, and the button that marks it paid. */
export const VerifyBar = ({ count, amount, busy, onVerify }: VerifyBarProps) => (
  <div className="sticky bottom-safe z-20 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-3 py-3 shadow-raised sm:px-4">
    <p aria-live="polite" className="min-w-0 flex-1 text-sm whitespace-nowrap">
      {count === 0 ? (
        <span className="text-muted">Nothing selected</span>
      ) : (
        <strong className="money">{`${counted(count, 'order')}, ${kwacha(amount)}`}</strong>
      )}
    </p>
    <Button icon="check" className="max-sm:w-full max-sm:px-2! max-sm:text-sm" busy={busy} onClick={onVerify}>
      Verify Selected Payments
    </Button>
  </div>
)
