import { useQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import * as z from 'zod/mini'
import { bookMethods, dayEnd, type BookMethod, type DayFigures, type DayKind } from '#contracts/books'
import { CallError } from '../../../lib/call'
import { downloadFrom } from '../../../lib/files'
import { counted, kwacha, longDay, shortDay } from '../../../lib/format'
import { schoolDate, schoolNow } from '../../../lib/school-moment'
import { adminToast, notifyFailure } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { Card, CardBody } from '../../../ui/card'
import { ChartFigure } from '../../../ui/chart-card'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { TextField } from '../../../ui/field'
import { LongWork } from '../../../ui/long-work'
import { combinedQuery, QueryResult } from '../../../ui/query-result'
import { Segmented } from '../../../ui/radio-cards'
import { CloseDay, ClosedDays, whatClosing } from './closing-days'
import {
  closingsQuery,
  dayEndAddress,
  dayEndQuery,
  type Asked,
  DayTable,
  closing,
  isQuiet,
  methodNames,
  receivedIn,
} from './day-table'

/** By day of booking or of the meal. */
export const DayEnd = () => {
  const [address, setAddress] = useSearchParams()
  const range = askedIn(address)
  const change = (changed: Partial<Asked>) => {
    const next = new URLSearchParams(address)
    for (const [name, value] of Object.entries({ ...range, ...changed })) next.set(name, value)
    setAddress(next, { replace: true })
  }
  const days = useQuery(dayEndQuery(range))
  const closed = useQuery(closingsQuery)
  const [asked, setAsked] = useState<readonly string[]>([])
  const run = useClosing()
  return (
    <div className="flex flex-col gap-5">
      <Card>
        <CardBody className="flex flex-col gap-4">
          <RangeForm key={`${range.from} ${range.to}`} asked={range} onChange={change} />
          <QueryResult query={combinedQuery(days, closed)} failure="Failed to fetch the days">
            {([reply, { data }]) => {
              const closed = new Set(data.map(({ date }) => date))
              // Closing covers bookings only.
              const open = range.by === 'payment' ? toClose(reply.days, closed) : []
              return (
                <>
                  <ReceivedChart days={reply.days} />
                  {run.progress ? (
                    <LongWork label="Days closed" progress={run.progress}>
                      {`Closing day ${run.progress.done + 1} of ${run.progress.total}. You can work elsewhere in the console; keep this browser tab open.`}
                    </LongWork>
                  ) : null}
                  {open.length > 1 && !run.progress ? (
                    <Button variant="secondary" className="self-start" onClick={() => setAsked(open)}>
                      {`Close ${open.length} Days`}
                    </Button>
                  ) : null}
                  <DayTable
                    days={reply.days}
                    totals={reply.totals}
                    by={range.by}
                    closed={closed}
                    onClose={range.by === 'payment' && !run.progress ? (date) => setAsked([date]) : null}
                  />
                </>
              )
            }}
          </QueryResult>
        </CardBody>
      </Card>
      <ClosedDays query={closed} />
      {asked.length === 1 ? (
        <CloseDay
          date={asked[0]!}
          till={days.data?.days.find(({ date }) => date === asked[0])?.till}
          onClose={() => setAsked([])}
        />
      ) : null}
      {asked.length > 1 ? (
        <ConfirmDialog
          open
          title={`Close ${asked.length} days?`}
          confirm={`Close ${asked.length} days`}
          onConfirm={() => {
            void run.start(asked)
            setAsked([])
          }}
          onClose={() => setAsked([])}
        >
          {`${longDay(asked[0]!)} to ${longDay(asked.at(-1)!)}, the oldest first. ${whatClosing('Their')}`}
        </ConfirmDialog>
      ) : null}
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
    : 'Please choose at most 366 days, from the first to the last'
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

/** Oldest first; days before today with bookings. */
const toClose = (days: readonly DayFigures[], closed: ReadonlySet<string>): string[] => {
  const today = schoolDate(schoolNow())
  return days
    .filter((day) => day.date < today && !isQuiet(day) && !closed.has(day.date))
    .map(({ date }) => date)
    .toSorted()
}

type Progress = { done: number; total: number }

/** Closes day by day, and goes on when the screen is left. Stops at a refusal, but not at a day that is closed. */
const useClosing = () => {
  const [progress, setProgress] = useState<Progress | null>(null)
  const closes = useMutation(closing)
  const start = async (dates: readonly string[]) => {
    let done = 0
    try {
      for (const date of dates) {
        setProgress({ done, total: dates.length })
        try {
          await closes.mutateAsync({ body: { date } })
        } catch (error) {
          if (!(error instanceof CallError) || error.code !== 'day_closed')
            return notifyFailure(
              error,
              'Try again later',
              `${done} of ${dates.length} days closed. ${longDay(dates[done]!)} was refused`,
            )
        }
        done += 1
      }
      adminToast({ title: `${counted(done, 'day')} closed` })
    } finally {
      setProgress(null)
    }
  }
  return { progress, start }
}

const ReceivedChart = ({ days }: { days: readonly DayFigures[] }) => {
  const most = Math.max(...days.map(receivedIn))
  if (!(most > 0)) return null
  const best = days.find((day) => receivedIn(day) === most)!
  const used = bookMethods.filter((method) => days.some((day) => amountBy(day, method) !== 0))
  return (
    <div className="flex flex-col gap-1">
      <p className="text-sm text-muted">
        {`Received by day, most on ${shortDay(best.date)}: ${kwacha(most)}`}
      </p>
      <ChartFigure
        data={{
          title: 'Received by day and method',
          of: 'Day',
          series: used.map((method) => methodNames[method]),
          unit: 'kwacha',
          drawn: 'lines',
          places: days.map((day) => ({
            label: shortDay(day.date),
            values: used.map((method) => amountBy(day, method)),
          })),
        }}
        empty={null}
      />
    </div>
  )
}

const amountBy = ({ methods }: DayFigures, method: BookMethod): number =>
  methods.find((one) => one.method === method)?.amount ?? 0
