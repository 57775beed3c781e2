import type { ReplyOf } from '#contracts/endpoint'
import type { find } from '#contracts/find'
import { kwacha, longDate } from '../../../lib/format'
import { Checkbox } from '../../../ui/checkbox'
import type { Selection } from '../selection'
import type { Meal } from './chosen-meals'

export type FoundOrder = ReplyOf<typeof find>['orders'][number]

/** Whether it was cancelled before anybody had paid, so that a payment that is found later may restore it. */
export const isLapsed = ({ status, paymentStatus }: FoundOrder): boolean =>
  status === 'cancelled' && paymentStatus === 'pending'

export const mealOf = ({ id, price, familyId, username }: FoundOrder): Meal[] =>
  familyId === null ? [] : [{ id, amount: price, family: { id: familyId, name: '', username } }]

type LapsedMealsProps = {
  orders: readonly FoundOrder[]
  selection: Selection
  onSwitch: (order: FoundOrder) => void
}

/** Meals that were cancelled unpaid: paid for in time they are placed again, else they become credit. */
export const LapsedMeals = ({ orders, selection, onSwitch }: LapsedMealsProps) =>
  orders.length === 0 ? null : (
    <fieldset className="rounded-md border border-line px-3 pb-2">
      <legend className="px-1 text-sm font-semibold">Cancelled before they were paid</legend>
      {orders.map((order) => (
        <Checkbox
          key={order.id}
          checked={selection.has(order.id)}
          onChange={() => onSwitch(order)}
          className="flex! w-full py-1 text-sm"
          label={`${order.menuItem.name} for ${order.student.name}, ${longDate(order.mealDate)}, ${order.username}, ${order.reference}: ${kwacha(order.price)}`}
        />
      ))}
    </fieldset>
  )
