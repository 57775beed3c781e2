import { Link } from 'react-router-dom'
import type { Closing } from '#contracts/books-days'
import { longDate } from '../../../lib/format'
import { consolePaths } from '../../../lib/console-paths'
import { dateAndTime } from '../../../lib/school-moment'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { QueryResult, type QueryState } from '../../../ui/query-result'

/** The days that were closed, the latest first, each with its page to print. */
export const ClosedDays = ({ query }: { query: QueryState<{ data: Closing[] }> }) => (
  <Card>
    <CardHeading title="Closed days" hint="Each prints on one page, with room for two signatures." />
    <CardBody>
      <QueryResult
        query={query}
        failure="Failed to fetch the closed days"
        isEmpty={({ data }) => data.length === 0}
        empty={<p className="text-sm text-muted">No day was closed yet.</p>}
      >
        {({ data }) => (
          <ul aria-label="Closed days" className="divide-y divide-line text-sm">
            {data.map(({ date, closedBy, closedAt }) => (
              <li key={date} className="flex flex-wrap justify-between gap-x-4 gap-y-1 py-2">
                <Link to={consolePaths.closing(date)} className="font-semibold text-brand-700 underline">
                  {longDate(date)}
                </Link>
                <span className="text-muted">{`by ${closedBy}, ${dateAndTime(closedAt)}`}</span>
              </li>
            ))}
          </ul>
        )}
      </QueryResult>
    </CardBody>
  </Card>
)
