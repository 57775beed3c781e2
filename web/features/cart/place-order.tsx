import { kwacha } from '../../lib/format'
import { Button } from '../../ui/button'

type PlaceOrderProps = {
  total: number
  busy: boolean
  /** The browser is on its way to the payment page. */
  leaving: boolean
  disabled: boolean
  onPlace: () => void
}

/** The button that sends the cart, always under the thumb. */
export const PlaceOrder = ({ total, busy, leaving, disabled, onPlace }: PlaceOrderProps) => (
  <div className="bottom-safe pointer-events-none fixed inset-x-0 z-20 flex justify-center px-4">
    <Button
      busy={busy}
      busyLabel={leaving ? 'Opening the payment page' : undefined}
      disabled={disabled}
      onClick={onPlace}
      className="pointer-events-auto min-h-13 w-full max-w-form px-6 shadow-raised"
    >
      Place Order · <span className="money">{total === 0 ? 'Free' : kwacha(total)}</span>
    </Button>
  </div>
)
