import { useQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams, Link } from 'react-router-dom'
import { dayEnd, type DayKind, type Closing } from '#contracts/books'
import * as z from 'zod/mini'
import { downloadFrom } from '../../../lib/files'
import { schoolDate, schoolNow, dateAndTime } from '../../../lib/school-moment'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { combinedQuery, QueryResult, type QueryState } from '../../../ui/query-result'
import { Segmented } from '../../../ui/radio-cards'
import { TextField } from '../../../ui/field'
import { closingsQuery, dayEndAddress, dayEndQuery, type Asked, DayTable, closing } from './day-table'
import { longDay, longDate } from '../../../lib/format'
import { notifyOutcome } from '../../../lib/toast'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { consolePaths } from '../../../lib/paths'

/** By day of booking or of the meal. */
export const DayEnd = () => {
  const [address, setAddress] = useSearchParams()
  const asked = askedIn(address)
  const change = (changed: Partial<Asked>) => {
    const next = new URLSearchParams(address)
    for (const [name, value] of Object.entries({ ...asked, ...changed })) next.set(name, value)
    setAddress(next, { replace: true })
  }
  const days = useQuery(dayEndQuery(asked))
  const closed = useQuery(closingsQuery)
  const [closing, setClosing] = useState<string | null>(null)
  return (
    <div className="flex flex-col gap-5">
      <Card>
        <CardBody className="flex flex-col gap-4">
          <RangeForm key={`${asked.from} ${asked.to}`} asked={asked} onChange={change} />
          <QueryResult query={combinedQuery(days, closed)} failure="Failed to fetch the days">
            {([reply, { data }]) => (
              <DayTable
                days={reply.days}
                totals={reply.totals}
                closed={new Set(data.map(({ date }) => date))}
                // Closing covers bookings only.
                onClose={asked.by === 'payment' ? setClosing : null}
              />
            )}
          </QueryResult>
        </CardBody>
      </Card>
      <ClosedDays query={closed} />
      {closing ? <CloseDay date={closing} onClose={() => setClosing(null)} /> : null}
    </div>
  )
}

/** Default: this month until today by booking. */
const askedIn = (address: URLSearchParams): Asked => {
  const today = schoolDate(schoolNow())
  const by: DayKind = address.get('by') === 'meal' ? 'meal' : 'payment'
  const asked = { from: address.get('from') ?? '', to: address.get('to') ?? '', by }
  return isRange(asked) ? asked : { from: `${today.slice(0, 8)}01`, to: today, by }
}

const isRange = (asked: Asked): boolean => z.safeParse(dayEnd.query, asked).success

const kinds = [
  { value: 'payment', label: 'By payment' },
  { value: 'meal', label: 'By meal' },
] as const

type RangeFormProps = { asked: Asked; onChange: (changed: Partial<Asked>) => void }

const RangeForm = ({ asked, onChange }: RangeFormProps) => {
  const [typed, setTyped] = useState({ from: asked.from, to: asked.to })
  const type = (changed: Partial<typeof typed>) => {
    const next = { ...typed, ...changed }
    setTyped(next)
    if (isRange({ ...asked, ...next })) onChange(next)
  }
  const error = isRange({ ...asked, ...typed })
    ? undefined
    : 'Please choose at most 366 days, the first one first'
  return (
    <div className="grid grid-cols-2 items-start gap-3 lg:grid-cols-[12rem_12rem_16rem_1fr]">
      <TextField
        label="From"
        type="date"
        value={typed.from}
        onChange={({ target }) => type({ from: target.value })}
      />
      <TextField
        label="To"
        type="date"
        value={typed.to}
        error={error}
        onChange={({ target }) => type({ to: target.value })}
      />
      <div className="self-end max-lg:col-span-2 lg:pb-0.5">
        <Segmented label="Days of" segments={kinds} value={asked.by} onChange={(by) => onChange({ by })} />
      </div>
      <Button
        variant="secondary"
        icon="download"
        className="self-end max-lg:col-span-2 lg:justify-self-end"
        onClick={() => downloadFrom(dayEndAddress(asked))}
      >
        Export CSV
      </Button>
    </div>
  )
}

export const CloseDay = ({ date, onClose }: { date: string; onClose: () => void }) => {
  const closes = useMutation(closing)
  const confirm = async () => {
    await notifyOutcome(closes.mutateAsync({ body: { date } }), {
      done: 'The day is closed',
      failed: 'Failed to close the day',
    })
    onClose()
  }
  return (
    <ConfirmDialog
      open
      title={`Close ${longDay(date)}?`}
      confirm="Close the day"
      busy={closes.isPending}
      busyLabel="Closing"
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      Its figures are kept as they are now, under your name, and the day is not opened again. What is booked
      later stands in the day on which it is booked.
    </ConfirmDialog>
  )
}

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
