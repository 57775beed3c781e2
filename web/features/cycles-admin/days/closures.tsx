import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { listClosures } from '#contracts/closures'
import type { ReplyOf } from '#contracts/endpoint'
import { counted, kwacha } from '../../../lib/format'
import { lazyPart, usePreload } from '../../../lib/lazy'
import { dateAndTime } from '../../../lib/school-moment'
import { Badge } from '../../../ui/badge'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { EmptyState } from '../../../ui/empty-state'
import { Pager } from '../../../ui/pager'
import { QueryResult } from '../../../ui/query-result'
import { closuresQuery, isAtWork } from '../api'
import { datesWords, remedyWords } from './day-words'

const ClosureDialog = lazyPart(() => import('./closure-dialog').then((m) => m.ClosureDialog))

type ListedClosure = ReplyOf<typeof listClosures>['data'][number]

const pageSize = 10

/** Every closure there was, newest first, with who made it and when. */
export const Closures = () => {
  const query = useQuery(closuresQuery)
  const [page, setPage] = useState(1)
  const [opened, setOpened] = useState<string | null>(null)
  usePreload(ClosureDialog)
  const shown = query.data?.data.find(({ id }) => id === opened)
  return (
    <Card>
      <CardHeading title="Closed Days" hint="Newest first" />
      <CardBody className="flex flex-col gap-4">
        <QueryResult
          query={query}
          failure="Failed to fetch closures"
          isEmpty={({ data }) => data.length === 0}
          empty={<EmptyState title="No closed days" icon="calendar" />}
        >
          {({ data }) => (
            <>
              <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
                {data.slice((page - 1) * pageSize, page * pageSize).map((closure) => (
                  <ClosureRow key={closure.id} closure={closure} onOpen={() => setOpened(closure.id)} />
                ))}
              </ul>
              <Pager page={page} totalPages={Math.ceil(data.length / pageSize)} onPage={setPage} />
            </>
          )}
        </QueryResult>
      </CardBody>
      <Suspense>{shown ? <ClosureDialog closure={shown} onClose={() => setOpened(null)} /> : null}</Suspense>
    </Card>
  )
}

const ClosureRow = ({ closure, onOpen }: { closure: ListedClosure; onOpen: () => void }) => (
  <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-3 py-3 sm:px-4">
    <div className="min-w-0 flex-1 basis-60">
      <p className="flex flex-wrap items-center gap-2 font-semibold">
        {datesWords(closure.dates)}
        <StateBadge closure={closure} />
      </p>
      <p className="break-words">{closure.reason}</p>
      <p className="text-sm text-muted">{`Closed by ${closure.closedBy}, ${dateAndTime(closure.closedAt)}`}</p>
      {closure.undoneAt ? (
        <p className="text-sm text-muted">{`Undone by ${closure.undoneBy}, ${dateAndTime(closure.undoneAt)}`}</p>
      ) : null}
      {closure.cancelled > 0 ? <p className="text-sm text-muted">{didWords(closure)}</p> : null}
    </div>
    <Button
      size="sm"
      variant="secondary"
      aria-label={`Details of ${datesWords(closure.dates)}: ${closure.reason}`}
      onClick={onOpen}
    >
      Details
    </Button>
  </li>
)

const StateBadge = ({ closure }: { closure: ListedClosure }) => {
  if (closure.undoneAt) return <Badge>Undone</Badge>
  if (isAtWork(closure)) return <Badge tone="info">{`${closure.done} of ${closure.total}`}</Badge>
  return <Badge tone="danger">Closed</Badge>
}

const didWords = ({ cancelled, families, owed, remedy }: ListedClosure) =>
  `${counted(cancelled, 'order')} of ${counted(families, 'family', 'families')} cancelled, ${kwacha(owed)} as ${remedyWords[remedy]}`
