import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { MenuItem } from '#contracts/catalogue'
import type { OrderCycle } from '#contracts/cycles'
import { counted, longDay } from '../../../lib/format'
import { notifyFailure } from '../../../lib/notify-outcome'
import { consolePaths } from '../../../lib/console-paths'
import { schoolDate, schoolNow } from '../../../lib/school-moment'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { Notice } from '../../../ui/notice'
import { TextField } from '../../../ui/text-field'
import { cyclesQuery, sellOut } from '../api'
import { ComingDates } from './coming-dates'

type SoldOutDialogProps = { item: MenuItem; mayListOrders: boolean; onClose: () => void }
type Outcome = { date: string; soldOut: boolean; orders: number }

// The server tells of at most 62 days.
const aheadMs = 61 * 24 * 60 * 60_000

/** Stops the ordering of one item on one date, or allows it again, and says how many orders stand on it. */
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
      description="Sold out, nobody can order it for that date any more; orders that stand on it stay."
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

/** Where the orders of the item on this date are listed: by week and day of the active cycle where it has the date. */
const ordersAddress = (menuItemId: number, date: string, cycles: readonly OrderCycle[]): string => {
  for (const { id, weeks = [] } of cycles)
    for (const { week, days } of weeks)
      for (const { day, date: of } of days)
        if (of === date)
          return consolePaths.ordersOf({ cycleId: id, weekNumber: week, dayOfWeek: day, menuItemId })
  return consolePaths.ordersOf({ menuItemId })
}
