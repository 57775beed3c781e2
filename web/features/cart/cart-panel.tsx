import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { counted, gradeLabel, kwacha } from '../../lib/format'
import { Button } from '../../ui/button'
import { Card, CardHeading } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { Notice } from '../../ui/notice'
import { validationQuery } from './api'
import { ClearCart } from './clear-cart'
import { CartLine } from './cart-line'
import { dayKey, isSameDay, totalOf } from './cart-items'
import { groupByStudent, unavailableItems } from './cart-view'
import type { CartGroup } from './cart-view'
import type { Customer } from './checkout'
import { PlaceOrder } from './place-order'
import { useCheckout } from './use-checkout'
import type { Cart } from './use-cart'

type CartPanelProps = {
  cart: Cart
  customer: Customer
  onBrowse: () => void
  /** Opens the profile, where an e-mail address can be added. */
  onProfile: () => void
}

/** The cart: every child's meals, what they cost, and the way to order them. */
export const CartPanel = ({ cart, customer, onBrowse, onProfile }: CartPanelProps) => {
  const unavailable = unavailableItems(cart.items, useQuery(validationQuery(cart.items)).data)
  const checkout = useCheckout(cart, customer)
  if (cart.items.length === 0)
    return (
      <>
        <EmptyState
          icon="cart"
          title="Your cart is empty"
          action={<Button onClick={onBrowse}>Browse the menu</Button>}
        >
          Choose a meal for each school day. It stays here until you place the order.
        </EmptyState>
        {checkout.dialog}
      </>
    )
  const removeUnavailable = () =>
    cart.update((now) => now.filter((item) => !unavailable.some((gone) => isSameDay(gone, item))))
  return (
    <div className="flex flex-col gap-5 pb-24">
      {unavailable.length > 0 ? (
        <Notice tone="danger" title="Items No Longer Available">
          <p>{[...new Set(unavailable.map((item) => item.menuItem.name))].join(', ')}</p>
          <Button variant="danger" size="sm" onClick={removeUnavailable}>
            Remove Unavailable Items
          </Button>
        </Notice>
      ) : null}
      {checkout.notice ? (
        <Notice tone="warning" title={checkout.notice.title}>
          <p>{checkout.notice.text}</p>
          {customer.email ? null : (
            <Button variant="secondary" size="sm" onClick={onProfile}>
              Add an email address
            </Button>
          )}
        </Notice>
      ) : null}
      {groupByStudent(cart.items).map((group) => (
        <GroupCard key={group.studentId} group={group}>
          {group.items.map((item) => (
            <CartLine
              key={dayKey(item)}
              item={item}
              unavailable={unavailable.includes(item)}
              message={checkout.messages[dayKey(item)]?.message}
              onComments={(comments) => cart.setComments(item, comments)}
              onRemove={() => cart.remove(item)}
            />
          ))}
        </GroupCard>
      ))}
      <div className="flex items-center justify-between gap-3 px-1">
        <ClearCart onClear={cart.clear} />
        <p className="money text-lg font-semibold">Total {kwacha(totalOf(cart.items))}</p>
      </div>
      <PlaceOrder
        total={totalOf(cart.items)}
        busy={checkout.busy}
        leaving={checkout.leaving}
        disabled={unavailable.length > 0}
        onPlace={checkout.place}
      />
      {checkout.dialog}
    </div>
  )
}

const GroupCard = ({ group, children }: { group: CartGroup; children: ReactNode }) => (
  <Card>
    <CardHeading
      title={group.name}
      hint={`${gradeLabel(group.grade)} · ${counted(group.items.length, 'meal')}`}
      actions={
        <p className="money text-sm text-muted">
          Subtotal <span className="font-semibold text-ink">{kwacha(totalOf(group.items))}</span>
        </p>
      }
    />
    <ul className="mt-3 divide-y divide-line border-t border-line">{children}</ul>
  </Card>
)
