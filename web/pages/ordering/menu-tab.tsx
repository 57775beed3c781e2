import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import type { CycleWeek } from '#contracts/cycles'
import { totalOf } from '../../features/cart/cart-items'
import { switchToCart } from '../../features/cart/cart-buttons'
import { closedWords } from '../../features/cart/cart-view'
import { cutoffQuery } from '../../features/menu/api'
import type { Eater } from '../../features/menu/day-content'
import { MenuCalendar } from '../../features/menu/menu-calendar'
import { weekViews } from '../../features/menu/menu-week'
import { clockTime } from '../../lib/format'
import { lazyPart } from '../../lib/lazy'
import { Notice } from '../../ui/notice'
import { QueryResult } from '../../ui/query-result'
import { Spinner } from '../../ui/spinner'
import { CalendarSkeleton } from './calendar-skeleton'
import { OrderBar } from './order-bar'
import { useAskedMeal } from './use-asked-meal'
import type { Ordering } from './use-ordering'

const MealQuestion = lazyPart(() =>
  import('../../features/cart/allergy-question').then((m) => m.AllergyQuestion),
)
const PlanWeek = lazyPart(() => import('./plan-week').then((m) => m.PlanWeek))

type CalendarData = NonNullable<Ordering['calendar']['data']>

type MenuTabProps = {
  ordering: Ordering
  eater: Eater
  eaters: readonly Eater[]
  onChoose: (id: number) => void
  /** Before the calendar, once that is there. */
  introduction?: ReactNode
}

/** The calendar of one child, and at the foot of the screen the bar of the order. */
export const MenuTab = ({ ordering, eater, eaters, onChoose, introduction }: MenuTabProps) => {
  const { cart, orders, calendar } = ordering
  const asking = useAskedMeal(ordering)
  const [plan, setPlan] = useState<CycleWeek | null>(null)
  return (
    <div className="flex flex-col gap-2 md:gap-3">
      {orders.error ? <Notice tone="warning">Failed to fetch orders</Notice> : null}
      {ordering.marksFailed ? (
        <Notice tone="warning">
          Meals are not marked for allergies right now. They are checked when you place the order.
        </Notice>
      ) : null}
      <QueryResult
        query={calendar}
        failure="Failed to load the menu. Please try again."
        waiting={<CalendarSkeleton />}
      >
        {([[items, cycles], known]) => (
          <>
            <CutoffLine hasMeal={isMealToday([[items, cycles], known], eater)} />
            {introduction}
            <MenuCalendar
              cycles={cycles}
              items={items}
              eater={eater}
              eaters={eaters}
              marks={ordering.marks}
              orders={known}
              cart={cart.items}
              onAdd={asking.add}
              onRemove={ordering.remove}
              onPlan={setPlan}
            />
            <Suspense fallback={<Coming />}>
              {asking.asked ? (
                <MealQuestion
                  words={asking.asked.words}
                  of={asking.asked.meal.item.name}
                  onYes={asking.yes}
                  onNo={asking.no}
                />
              ) : null}
              {plan ? (
                <PlanWeek
                  week={plan}
                  eaters={eaters}
                  ordering={ordering}
                  onClose={() => setPlan(null)}
                  onAdded={() => window.dispatchEvent(new Event(switchToCart))}
                />
              ) : null}
            </Suspense>
          </>
        )}
      </QueryResult>
      <OrderBar
        eaters={eaters}
        chosen={eater}
        onChoose={onChoose}
        meals={cart.items.length}
        total={totalOf(cart.items.filter((item) => closedWords(calendar.data?.[0][1], item) === undefined))}
      />
    </div>
  )
}

const Coming = () => (
  <div className="fixed inset-0 z-40 grid place-items-center bg-scrim text-scrim-ink">
    <Spinner />
  </div>
)

/** Whether a meal of today can still be ordered, or has been, for this child. */
const isMealToday = ([[items, cycles], orders]: CalendarData, eater: Eater): boolean => {
  const active = cycles.find(({ isActive }) => isActive)
  const today = weekViews(active, eater, items, orders)
    .flat()
    .find(({ isToday }) => isToday)
  return today?.day.state === 'open' && (today.content.kind === 'meals' || today.content.kind === 'ordered')
}

const CutoffLine = ({ hasMeal }: { hasMeal: boolean }) => {
  const cutoff = useQuery(cutoffQuery)
  if (cutoff.error) return <p className="text-sm text-muted">Failed to fetch cutoff time settings</p>
  // The line keeps its place until its time is known.
  return hasMeal ? (
    <p className="min-h-6 text-sm text-muted">
      {cutoff.data
        ? `Today's meal can be ordered until ${clockTime(cutoff.data.cutoffHour, cutoff.data.cutoffMinute)}.`
        : null}
    </p>
  ) : null
}
