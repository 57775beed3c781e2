import { useQuery } from '@tanstack/react-query'
import { listConflicts } from '#contracts/order-reports'
import { endpointQuery, refetchOnMount } from '../../lib/endpoint-query'
import { counted, longDay } from '../../lib/format'
import { Notice } from '../../ui/notice'
import { QueryResult } from '../../ui/query-result'

// Refetched whenever opened: health and menu change elsewhere.
const conflictsQuery = { ...endpointQuery('ordering', listConflicts, {}), staleTime: refetchOnMount }

/** Future meals with an unaccepted allergen. */
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
        <div className="mb-4 print:hidden">
          <Notice
            tone="warning"
            title={`${counted(data.length, 'meal')} with something the child is allergic to`}
          >
            <ul className="max-h-48 w-full overflow-y-auto">
              {data.map(({ orderId, student, date, menuItem, allergens }) => (
                <li key={orderId} className="break-words">
                  {longDay(date)}: {menuItem} for {student} contains <strong>{allergens.join(', ')}</strong>
                </li>
              ))}
            </ul>
          </Notice>
        </div>
      )}
    </QueryResult>
  )
}
