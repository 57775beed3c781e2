import { Suspense, useMemo, useState } from 'react'
import type { MenuItem } from '#contracts/catalogue'
import type { CycleWeek } from '#contracts/cycles'
import type { Order } from '#contracts/ordering'
import { type DayActs, DayMeals, type DayMealsProps } from '../../features/menu/day-card'
import type { WeekLine } from '../../features/menu/family-week'
import type { MealChoice } from '../../features/menu/meal-card'
import { cartedOn, offeredOn, useRemainingPortions } from '../../features/menu/menu-week'
import { useCancelQuestion } from '../../features/orders/cancelling'
import { AbsenceText, CancelAction, useAllowedNow } from '../../features/orders/family-actions'
import { GivenText, MoneyBack, OrderDetails, OrderPrice, PaidText } from '../../features/orders/order-text'
import { classes } from '../../lib/classes'
import { dayAndMonth, dayName, dietText } from '../../lib/format'
import { lazyComponent } from '../../lib/lazy'
import { isBeforeCutoff } from '../../queries/cycles'
import { Dialog } from '../../ui/dialog'
import type { Ordering } from './use-ordering'

const ChangeDialog = lazyComponent(() =>
  import('../../features/orders/change-dialog').then((m) => m.ChangeDialog),
)

type LineSheetProps = Pick<DayActs, 'onAdd' | 'onRemove'> & {
  line: WeekLine
  /** Of the active calendar. */
  weeks: readonly CycleWeek[]
  items: readonly MenuItem[]
  ordering: Ordering
  onClose: () => void
}

/** A day of one child: its dishes to add, or what is ordered and what may still be done with it. */
export const LineSheet = ({ line, weeks, items, ordering, onAdd, onRemove, onClose }: LineSheetProps) => {
  const { eater, view } = line
  const { day, content } = view
  const few = useRemainingPortions(weeks)[day.date]
  const order = ordering.orders.data?.find(({ id }) => id === line.order?.id)
  const meals = { day, eater, marks: ordering.marks, few, inSheet: true }
  return (
    <Dialog
      open
      onClose={onClose}
      title={eater.name}
      description={`${dayName(day.day)}, ${dayAndMonth(day.date)}`}
    >
      <AllergyLine ordering={ordering} line={line} />
      {order ? (
        <OrderedLunch
          order={order}
          ordering={ordering}
          others={{
            ...meals,
            items: offeredOn(day, eater, items).filter(
              ({ id, leadDays }) => id !== order.menuItem.id && isBeforeCutoff(day, leadDays),
            ),
          }}
        />
      ) : content.kind === 'meals' ? (
        <div className="-mx-5">
          <DayMeals
            {...meals}
            items={content.items}
            carted={cartedOn(view, eater, ordering.cart.items)}
            onAdd={(choice) => {
              onClose()
              onAdd(eater, [{ ...choice, day }])
            }}
            onRemove={() => onRemove(eater, day)}
          />
        </div>
      ) : (
        <p>{line.dish}</p>
      )}
    </Dialog>
  )
}

/** Nothing where the family has told nothing. */
const AllergyLine = ({ ordering: { marks }, line: { eater } }: { ordering: Ordering; line: WeekLine }) => {
  const known = marks?.students.find(({ studentId }) => studentId === eater.id)
  if (!known?.allergies) return null
  const { allergies, diet } = known
  const words = [
    allergies.length > 0 ? `Allergic to ${allergies.join(', ').toLowerCase()}` : 'No allergies',
    diet === 'none' ? '' : dietText[diet],
  ]
  return (
    <p
      className={classes(
        'mb-3 text-sm font-semibold break-words',
        allergies.length > 0 ? 'text-danger-700' : 'text-muted',
      )}
    >
      {words.filter(Boolean).join(' · ')}
    </p>
  )
}

type OrderedLunchProps = {
  order: Order
  ordering: Ordering
  /** The other dishes of the day. */
  others: Pick<DayMealsProps, 'day' | 'items' | 'eater' | 'marks' | 'few' | 'inSheet'>
}

const OrderedLunch = ({ order: known, ordering: { as, orders }, others }: OrderedLunchProps) => {
  const own = useMemo(() => [known], [known])
  const order = useAllowedNow(own, orders.dataUpdatedAt)[0]!
  const { question, ask } = useCancelQuestion(as, orders.dataUpdatedAt)
  const [to, setTo] = useState<MealChoice | null>(null)
  return (
    <>
      <div className="flex flex-col gap-2 text-sm">
        <div className="flex items-baseline justify-between gap-3">
          <h3 id="lunch-of-line" className="font-display text-lg leading-snug font-semibold">
            {order.menuItem.name}
          </h3>
          <OrderPrice order={order} />
        </div>
        <OrderDetails order={order} />
        {order.orderedBy === undefined ? null : <p className="text-muted">Ordered by {order.orderedBy}</p>}
        <PaidText order={order} />
        <GivenText order={order} />
        <MoneyBack order={order} />
        <AbsenceText order={order} />
        <CancelAction order={order} describedBy="lunch-of-line" onCancel={ask} />
      </div>
      {order.allowed.change ? (
        <div className="-mx-5 mt-4">
          <h3 className="px-5 pb-2 text-sm font-semibold text-muted">Or change to</h3>
          <DayMeals {...others} carted={undefined} verb="Change" onAdd={setTo} onRemove={() => setTo(null)} />
        </div>
      ) : null}
      {question}
      <Suspense>{to ? <ChangeDialog order={order} to={to} onClose={() => setTo(null)} /> : null}</Suspense>
    </>
  )
}
