import { useEffect } from 'react'
import { classes } from '../../lib/classes'
import { counted, kwacha } from '../../lib/format'
import { Button } from '../../ui/button'

/** Window event that makes the home show its cart tab. */
export const switchToCart = 'switch-to-cart'

const raise = () => window.dispatchEvent(new Event(switchToCart))

export const CartSum = ({ total }: { total: number }) => (
  <p aria-live="polite" className="text-right text-xs leading-tight">
    <span className="whitespace-nowrap text-muted">Total</span>
    <strong className="money block text-base leading-tight font-semibold">{kwacha(total)}</strong>
  </p>
)

export const CartButton = ({ count }: { count: number }) => {
  // Loads the cart's code early, also for a lost connection.
  useEffect(() => {
    if (count) void import('./panel/cart-panel').catch(() => 0)
  }, [count])
  return (
    <Button
      icon="cart"
      onClick={raise}
      aria-label={count === 0 ? 'Cart, 0 meals' : undefined}
      className={classes('shrink-0 px-3!', count > 0 && 'max-sm:[&>svg]:hidden')}
    >
      {count === 0 ? (
        'Cart'
      ) : (
        // In two lines beside child and total on a phone.
        <span className="inline-block text-left leading-tight max-sm:w-min max-sm:text-sm">
          <span className="whitespace-nowrap">Go to Cart</span>{' '}
          <span className="whitespace-nowrap">{`(${counted(count, 'meal')})`}</span>
        </span>
      )}
    </Button>
  )
}
