import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { MenuItem, PortionsLeft } from '#contracts/catalogue'
import type { OrderCycle } from '#contracts/cycles'
import { counted, longDay, wholeNumber } from '../../../lib/format'
import { notifyFailure } from '../../../lib/toast'
import { consolePaths } from '../../../lib/paths'
import { schoolDate, schoolNow } from '../../../lib/school-moment'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { Notice } from '../../../ui/notice'
import { TextField } from '../../../ui/field'
import { cyclesQuery } from '../../../queries/cycles'
import { sellOut, portionsQuery } from '../api'
import { QueryResult } from '../../../ui/query-result'

type SoldOutDialogProps = { item: MenuItem; mayListOrders: boolean; onClose: () => void }
type Outcome = { date: string; soldOut: boolean; orders: number }

// The server answers at most 62 days.
const aheadMs = 61 * 24 * 60 * 60_000

/** Shows the number of orders on the date. */
export const SoldOutDialog = ({ item, mayListOrders, onClose }: SoldOutDialogProps) => {
  const [today] = useState(() => schoolDate(schoolNow()))
  const [last] = useState(() => schoolDate(schoolNow(Date.now() + aheadMs)))
  const [date, setDate] = useState(today)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const selling = useMutation(sellOut)
  const set = async (date: string, soldOut: boolean) => {
    try {
      const { orders } = await selling.mutateAsync({ params: { id: item.id }, body: { date, soldOut } })
      setOutcome({ date, soldOut, orders })
    } catch (error) {
      notifyFailure(error, 'Failed to update menu item')
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${item.name}: sold out on a date`}
      description="Nobody can order it for that date any more; existing orders stay."
      actions={
        <>
          <Button
            variant="secondary"
            disabled={date === '' || selling.isPending}
            onClick={() => void set(date, false)}
          >
            Allow ordering
          </Button>
          <Button
            icon="lock"
            disabled={date === ''}
            busy={selling.isPending}
            onClick={() => void set(date, true)}
          >
            Sold out
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <TextField
          label="Date"
          type="date"
          min={today}
          value={date}
          onChange={(event) => setDate(event.target.value)}
        />
        <div aria-live="polite">
          {outcome ? <OutcomeNotice item={item} mayListOrders={mayListOrders} {...outcome} /> : null}
        </div>
        <ComingDates
          itemId={item.id}
          from={today}
          to={last}
          busy={selling.isPending}
          onAllow={(sold) => void set(sold, false)}
        />
      </div>
    </Dialog>
  )
}

type OutcomeNoticeProps = Outcome & { item: MenuItem; mayListOrders: boolean }

const OutcomeNotice = ({ item, mayListOrders, date, soldOut, orders }: OutcomeNoticeProps) => {
  const cycles = useQuery({ ...cyclesQuery, enabled: mayListOrders })
  return (
    <Notice
      title={
        soldOut
          ? `Sold out on ${longDay(date)}`
          : `Can be ordered for ${longDay(date)} as far as its portions go`
      }
    >
      <p>
        {orders === 0
          ? 'No orders stand on it.'
          : `${counted(orders, 'order stands', 'orders stand')} on it.`}
      </p>
      {mayListOrders && orders > 0 ? (
        <Link to={ordersAddress(item.id, date, cycles.data ?? [])} className="font-semibold underline">
          See them in Cycle History
        </Link>
      ) : null}
    </Notice>
  )
}

/** By week and day of the active cycle, if it has the date. */
const ordersAddress = (menuItemId: number, date: string, cycles: readonly OrderCycle[]): string => {
  for (const { id, weeks = [] } of cycles)
    for (const { week, days } of weeks)
      for (const { day, date: of } of days)
        if (of === date)
          return consolePaths.ordersOf({ cycleId: id, weekNumber: week, dayOfWeek: day, menuItemId })
  return consolePaths.ordersOf({ menuItemId })
}

type ComingDatesProps = {
  itemId: number
  /** At most two months. */
  from: string
  to: string
  busy: boolean
  onAllow: (date: string) => void
}

/** Dates sold out by hand, or with orders of a limited item. */
export const ComingDates = ({ itemId, from, to, busy, onAllow }: ComingDatesProps) => (
  <section aria-label="Coming dates" className="flex flex-col gap-2">
    <h3 className="font-semibold">Coming dates</h3>
    <QueryResult query={useQuery(portionsQuery(from, to))} failure="Failed to fetch portions">
      {({ data }) => {
        const shown = data.filter(
          ({ menuItemId, soldOut, taken }) => menuItemId === itemId && (soldOut || taken),
        )
        if (shown.length === 0)
          return <p className="text-sm text-muted">Not sold out, and no limited portions ordered.</p>
        return (
          <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
            {shown.map((one) => (
              <ComingDate key={one.date} {...one} busy={busy} onAllow={() => onAllow(one.date)} />
            ))}
          </ul>
        )
      }}
    </QueryResult>
  </section>
)

type ComingDateProps = PortionsLeft & { busy: boolean; onAllow: () => void }

const ComingDate = ({ busy, onAllow, ...portions }: ComingDateProps) => (
  <li className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-2">
    <div className="min-w-0">
      <p className="font-semibold">{longDay(portions.date)}</p>
      <p className="text-sm text-muted">{portionText(portions)}</p>
    </div>
    {portions.soldOut ? (
      <Button
        size="sm"
        variant="secondary"
        disabled={busy}
        aria-label={`Allow again on ${longDay(portions.date)}`}
        onClick={onAllow}
      >
        Allow again
      </Button>
    ) : null}
  </li>
)

const portionText = ({ limit, left, taken = 0, soldOut }: PortionsLeft): string => {
  const ordered = `${wholeNumber(taken)}${limit === null ? '' : ` of ${wholeNumber(limit)}`} ordered`
  if (soldOut) return `Sold out by hand, ${ordered}`
  return `${ordered}, ${left === 0 ? 'none' : wholeNumber(left)} left`
}
