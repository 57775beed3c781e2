import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { CycleWeek } from '#contracts/cycles'
import { totalOf } from '../../features/cart/cart-items'
import { CartBar, FloatingCart } from '../../features/cart/cart-buttons'
import { closedWords } from '../../features/cart/cart-view'
import { cutoffQuery } from '../../features/menu/api'
import { ordersOf, type Eater } from '../../features/menu/day-content'
import { MenuCalendar } from '../../features/menu/menu-calendar'
import { type OpenDay, weekViews } from '../../features/menu/menu-week'
import { StudentSwitcher } from '../../features/menu/student-switcher'
import { clockTime } from '../../lib/format'
import { lazyPart } from '../../lib/lazy'
import { Notice } from '../../ui/notice'
import { QueryResult } from '../../ui/query-result'
import { Spinner } from '../../ui/spinner'
import { CalendarSkeleton } from './calendar-skeleton'
import type { Ordering } from './use-ordering'

const PlanWeek = lazyPart(() => import('./plan-week').then((m) => m.PlanWeek))

type CalendarData = NonNullable<Ordering['calendar']['data']>

type MenuTabProps = {
  ordering: Ordering
  eater: Eater
  eaters: readonly Eater[]
  onChoose: (id: number) => void
}

/** The calendar of one child, and over its lower edge what the thumb needs: child, cart, total. */
export const MenuTab = ({ ordering, eater, eaters, onChoose }: MenuTabProps) => {
  const { cart, orders, calendar } = ordering
  const [plan, setPlan] = useState<{ week: CycleWeek; days: OpenDay[] } | null>(null)
  return (
    <div className="flex flex-col gap-3 pb-36">
      <CutoffLine hasMeal={calendar.data !== undefined && isMealToday(calendar.data, eater)} />
      {orders.error ? <Notice tone="warning">Failed to fetch orders</Notice> : null}
      <QueryResult
        query={calendar}
        failure="Failed to load the menu. Please try again."
        waiting={<CalendarSkeleton />}
      >
        {([[items, cycles], known]) => (
          <>
            <MenuCalendar
              cycles={cycles}
              items={items}
              eater={eater}
              orders={known}
              cart={cart.items}
              onAdd={ordering.add}
              onRemove={ordering.remove}
              onPlan={(week, days) => setPlan({ week, days })}
            />
            <Suspense fallback={<Coming />}>
              {plan ? (
                <PlanWeek
                  {...plan}
                  eater={eater}
                  earlier={ordersOf(eater, known)}
                  onAdd={ordering.add}
                  onClose={() => setPlan(null)}
                />
              ) : null}
            </Suspense>
          </>
        )}
      </QueryResult>
      <div className="bottom-safe pointer-events-none fixed inset-x-0 z-20 mx-auto flex max-w-page flex-col items-end gap-3 px-4">
        <div className="flex max-w-full items-center gap-3">
          <StudentSwitcher eaters={eaters} chosen={eater} onChoose={onChoose} />
          <FloatingCart count={cart.items.length} />
        </div>
        <CartBar
          count={cart.items.length}
          total={totalOf(cart.items.filter((item) => closedWords(calendar.data?.[0][1], item) === undefined))}
        />
      </div>
    </div>
  )
}

const Coming = () => (
  <div className="fixed inset-0 z-40 grid place-items-center bg-ink/45 text-white">
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
  const time = cutoff.data && hasMeal ? clockTime(cutoff.data.cutoffHour, cutoff.data.cutoffMinute) : null
  return (
    <p className="min-h-6 text-sm text-muted">
      {cutoff.error
        ? 'Failed to fetch cutoff time settings'
        : time
          ? `Today's meal can be ordered until ${time}.`
          : null}
    </p>
  )
}
