import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { listClosures } from '#contracts/closures'
import type { ReplyOf } from '#contracts/endpoint'
import { refresh } from '../../../lib/endpoint-query'
import { counted, kwacha, wholeNumber } from '../../../lib/format'
import { dateAndTime } from '../../../lib/school-moment'
import { notifyOutcome } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { Notice } from '../../../ui/notice'
import { QueryResult } from '../../../ui/query-result'
import { type Closure, closureContexts, closureQuery, isAtWork, undo } from '../api'
import { datesText, Facts, whomText } from '../cycle-text'

type ClosureDialogProps = {
  closure: ReplyOf<typeof listClosures>['data'][number]
  onClose: () => void
}

export const ClosureDialog = ({ closure, onClose }: ClosureDialogProps) => (
  <Dialog open title={datesText(closure.dates)} onClose={onClose}>
    <ClosureView key={closure.id} {...closure} isUndone={closure.undoneAt !== null} />
  </Dialog>
)

type ClosureViewProps = {
  id: string
  reason: string
  closedAt: string
  closedBy: string
  canUndo: boolean
  isUndone: boolean
  undoneAt?: string | null
  undoneBy?: string | null
  grades?: string[]
  classes?: string[]
}

/** Reason, author, progress, result and undo. */
export const ClosureView = ({
  id,
  reason,
  closedAt,
  closedBy,
  canUndo,
  isUndone,
  undoneAt,
  undoneBy,
  ...whom
}: ClosureViewProps) => {
  const closure = useQuery(closureQuery(id))
  useRefreshWhenDone(closure.data)
  const isOpenAgain = isUndone || closure.data?.undone !== undefined
  const some = whomText(whom)
  const closed = `Closed${some && ` for ${some}`} by ${closedBy}, ${dateAndTime(closedAt)}`
  return (
    <div className="flex flex-col gap-4">
      {isOpenAgain ? (
        <Notice title="This closure was undone">
          {undoneBy && undoneAt ? <p>{`Undone by ${undoneBy}, ${dateAndTime(undoneAt)}`}</p> : null}
          <p>{`${closed}: ${reason}`}</p>
        </Notice>
      ) : (
        <Notice tone="warning" title={reason}>
          <p>{closed}</p>
        </Notice>
      )}
      <QueryResult query={closure} failure="Failed to fetch closure">
        {(now) => (
          <>
            {isAtWork(now) ? <Progress {...now} /> : null}
            <div aria-live="polite" className="empty:hidden">
              {now.undone && !isAtWork(now) ? <Undone {...now.undone} /> : null}
            </div>
            {isOpenAgain ? <h3 className="text-sm font-semibold">Before it was undone</h3> : null}
            <Outcome closure={now} />
          </>
        )}
      </QueryResult>
      {canUndo && !isOpenAgain ? <Undo id={id} /> : null}
    </div>
  )
}

const Progress = ({ done, total, undone }: Closure) => {
  const words = `${wholeNumber(done)} of ${wholeNumber(total)} orders done`
  return (
    <div>
      <p className="mb-1 text-sm font-semibold">{`${undone ? 'Restoring' : 'Cancelling'}: ${words}. It goes on when you leave.`}</p>
      <progress aria-label="Orders done" value={done} max={total} className="h-3 w-full accent-brand-700">
        {words}
      </progress>
    </div>
  )
}

const Outcome = ({ closure }: { closure: Closure }) => (
  <div className="flex flex-col gap-3">
    <Facts
      short
      facts={[
        ['Cancelled', wholeNumber(closure.cancelled)],
        ['Of these unpaid', wholeNumber(closure.unpaidCancelled)],
        ['Owed', kwacha(closure.owed)],
        ['Families', wholeNumber(closure.families)],
      ]}
    />
    <NotTold count={closure.notTold} />
    <LeftOrders title="Left as before" orders={closure.skipped} />
  </div>
)

const NotTold = ({ count }: { count: number }) =>
  count > 0 ? (
    <p className="text-sm font-semibold text-danger-700">
      {`${counted(count, 'family has', 'families have')} no address and could not be told.`}
    </p>
  ) : null

/** Refetches once the last order is done. */
const useRefreshWhenDone = (closure: Closure | undefined) => {
  const client = useQueryClient()
  const wasAtWork = useRef(false)
  useEffect(() => {
    const atWork = closure !== undefined && isAtWork(closure)
    if (wasAtWork.current && !atWork) void refresh(client, ...closureContexts)
    wasAtWork.current = atWork
  }, [client, closure])
}

/** Asks before it undoes. */
const Undo = ({ id }: { id: string }) => {
  const [asking, setAsking] = useState(false)
  const undoing = useMutation(undo)
  const act = async () => {
    const sent = undoing.mutateAsync({ params: { id }, body: undefined })
    await notifyOutcome(sent, { failed: 'Failed to undo closure' })
    setAsking(false)
  }
  if (!asking)
    return (
      <Button variant="secondary" icon="undo" className="self-start" onClick={() => setAsking(true)}>
        Undo
      </Button>
    )
  return (
    <Notice tone="warning" title="Undo this closure?">
      <p>
        All its days open again, and every cancelled order is restored whose money was not paid out or spent
        and whose date is free and before its cutoff. Every family that gets meals back is told once.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" variant="secondary" disabled={undoing.isPending} onClick={() => setAsking(false)}>
          Keep closed
        </Button>
        <Button
          size="sm"
          icon="undo"
          busy={undoing.isPending}
          busyLabel="Undoing..."
          onClick={() => void act()}
        >
          Undo closure
        </Button>
      </div>
    </Notice>
  )
}

const Undone = ({ restored, notRestored, families, notTold }: NonNullable<Closure['undone']>) => (
  <section aria-label="Undone" className="flex flex-col items-start gap-3">
    <p className="font-semibold">
      {`Closure undone: ${counted(restored, 'order')} restored, ${counted(families - notTold, 'family', 'families')} told.`}
    </p>
    <NotTold count={notTold} />
    <LeftOrders title="Not restored" orders={notRestored} />
  </section>
)

type LeftOrdersProps = { title: string; orders: Closure['skipped'] }

export const LeftOrders = ({ title, orders }: LeftOrdersProps) =>
  orders.length === 0 ? null : (
    <section aria-label={title} className="w-full">
      <h3 className="text-sm font-semibold">{title}</h3>
      <ul className="flex flex-col gap-1 text-sm">
        {byMessage(orders).map(({ message, left }) => (
          <li key={message}>
            <details>
              <summary className="cursor-pointer py-1">{`${counted(left.length, 'order')}: ${message}`}</summary>
              <p className="text-xs break-words text-muted">
                {left.map(({ orderId }) => orderId).join(', ')}
              </p>
            </details>
          </li>
        ))}
      </ul>
    </section>
  )

const byMessage = (orders: Closure['skipped']) =>
  [...new Set(orders.map(({ message }) => message))].map((message) => ({
    message,
    left: orders.filter((order) => order.message === message),
  }))
