import { useEffect } from 'react'
import { counted, kwacha } from '../../lib/format'
import { Button } from '../../ui/button'

/** Raised on the window by whoever wants the cart shown; the home listens and changes the tab. */
export const switchToCart = 'switch-to-cart'

const raise = () => window.dispatchEvent(new Event(switchToCart))

/** How many meals are in the cart, and what those that can be ordered cost together. */
export const CartSum = ({ count, total }: { count: number; total: number }) => (
  <p aria-live="polite" className="text-right text-xs leading-tight">
    <span className="whitespace-nowrap text-muted">{counted(count, 'meal')}</span>
    <span className="sr-only">, total </span>
    <strong className="money block text-base leading-tight font-semibold">{kwacha(total)}</strong>
  </p>
)

/** The way to the cart from the menu. */
export const CartButton = ({ count }: { count: number }) => {
  // So that the cart opens at once, also where the connection is lost by then.
  useEffect(() => {
    if (count) void import('./panel/cart-panel').catch(() => 0)
  }, [count])
  return (
    <Button
      icon="cart"
      onClick={raise}
      // What is seen is one word of it: the bar says the rest already.
      aria-label={count === 0 ? 'Cart, 0 meals' : `Go to Cart (${counted(count, 'meal')})`}
      className="shrink-0 px-3!"
    >
      Cart
    </Button>
  )
}
