import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { conflictFacts } from '#contracts/health'
import { type ConflictRow, listConflicts } from '#contracts/order-reports'
import { endpointQuery, refetchOnMount } from '../../lib/endpoint-query'
import { counted, longDay } from '../../lib/format'
import { Button } from '../../ui/button'
import { Notice } from '../../ui/notice'
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
        <div className="mb-4 print:hidden">
          <Notice
            tone="warning"
            title={`${counted(mealsIn(data), 'meal')} with something the child is allergic to or does not eat`}
          >
            <Meals meals={data} />
          </Notice>
        </div>
      )}
    </QueryResult>
  )
}

const shownAtFirst = 3

const mealsIn = (rows: readonly ConflictRow[]): number =>
  rows.reduce((sum, row) => sum + ('conflicts' in row ? row.conflicts : 1), 0)

const Meals = ({ meals }: { meals: readonly ConflictRow[] }) => {
  const [all, setAll] = useState(false)
  const hidden = all ? 0 : meals.length - shownAtFirst
  return (
    <>
      <ul className="max-h-48 w-full overflow-y-auto">
        {(all ? meals : meals.slice(0, shownAtFirst)).map((meal) =>
          'conflicts' in meal ? (
            <li key={`${meal.date} ${meal.menuItem}`} className="break-words">
              {longDay(meal.date)}: {meal.menuItem} –{' '}
              <strong>{counted(meal.conflicts, 'child', 'children')}</strong>
            </li>
          ) : (
            <li key={meal.orderId} className="break-words">
              {longDay(meal.date)}: {meal.menuItem} for {meal.student} –{' '}
              <strong>{conflictFacts(meal)}</strong>
            </li>
          ),
        )}
      </ul>
      {hidden > 0 ? (
        <Button variant="secondary" size="sm" onClick={() => setAll(true)}>
          {`Show ${hidden} more`}
        </Button>
      ) : null}
    </>
  )
}
