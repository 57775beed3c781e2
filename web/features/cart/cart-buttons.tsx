import { useEffect } from 'react'
import { counted, kwacha } from '../../lib/format'
import { Button } from '../../ui/button'

/** Window event that makes the home show its cart tab. */
export const switchToCart = 'switch-to-cart'

const raise = () => window.dispatchEvent(new Event(switchToCart))

export const CartSum = ({ total }: { total: number }) => (
  <span aria-live="polite" className="text-xs font-normal">
    <span className="text-muted max-sm:sr-only">Total </span>
    <strong className="money text-sm font-semibold">{kwacha(total)}</strong>
  </span>
)

export const CartButton = ({ count }: { count: number }) => {
  // Loads the cart's code early, also for a lost connection.
  useEffect(() => {
    if (count) void import('./panel/cart-panel').catch(() => 0)
  }, [count])
  return (
    <Button
      {...(count === 0 && { icon: 'cart' })}
      onClick={raise}
      aria-label={count === 0 ? 'Cart, 0 meals' : undefined}
      className="shrink-0 px-3!"
    >
      {count === 0 ? 'Cart' : `Go to Cart (${counted(count, 'meal')})`}
    </Button>
  )
}
