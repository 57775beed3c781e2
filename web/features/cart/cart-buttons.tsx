import { useEffect } from 'react'
import { counted, kwacha } from '../../lib/format'
import { Button } from '../../ui/button'
import { Icon } from '../../ui/icon'

/** Raised on the window by whoever wants the cart shown; the home listens and changes the tab. */
export const switchToCart = 'switch-to-cart'

const raise = () => window.dispatchEvent(new Event(switchToCart))

/** The round button over the menu. */
export const FloatingCart = ({ count }: { count: number }) => (
  <button
    type="button"
    onClick={raise}
    aria-label={`Cart, ${counted(count, 'meal')}`}
    className="pointer-events-auto relative grid size-14 place-items-center rounded-full bg-accent-600 text-white shadow-raised transition-colors hover:bg-accent-700"
  >
    <Icon name="cart" size="lg" />
    {count > 0 ? (
      <span className="money absolute -top-1 -right-1 min-w-6 rounded-full border-2 border-page bg-brand-700 px-1 text-center text-xs font-bold">
        {count}
      </span>
    ) : null}
  </button>
)

/** The bar under the menu with the running total; nothing while the cart is empty. */
export const CartBar = ({ count, total }: { count: number; total: number }) => {
  // So that the cart opens at once, also where the connection is lost by then.
  useEffect(() => {
    if (count) void import('./panel/cart-panel').catch(() => 0)
  }, [count])
  return count === 0 ? null : (
    <div className="pointer-events-auto flex w-full items-center justify-between gap-3 rounded-lg border border-line bg-surface py-2 pr-2 pl-3 shadow-raised sm:pl-4">
      <span className="money text-lg font-semibold" aria-live="polite">
        <span className="sr-only">Total </span>
        {kwacha(total)}
      </span>
      <Button onClick={raise} className="min-w-0 max-sm:px-3 max-sm:text-sm sm:whitespace-nowrap">
        Go to Cart ({counted(count, 'meal')})
      </Button>
    </div>
  )
}
