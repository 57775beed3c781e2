import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState, useCallback } from 'react'
import type { CycleWeek } from '#contracts/cycles'
import { markOf } from '#contracts/health'
import { switchToCart } from '../../features/cart/cart-buttons'
import type { DayActs, DayChoice } from '../../features/menu/day-card'
import { isOver } from '../../features/menu/family-week'
import { type DayView, type Eater, orderUntil, weekViews } from '../../features/menu/menu-week'
import { TodaysAbsence } from '../../features/orders/family-actions'
import { weekdayOf } from '../../lib/format'
import { lazyComponent } from '../../lib/lazy'
import { calendarCutoffQuery } from '../../queries/cycles'
import { orderingRulesQuery } from '../../queries/ordering'
import { Notice } from '../../ui/notice'
import { QueryResult, Spinner, Skeleton } from '../../ui/query-result'
import { OrderBar } from './order-bar'
import type { Ordering } from './use-ordering'
import { useShownWeek, WeekAtHead } from './week-at-head'

const MenuCalendar = lazyComponent(() =>
  import('../../features/menu/menu-calendar').then((m) => m.MenuCalendar),
)
const MealQuestion = lazyComponent(() =>
  import('../../features/cart/allergy-question').then((m) => m.AllergyQuestion),
)
const FurtherWeeks = lazyComponent(() => import('./further-weeks').then((m) => m.FurtherWeeks))
const PlannedDay = lazyComponent(() =>
  import('../../features/family-plan/planned-day').then((m) => m.PlannedDay),
)
const PlanWeek = lazyComponent(() => import('./plan-week').then((m) => m.PlanWeek))

type CalendarData = NonNullable<Ordering['calendar']['data']>

type MenuTabProps = {
  ordering: Ordering
  eater: Eater
  eaters: readonly Eater[]
  onChoose: (id: number) => void
  /** Of a parent: above the calendar, below the family's week. */
  picker?: ReactNode
  /** Above the loaded calendar. */
  introduction?: ReactNode
}

/** With the order bar at the foot. */
export const MenuTab = ({ ordering, eater, eaters, onChoose, picker, introduction }: MenuTabProps) => {
  const { as, cart, orders, calendar } = ordering
  const cycle = calendar.data?.[0][1].find(({ isActive }) => isActive)
  const [week, showWeek] = useShownWeek(cycle, calendar.data?.[1])
  const asking = useAllergyConfirmation(ordering)
  const [plan, setPlan] = useState<CycleWeek | null>(null)
  const ofToday: DayActs['ofToday'] = useCallback(
    (orderId, describedBy) => <TodaysAbsence orderId={orderId} as={as} describedBy={describedBy} />,
    [as],
  )
  const hasPlans = useQuery(orderingRulesQuery).data?.plans === true
  const ofPlan: DayActs['ofPlan'] = useCallback(
    (studentId, date) =>
      hasPlans ? (
        <Suspense>
          <PlannedDay studentId={studentId} date={date} />
        </Suspense>
      ) : null,
    [hasPlans],
  )
  const hasBar = !picker || !cycle || !isOver(cycle) || cart.items.length > 0
  return (
    <div className="flex flex-col gap-2 md:gap-3">
      {orders.error ? <Notice tone="warning">Failed to fetch orders</Notice> : null}
      {ordering.marksFailed ? (
        <Notice tone="warning">
          Meals are not marked for allergies and diets right now. They are checked when you place the order.
        </Notice>
      ) : null}
      <QueryResult
        query={calendar}
        failure="Failed to load the menu. Please try again."
        waiting={<CalendarSkeleton />}
      >
        {([[items, cycles], known]) => (
          <>
            {introduction}
            {cycle && week ? (
              <WeekAtHead
                ordering={ordering}
                cycle={cycle}
                items={items}
                orders={known}
                eaters={eaters}
                week={week}
                onWeek={showWeek}
                onAdd={asking.add}
                onRemove={ordering.remove}
              />
            ) : null}
            {picker}
            <CutoffLine next={nextToOrder([[items, cycles], known], eater)} />
            <Suspense fallback={<CalendarSkeleton />}>
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
                ofToday={ofToday}
                ofPlan={ofPlan}
              />
            </Suspense>
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
                  renderFurther={(meals) => (
                    <Suspense>
                      <FurtherWeeks
                        meals={meals}
                        week={plan}
                        eaters={eaters}
                        ordering={ordering}
                        onSaved={() => setPlan(null)}
                      />
                    </Suspense>
                  )}
                />
              ) : null}
            </Suspense>
          </>
        )}
      </QueryResult>
      {hasBar ? (
        <OrderBar
          ordering={ordering}
          eaters={eaters}
          chosen={eater}
          onChoose={onChoose}
          week={picker ? week : undefined}
          onPlan={setPlan}
        />
      ) : null}
    </div>
  )
}

const Coming = () => (
  <div className="fixed inset-0 z-40 grid place-items-center bg-scrim text-scrim-ink">
    <Spinner />
  </div>
)

/** The first day before its cutoff that has a meal for this child, open or ordered. */
const nextToOrder = ([[items, cycles], orders]: CalendarData, eater: Eater): DayView | undefined => {
  const active = cycles.find(({ isActive }) => isActive)
  return weekViews(active, eater, items, orders)
    .flat()
    .find(
      ({ day, content }) => day.state === 'open' && (content.kind === 'meals' || content.kind === 'ordered'),
    )
}

/** Of today, or of the next day where orders close on a day before. */
const CutoffLine = ({ next }: { next: DayView | undefined }) => {
  const cutoff = useQuery(calendarCutoffQuery)
  if (cutoff.error) return <p className="text-sm text-muted">Failed to fetch cutoff time settings</p>
  if (!next || !(next.isToday || (cutoff.data?.daysBefore ?? 0) > 0)) return null
  const meal = next.isToday ? "Today's meal" : `${weekdayOf(next.day.date)}'s meal`
  // Reserves the line's place.
  return (
    <p className="min-h-6 text-sm text-muted">
      {cutoff.data ? `${meal} can be ordered until ${orderUntil(next)}.` : null}
    </p>
  )
}

const places = [1, 2, 3, 4, 5]

/** The place of the first week while the menu is on its way: the weeks to jump to, and days of two meals. */
export const CalendarSkeleton = () => (
  <output className="flex flex-col gap-4">
    <span className="sr-only">Loading</span>
    <Skeleton className="h-11 sm:w-1/3" />
    <Skeleton className="h-14 sm:w-2/3" />
    <div className="grid gap-3 lg:grid-cols-5">
      {places.map((day) => (
        <div key={day} className="rounded-lg border border-line bg-surface">
          <Skeleton className="h-10 rounded-b-none" />
          {places.slice(3).map((meal) => (
            <div key={meal} className="flex flex-col gap-2 p-3">
              <Skeleton className="h-5 w-2/3" />
              <Skeleton className="h-4" />
              <Skeleton className="h-11" />
            </div>
          ))}
        </div>
      ))}
    </div>
  </output>
)

type Asked = { eater: Eater; meal: DayChoice; words: string }

/** Asks before a meal in conflict if the rule is `warn`; refuses if `block`. */
const useAllergyConfirmation = ({ add, marks }: Ordering) => {
  const [asked, setAsked] = useState<Asked | null>(null)
  const addOrAsk: DayActs['onAdd'] = useCallback(
    (eater, meals) => {
      const [meal] = meals
      if (!meal) return
      const { conflict, rule } = markOf(marks, eater, meal.item)
      if (rule === 'warn' && conflict) setAsked({ eater, meal, words: conflict })
      else if (rule === null) add(eater, [meal])
    },
    [add, marks],
  )
  return {
    add: addOrAsk,
    asked,
    yes: () => {
      if (asked) add(asked.eater, [{ ...asked.meal, acknowledged: true }])
      setAsked(null)
    },
    no: () => setAsked(null),
  }
}
