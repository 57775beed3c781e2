import { useState } from 'react'
import { counted } from '../../../lib/format'
import { useCancelTexts } from '../../../queries/ordering'
import { Button } from '../../../ui/button'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { Notice } from '../../../ui/notice'
import { EmptyState } from '../../../ui/query-result'
import { type CartItem, isSameDay } from '../cart'
import type { Words, Placed } from '../checkout/checkout'

type GoneProps = { items: readonly CartItem[]; onRemove: (items: readonly CartItem[]) => void }

export const UnavailableBanner = ({ items, onRemove }: GoneProps) =>
  items.length === 0 ? null : (
    <Notice tone="danger" title="Items No Longer Available">
      <p>{[...new Set(items.map((item) => item.menuItem.name))].join(', ')}</p>
      <Button variant="danger" className="text-sm" onClick={() => onRemove(items)}>
        Remove Unavailable Items
      </Button>
    </Notice>
  )

type RefusedProps = GoneProps & {
  others: boolean
}

/** Reasons are at each meal. */
export const RefusedBanner = ({ items, others, onRemove }: RefusedProps) => {
  const one = items.length === 1
  return items.length === 0 ? null : (
    <Notice tone="danger" title={`${counted(items.length, 'meal')} cannot be ordered`}>
      <p>
        {one ? 'See the reason next to the meal.' : 'See the reason next to each meal.'}
        {others ? ` Without ${one ? 'it' : 'them'} the others can be ordered.` : null}
      </p>
      <Button variant="danger" className="text-sm" onClick={() => onRemove(items)}>
        {one ? 'Remove it' : 'Remove them'}
      </Button>
    </Notice>
  )
}

/** Where the browser refuses storage. */
export const MemoryNotice = ({ isInMemoryOnly }: { isInMemoryOnly: boolean }) =>
  isInMemoryOnly ? (
    <Notice tone="warning" title="Your cart is not stored on this device">
      <p>This browser keeps no data for this page. Place the order before you close or reload it.</p>
    </Notice>
  ) : null

/** Takes the focus when it appears. */
export const StopNotice = ({ notice }: { notice: Words | null }) => (
  // Hidden, not absent: its icon could not be fetched offline.
  <div hidden={!notice} tabIndex={-1} data-notice className="rounded-lg">
    <Notice tone="warning" title={notice?.title}>
      <p>{notice?.text}</p>
    </Notice>
  </div>
)

export const without = (items: readonly CartItem[], gone: readonly CartItem[]): CartItem[] =>
  items.filter((item) => !gone.some((one) => isSameDay(one, item)))

/** Asks first: weeks of choices may be lost. */
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

/** After an order it shows what was ordered. */
export const EmptyCart = ({ placed, onPayment, onBrowse }: EmptyCartProps) => {
  const cancelTexts = useCancelTexts()
  return (
    <>
      {placed ? (
        <Notice title={`${counted(placed.orders.length, 'meal')} ordered`}>
          <p>
            {placed.payment ? 'Still to be paid for. ' : null}
            {cancelTexts
              ? `See it in Order History; it can be cancelled there ${cancelTexts.when}.`
              : 'See it in Order History.'}
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
}
