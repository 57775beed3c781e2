import { counted } from '../../../lib/format'
import { Button } from '../../../ui/button'
import { EmptyState } from '../../../ui/empty-state'
import { Notice } from '../../../ui/notice'
import type { Placed } from '../checkout/checkout'

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
