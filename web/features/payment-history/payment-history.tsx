import { useQuery } from '@tanstack/react-query'
import { type HistoryEntry, attemptHistory, orderHistory } from '#contracts/payments-console'
import { endpointQuery } from '../../lib/endpoint-query'
import { kwacha } from '../../lib/format'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { EmptyState, QueryResult } from '../../ui/query-result'
import type { HistorySubject } from './history-subject'

type PaymentHistoryProps = { subject: HistorySubject; onClose: () => void }

export const PaymentHistory = ({ subject, onClose }: PaymentHistoryProps) => {
  const history = useQuery(historyQuery(subject))
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="What happened"
      description={subject.title}
      actions={
        <Button variant="secondary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <QueryResult
        query={history}
        failure="Failed to fetch history"
        isEmpty={({ data }) => data.length === 0}
        empty={<EmptyState title="No results found" icon="history" />}
      >
        {({ data }) => (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
          <ol tabIndex={0} className="ml-1.5 flex flex-col border-l-2 border-sand-200">
            {data.map((entry, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- a history only ever grows at its end
              <Happening key={at} entry={entry} />
            ))}
          </ol>
        )}
      </QueryResult>
    </Dialog>
  )
}

const Happening = ({ entry }: { entry: HistoryEntry }) => (
  <li className="relative pb-5 pl-5 last:pb-1">
    <span aria-hidden="true" className="absolute top-2 -left-1.5 size-2.5 rounded-xl bg-brand-600" />
    <div className="flex items-baseline justify-between gap-x-4">
      <p className="min-w-0 font-semibold break-words">{entry.what}</p>
      {entry.amount === null ? null : <p className="money font-semibold">{kwacha(entry.amount)}</p>}
    </div>
    <p className="text-sm text-muted">
      <time dateTime={entry.at} className="money">
        {entry.schoolTime}
      </time>
      {` · ${entry.who}`}
    </p>
    <Details details={entry.details} />
  </li>
)

const ids = [/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/, /\d\.\d{4}-\d\d-\d\d\.\d/]

const Details = ({ details }: { details: HistoryEntry['details'] }) => {
  const facts = Object.entries(details).filter(([, text]) => !ids.some((id) => id.test(text)))
  if (facts.length === 0) return null
  return (
    <dl className="mt-1.5 grid grid-cols-1 gap-x-4 gap-y-1 rounded-md bg-sand-50 px-3 py-2 text-sm sm:grid-cols-2">
      {facts.map(([term, value]) => (
        <div key={term} className="min-w-0 break-words">
          <dt className="inline font-semibold text-sand-800">{`${term}: `}</dt>
          <dd className="inline">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Refetched whenever opened. */
export const historyQuery = ({ of, id }: HistorySubject) => ({
  ...endpointQuery('payments', of === 'order' ? orderHistory : attemptHistory, { params: { id } }),
  staleTime: 0,
})
