import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { OpenPayments } from '../../features/cart/open-payments'
import { lazyComponent } from '../../lib/lazy'
import { openPaymentsQuery } from '../../queries/ordering'
import { SkeletonLines } from '../../ui/query-result'
import { CalendarSkeleton } from './menu-tab'
import { hasConflict, type Ordering } from './use-ordering'

const AllergyConflicts = lazyComponent(() =>
  import('../../features/orders/allergy-conflicts').then((m) => m.AllergyConflicts),
)

const PlanIntoCart = lazyComponent(() => import('./plan-into-cart').then((m) => m.PlanIntoCart))

// A failed read counts as known: reading again must not hide the tab.
const isFirstRead = ({ isLoading, isFetched }: UseQueryResult) => isLoading && !isFetched

type HomePanelProps = { as: 'parent' | 'teacher'; tab: string; ordering: Ordering; children: ReactNode }

/** One line about what waits, above a tab that waits until they are known, so that nothing jumps. The cart has none. */
export const HomePanel = ({ as, tab, ordering, children }: HomePanelProps) => {
  const payments = useQuery(openPaymentsQuery)
  const [query] = useSearchParams()
  const [planWeek, setPlanWeek] = useState(query.get('plan'))
  const ofPlan = planWeek ? (
    <Suspense>
      <PlanIntoCart week={planWeek} ordering={ordering} onRead={() => setPlanWeek(null)} />
    </Suspense>
  ) : null
  const waiting = tab === 'menu' ? <CalendarSkeleton /> : <SkeletonLines lines={4} className="h-24" />
  if (tab !== 'cart' && [payments, ordering.orders].some(isFirstRead))
    return (
      <>
        {ofPlan}
        {waiting}
      </>
    )
  return (
    <>
      {ofPlan}
      {tab === 'cart' ? null : (
        <div className="flex flex-wrap items-start gap-2 pb-1 *:min-w-0 *:flex-1 *:has-aria-expanded:basis-full empty:hidden max-md:has-[>section:nth-of-type(2)]:[&_[data-more]]:hidden md:pb-3">
          {tab !== 'students' && hasConflict(ordering) ? (
            <Suspense fallback={<div className="min-h-11" />}>
              <AllergyConflicts as={as} />
            </Suspense>
          ) : null}
          <OpenPayments />
        </div>
      )}
      <Suspense fallback={waiting}>{children}</Suspense>
    </>
  )
}
