import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { ReplyOf } from '#contracts/endpoint'
import { minFindLength, find } from '#contracts/find'
import type { User } from '#contracts/identity'
import { listQuery } from '../../lib/endpoint-query'
import { capitalised, kwacha, shortDay, paidFromText, payByLabel } from '../../lib/format'
import { maxSearchLength } from '../../lib/list-address'
import { consolePaths, paths } from '../../lib/paths'
import { dateAndTime } from '../../lib/school-moment'
import { usePaused } from '../../lib/use-time'
import { Badge } from '../../ui/badge'
import { Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/field'
import { QueryResult, SkeletonLines, EmptyState } from '../../ui/query-result'

type FindDialogProps = { user: User; onClose: () => void }

const typingMs = 250

export const FindDialog = ({ user, onClose }: FindDialogProps) => {
  const [typed, setTyped] = useState('')
  const q = usePaused(typed.trim(), typingMs)
  const isLong = q.length >= minFindLength
  const found = useQuery({ ...findQuery(q), enabled: isLong })
  const box = useRef<HTMLDivElement>(null)
  const [entered, setEntered] = useState<string | null>(null)
  const isAnswered = isLong && found.data !== undefined && !found.isFetching
  // Enter may come before the answer does.
  useEffect(() => {
    if (entered !== null && entered === q && isAnswered) box.current?.querySelector('a')?.click()
  }, [entered, q, isAnswered])
  const move = (event: KeyboardEvent) => {
    const places: HTMLElement[] = [...(box.current?.querySelectorAll<HTMLElement>('input, a') ?? [])]
    const at = places.indexOf(document.activeElement as HTMLElement)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      places[at + step]?.focus()
    } else if (event.key === 'Enter' && at === 0) setEntered(typed.trim())
  }
  return (
    <Dialog open wide onClose={onClose} title="Find a family, payment or order">
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- adds keys to the field and links inside */}
      <div ref={box} onKeyDown={move}>
        <TextField
          label="What to look for"
          hint="A reference, name, phone number, email address, amount, or the provider's number"
          type="search"
          value={typed}
          maxLength={maxSearchLength}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog begins with what is to be done in it
          autoFocus
          autoComplete="off"
          onChange={(event) => {
            setTyped(event.target.value)
            setEntered(null)
          }}
        />
        <div aria-live="polite" className="mt-4 min-h-40">
          {isLong ? (
            <QueryResult query={found} failure="The search failed" waiting={<SkeletonLines lines={4} />}>
              {(results) => <FindResults results={results} user={user} onFollow={onClose} />}
            </QueryResult>
          ) : (
            <p className="text-sm text-muted">{`Type at least ${minFindLength} characters.`}</p>
          )}
        </div>
      </div>
    </Dialog>
  )
}

type Found = ReplyOf<typeof find>
type FindResultsProps = { results: Found; user: User; onFollow: () => void }

/** Each result links to its family or section. */
export const FindResults = ({ results, user, onFollow }: FindResultsProps) => {
  const { families, payments, orders, statementRows } = results
  if (families.length + payments.length + orders.length + statementRows.length === 0)
    return <EmptyState title="No results found" icon="search" />
  const of = (found: { familyId: number | null; reference: string }) =>
    found.familyId === null ? sectionOf(user, found.reference) : paths.family(found.familyId)
  return (
    <div className="flex flex-col gap-5">
      <Group title="Families">
        {families.map((family) => (
          <Result
            key={family.id}
            to={paths.family(family.id)}
            onFollow={onFollow}
            title={`${family.name} (${family.username})`}
            more={[family.phone, family.email, family.students.map(({ name }) => name).join(', ')]}
            badge={
              family.unpaid > 0 ? <Badge tone="warning">{`${kwacha(family.unpaid)} unpaid`}</Badge> : null
            }
          />
        ))}
      </Group>
      <Group title="Payments">
        {payments.map((payment) => (
          <Result
            key={payment.id}
            to={of(payment)}
            onFollow={onFollow}
            title={`${kwacha(payment.amount)}, ${payment.username}`}
            more={[
              payment.reference,
              payment.payBy && payByLabel(payment.payBy),
              paidFromText(payment.paidFrom),
              payment.receivedAmount === null ? null : `Received ${kwacha(payment.receivedAmount)}`,
              dateAndTime(payment.at),
            ]}
            badge={
              payment.unpaid > 0 ? (
                <Badge tone="warning">{`${kwacha(payment.unpaid)} unpaid`}</Badge>
              ) : (
                <Badge>{payment.status}</Badge>
              )
            }
          />
        ))}
      </Group>
      <Group title="Orders">
        {orders.map((order) => (
          <Result
            key={order.id}
            to={of(order)}
            onFollow={onFollow}
            title={`${order.menuItem.name} for ${order.student.name}, ${shortDay(order.mealDate)}`}
            more={[order.username, kwacha(order.price), order.reference]}
            badge={
              <Badge
                tone={order.paymentStatus === 'pending' && order.status === 'pending' ? 'warning' : 'neutral'}
              >
                {order.status === 'pending' && order.paymentStatus === 'pending'
                  ? 'Not paid yet'
                  : capitalised(order.status)}
              </Badge>
            }
          />
        ))}
      </Group>
      <Group title="Statements">
        {statementRows.map((row) => (
          <Result
            key={row.id}
            to={consolePaths.statement(row.statementId)}
            onFollow={onFollow}
            title={`${kwacha(row.amount)}, ${row.payer ?? row.phone ?? row.text ?? 'unknown payer'}`}
            more={[row.transactionId, row.text, dateAndTime(row.at)]}
            badge={
              <Badge tone={row.state === 'open' ? 'warning' : 'neutral'}>{capitalised(row.state)}</Badge>
            }
          />
        ))}
      </Group>
    </div>
  )
}

/** For callers without access to families. */
const sectionOf = (user: User, reference: string): string =>
  user.allowedFeatures.includes('live_orders')
    ? consolePaths.sectionWith('live_orders', { transactionId: reference })
    : consolePaths.sectionWith('order_recovery', { text: reference })

const Group = ({ title, children }: { title: string; children: readonly ReactNode[] }) =>
  children.length === 0 ? null : (
    <section aria-label={title}>
      <h3 className="mb-1 font-semibold">{title}</h3>
      <ul className="divide-y divide-line rounded-md border border-line">{children}</ul>
    </section>
  )

type ResultProps = {
  to: string
  onFollow: () => void
  title: string
  more: readonly (string | null)[]
  badge: ReactNode
}

const Result = ({ to, onFollow, title, more, badge }: ResultProps) => (
  <li>
    <Link
      to={to}
      onClick={onFollow}
      className="flex flex-col items-start gap-1.5 px-3 py-2.5 hover:bg-sand-50 focus-visible:bg-sand-50 sm:flex-row sm:justify-between sm:gap-3"
    >
      <span className="min-w-0">
        <span className="block font-semibold break-words">{title}</span>
        <span className="block text-sm break-words text-muted">{more.filter(Boolean).join(' · ')}</span>
      </span>
      <span className="shrink-0">{badge}</span>
    </Link>
  </li>
)

export const findQuery = (q: string) => listQuery('payments', find, { query: { q } })
