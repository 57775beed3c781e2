import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'
import { dayName } from '../../lib/format'
import { Card } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { QueryResult } from '../../ui/query-result'
import { SkeletonLines } from '../../ui/skeleton'
import { cycleLengthQuery, kitchenQuery } from './api'
import { ChangesSlip } from './changes/changes-slip'
import { ClassLists } from './class-lists/class-lists'
import { CookingList } from './cooking/cooking-list'
import { Labels } from './labels/labels'
import { KitchenHeader } from './kitchen-header'
import {
  addressWithChanges,
  addressWithLabels,
  addressWithList,
  changedDay,
  listedDay,
  addressWithDay,
  addressWithView,
  dayFromAddress,
  emptyLabel,
  viewFromAddress,
  viewsOf,
} from './kitchen-view'

/** What the kitchen cooks: today, or one week of the cycle, by day; and who gets it on one of these days. */
export const KitchenScreen = () => {
  const [search, setSearch] = useSearchParams()
  const listed = listedDay(search)
  const changed = changedDay(search)
  if (changed !== null)
    return (
      <ChangesSlip
        date={changed}
        onBack={() => setSearch(addressWithChanges(search, null), { replace: true })}
      />
    )
  if (listed === null) return <Portions />
  if (search.has('labels'))
    return (
      <Labels date={listed} onBack={() => setSearch(addressWithLabels(search, false), { replace: true })} />
    )
  return (
    <ClassLists
      date={listed}
      onBack={() => setSearch(addressWithList(search, null), { replace: true })}
      onLabels={() => setSearch(addressWithLabels(search, true))}
    />
  )
}

const Portions = () => {
  const [search, setSearch] = useSearchParams()
  const length = useQuery(cycleLengthQuery)
  const weeks = length.data?.cycleLength ?? defaultLength
  const view = viewFromAddress(search, length.isPending ? longest : weeks)
  const day = dayFromAddress(search, view)
  const orders = useQuery(kitchenQuery(view, day))
  const shown = orders.data?.date ?? null
  return (
    <div className="flex flex-col gap-5 print:block">
      <KitchenHeader
        view={view}
        views={viewsOf(weeks)}
        day={day}
        shown={shown}
        onView={(next) => setSearch(addressWithView(search, next))}
        onDay={(next) => setSearch(addressWithDay(search, next))}
        onChanges={(date) => setSearch(addressWithChanges(search, date))}
        orders={orders}
      />
      <QueryResult
        query={orders}
        failure="Failed to fetch orders"
        waiting={<SkeletonLines lines={6} className="h-20" />}
        isEmpty={({ totals }) => totals.length === 0}
        empty={
          <Card>
            <EmptyState title={emptyLabel(view, shown)}>
              {day === null
                ? 'Orders appear here as soon as they are placed.'
                : `Nothing is ordered for ${dayName(day)}. Choose all days to see the others.`}
            </EmptyState>
          </Card>
        }
      >
        {({ totals, ...health }) => (
          <CookingList
            key={`${view}/${day}`}
            totals={totals}
            health={health}
            onList={(date) => setSearch(addressWithList(search, date))}
          />
        )}
      </QueryResult>
    </div>
  )
}

/** The length of a cycle in weeks when the setting is not there, and the longest there is. */
const defaultLength = 4
const longest = 6
