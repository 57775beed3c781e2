import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { MenuItem, PortionsLeft } from '#contracts/catalogue'
import type { OrderCycle } from '#contracts/cycles'
import { classes } from '../../../lib/classes'
import { counted, longDay, shortDay, wholeNumber } from '../../../lib/format'
import { consolePaths } from '../../../lib/paths'
import { schoolDate, schoolNow } from '../../../lib/school-moment'
import { notifyFailure } from '../../../lib/toast'
import { cyclesQuery } from '../../../queries/cycles'
import { Switch } from '../../../ui/checkbox'
import { Dialog } from '../../../ui/dialog'
import { EmptyState, QueryResult } from '../../../ui/query-result'
import { sellOut, portionsQuery } from '../api'

type SoldOutDialogProps = { item: MenuItem; mayListOrders: boolean; onClose: () => void }

// The server answers at most 62 days.
const aheadMs = 61 * 24 * 60 * 60_000

/** A switch for each coming date on which the item is offered. */
export const SoldOutDialog = ({ item, mayListOrders, onClose }: SoldOutDialogProps) => {
  const [today] = useState(() => schoolDate(schoolNow()))
  const [last] = useState(() => schoolDate(schoolNow(Date.now() + aheadMs)))
  const cycles = useQuery({ ...cyclesQuery, staleTime: 0 })
  const portions = useQuery(portionsQuery(today, last))
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${item.name}: sold out dates`}
      description="Nobody can order it for a date that is sold out; existing orders stay."
    >
      <QueryResult query={cycles} failure="Failed to fetch cycles">
        {(known) => (
          <QueryResult query={portions} failure="Failed to fetch portions">
            {({ data }) => (
              <ComingDates
                item={item}
                cycles={known}
                portions={data.filter(({ menuItemId }) => menuItemId === item.id)}
                today={today}
                mayListOrders={mayListOrders}
              />
            )}
          </QueryResult>
        )}
      </QueryResult>
    </Dialog>
  )
}

type ComingDatesProps = {
  item: MenuItem
  cycles: readonly OrderCycle[]
  portions: readonly PortionsLeft[]
  today: string
  mayListOrders: boolean
}

const ComingDates = ({ item, cycles, portions, today, mayListOrders }: ComingDatesProps) => {
  const selling = useMutation(sellOut)
  const asked = selling.variables?.body
  const byDate = new Map(portions.map((one) => [one.date, one]))
  const dates = datesOf(item, cycles, portions, today)
  if (dates.length === 0)
    return (
      <EmptyState title="No coming dates" icon="calendar">
        The order cycle offers it on no date from today on.
      </EmptyState>
    )
  const set = (date: string, soldOut: boolean) =>
    selling.mutate(
      { params: { id: item.id }, body: { date, soldOut } },
      { onError: (error) => notifyFailure(error, 'Failed to update menu item') },
    )
  return (
    <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
      {dates.map((date) => {
        const known = byDate.get(date)
        return (
          <ComingDate
            key={date}
            date={date}
            portions={known}
            soldOut={selling.isPending && asked?.date === date ? asked.soldOut : known?.soldOut === true}
            busy={selling.isPending}
            address={mayListOrders ? ordersAddress(item.id, date, cycles) : null}
            onChange={(soldOut) => set(date, soldOut)}
          />
        )
      })}
    </ul>
  )
}

/** Offered from today on, and sold out by hand. */
const datesOf = (
  { weekNumbers, daysOfWeek }: MenuItem,
  cycles: readonly OrderCycle[],
  portions: readonly PortionsLeft[],
  today: string,
): string[] => {
  const offered = cycles
    .filter(({ isActive }) => isActive)
    .flatMap(({ weeks = [] }) => weeks.filter(({ week }) => weekNumbers.includes(week)))
    .flatMap(({ days }) => days.filter(({ day, state }) => daysOfWeek.includes(day) && state !== 'blocked'))
    .map(({ date }) => date)
    .filter((date) => date >= today)
  const soldOut = portions.filter((one) => one.soldOut).map(({ date }) => date)
  return [...new Set([...offered, ...soldOut])].toSorted()
}

type ComingDateProps = {
  date: string
  /** Unknown: any number, and not sold out. */
  portions: PortionsLeft | undefined
  soldOut: boolean
  busy: boolean
  /** Of its orders. */
  address: string | null
  onChange: (soldOut: boolean) => void
}

const ComingDate = ({ date, portions, soldOut, busy, address, onChange }: ComingDateProps) => (
  <li className={classes('flex min-h-14 items-center gap-3 px-3 py-2', soldOut && 'bg-warning-50')}>
    <div className="min-w-0 flex-1">
      <p className="font-semibold">{shortDay(date)}</p>
      <div aria-live="polite" className="text-sm text-muted">
        <p>{portionText(portions, soldOut)}</p>
        {soldOut && portions?.taken && address ? (
          <Link
            to={address}
            className="inline-flex min-h-11 items-center font-semibold text-brand-700 underline"
          >
            See them in Cycle History
          </Link>
        ) : null}
      </div>
    </div>
    <span aria-hidden="true" className="text-sm">
      Sold out
    </span>
    <Switch
      label={`Sold out on ${longDay(date)}`}
      hideLabel
      checked={soldOut}
      disabled={busy}
      onChange={onChange}
    />
  </li>
)

const portionText = (portions: PortionsLeft | undefined, soldOut: boolean): string => {
  const { limit = null, left = 0, taken = 0 } = portions ?? {}
  if (soldOut) return taken > 0 ? `Sold out. ${counted(taken, 'order stays', 'orders stay')}.` : 'Sold out.'
  if (limit === null) return 'No limit'
  return `${wholeNumber(taken)} of ${wholeNumber(limit)} ordered, ${left === 0 ? 'none' : wholeNumber(left)} left`
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
