import { useEffect } from 'react'
import { classes } from '../../lib/classes'
import { counted, kwacha } from '../../lib/format'
import { Button } from '../../ui/button'

/** Window event that makes the home show its cart tab. */
export const switchToCart = 'switch-to-cart'

/** `order`: to place the order there at once. */
export type SwitchToCart = CustomEvent<{ order: boolean } | null>

const raise = (order: boolean) => window.dispatchEvent(new CustomEvent(switchToCart, { detail: { order } }))

export const CartSum = ({ total }: { total: number }) => (
  <p aria-live="polite" className="text-right text-xs leading-tight">
    <span className="whitespace-nowrap text-muted">Total</span>
    <strong className="money block text-base leading-tight font-semibold">{kwacha(total)}</strong>
  </p>
)

type CartButtonProps = {
  count: number
  /** Another button is the main one. */
  beside?: boolean
}

export const CartButton = ({ count, beside = false }: CartButtonProps) => {
  // Loads the cart's code early, also for a lost connection.
  useEffect(() => {
    if (count) void import('./panel/cart-panel').catch(() => 0)
  }, [count])
  return (
    <Button
      icon="cart"
      variant={beside ? 'secondary' : 'primary'}
      onClick={() => raise(false)}
      aria-label={count === 0 ? 'Cart, 0 meals' : undefined}
      className={classes(
        'shrink-0 px-3!',
        count > 0 && 'max-sm:[&>svg]:hidden',
        beside && 'max-[22rem]:px-1.5!',
      )}
    >
      {count === 0 ? (
        <span className={beside ? 'max-sm:hidden' : undefined}>Cart</span>
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

/** Places the order from the menu; the cart shows how that goes, and asks where something is missing. */
export const OrderButton = ({ total }: { total: number }) => (
  <Button className="px-3! max-[22rem]:px-1.5!" onClick={() => raise(true)}>
    <span className="inline-block text-left leading-tight max-sm:w-min max-sm:text-sm">
      Order{' '}
      <strong aria-live="polite" className="money font-semibold">
        {total === 0 ? 'Free' : kwacha(total)}
      </strong>
    </span>
  </Button>
)
