import { useState } from 'react'
import { counted } from '../../../lib/format'
import { Button } from '../../../ui/button'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { EmptyState } from '../../../ui/empty-state'
import { Notice } from '../../../ui/notice'
import type { Placed } from '../checkout/checkout'

/** Empties the cart, after asking: weeks of choices may lie in it. */
export const ClearCart = ({ meals, onClear }: { meals: number; onClear: () => void }) => {
  const [asked, setAsked] = useState(false)
  return (
    <>
      <Button variant="ghost" icon="trash" onClick={() => setAsked(true)}>
        Clear Cart
      </Button>
      <ConfirmDialog
        open={asked}
        title="Clear the cart?"
        confirm="Clear Cart"
        cancel="Keep Meals"
        danger
        onConfirm={onClear}
        onClose={() => setAsked(false)}
      >
        {counted(meals, 'meal is', 'meals are')} taken out of the cart. What is ordered already stays ordered.
      </ConfirmDialog>
    </>
  )
}

type EmptyCartProps = { placed: Placed | null; onPayment: () => void; onBrowse: () => void }

/** A cart without meals; after an order what was ordered, for whoever missed the notification. */
export const EmptyCart = ({ placed, onPayment, onBrowse }: EmptyCartProps) => (
  <>
    {placed ? (
      <Notice title={`${counted(placed.orders.length, 'meal')} ordered`}>
        <p>
          {placed.payment ? 'Still to be paid for. ' : null}
          See it in Order History; it can be cancelled there within an hour.
        </p>
        {placed.payment ? (
          <Button variant="secondary" onClick={onPayment}>
            How to pay
          </Button>
        ) : null}
      </Notice>
    ) : null}
    <EmptyState
      icon="cart"
      title="Your cart is empty"
      action={<Button onClick={onBrowse}>Browse the menu</Button>}
    >
      Choose a meal for each school day. It stays here until you place the order.
    </EmptyState>
  </>
)
