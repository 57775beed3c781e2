import { useQuery } from '@tanstack/react-query'
import { conflictFacts } from '#contracts/health'
import { type ConflictRow, listConflicts } from '#contracts/order-reports'
import { endpointQuery, refetchOnMount } from '../../lib/endpoint-query'
import { counted, longDay } from '../../lib/format'
import { Icon } from '../../ui/icon'
import { QueryResult } from '../../ui/query-result'

// Refetched whenever opened: health and menu change elsewhere.
const conflictsQuery = { ...endpointQuery('ordering', listConflicts, {}), staleTime: refetchOnMount }

/** Future meals with something against them that nobody accepted. */
export const MealsInConflict = () => {
  const conflicts = useQuery(conflictsQuery)
  return (
    <QueryResult
      query={conflicts}
      failure="Failed to load meals that need a look"
      waiting={null}
      isEmpty={({ data }) => data.length === 0}
      empty={null}
    >
      {({ data }) => (
        <details className="group mb-4 rounded-lg border border-warning-200 bg-warning-50 text-warning-700 print:hidden">
          <summary className="flex min-h-11 cursor-pointer items-center gap-3 px-4 py-1.5 text-sm font-semibold">
            <Icon name="alert" />
            <span className="min-w-0 flex-1">
              {`${counted(mealsIn(data), 'meal')} with something the child is allergic to or does not eat`}
            </span>
            <Icon name="chevron-down" className="group-open:rotate-180" />
          </summary>
          <Meals meals={data} />
        </details>
      )}
    </QueryResult>
  )
}

const mealsIn = (rows: readonly ConflictRow[]): number =>
  rows.reduce((sum, row) => sum + ('conflicts' in row ? row.conflicts : 1), 0)

const Meals = ({ meals }: { meals: readonly ConflictRow[] }) => (
  <ul className="max-h-64 overflow-y-auto px-4 pb-3 text-sm">
    {meals.map((meal) =>
      'conflicts' in meal ? (
        <li key={`${meal.date} ${meal.menuItem}`} className="break-words">
          {longDay(meal.date)}: {meal.menuItem} –{' '}
          <strong>{counted(meal.conflicts, 'child', 'children')}</strong>
        </li>
      ) : (
        <li key={meal.orderId} className="break-words">
          {longDay(meal.date)}: {meal.menuItem} for {meal.student} – <strong>{conflictFacts(meal)}</strong>
        </li>
      ),
    )}
  </ul>
)
