import type { ReactNode } from 'react'
import type { classList, ClassListEntry } from '#contracts/class-list'
import type { ReplyOf } from '#contracts/endpoint'
import { Card } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { QueryResult, type QueryState } from '../../ui/query-result'

type LunchesOfDayProps = {
  lunches: QueryState<ReplyOf<typeof classList>>
  /** What is said where there are none. */
  none: string
  children: (lunches: ClassListEntry[]) => ReactNode
}

/** The lunches of a day once they are read, or why there are none: no order, or none that matches the choice. */
export const LunchesOfDay = ({ lunches, none, children }: LunchesOfDayProps) => (
  <QueryResult
    query={lunches}
    failure="Failed to fetch orders"
    isEmpty={({ data }) => data.length === 0}
    empty={
      <Card>
        <EmptyState title={none}>
          {lunches.data?.grades.length
            ? 'No lunch of this day matches the choice above.'
            : 'Nobody has ordered for this day.'}
        </EmptyState>
      </Card>
    }
  >
    {({ data }) => children(data)}
  </QueryResult>
)
