import { Suspense, useMemo, useState } from 'react'
import type { MenuItem } from '#contracts/catalogue'
import type { CycleWeek, OrderCycle } from '#contracts/cycles'
import type { Order } from '#contracts/ordering'
import type { DayActs } from '../../features/menu/day-card'
import {
  countLines,
  familyWeek,
  isOver,
  pastDays,
  weekAtFirst,
  weekName,
  type WeekRow,
} from '../../features/menu/family-week'
import type { Eater } from '../../features/menu/menu-week'
import { WeekTable } from '../../features/menu/week-table'
import { shortRange } from '../../lib/format'
import { lazyComponent, usePreload } from '../../lib/lazy'
import type { Ordering } from './use-ordering'

const LineSheet = lazyComponent(() => import('./line-sheet').then((m) => m.LineSheet))

type WeekAtHeadProps = Pick<DayActs, 'onAdd' | 'onRemove'> & {
  ordering: Ordering
  cycle: OrderCycle
  items: readonly MenuItem[]
  orders: readonly Order[]
  eaters: readonly Eater[]
  week: CycleWeek
  onWeek: (week: number) => void
}

/** What the children eat in one week, what is missing and what is to pay; a press on a line opens its day. */
export const WeekAtHead = ({ ordering, cycle, items, orders, eaters, week, ...acts }: WeekAtHeadProps) => {
  const cart = ordering.cart.items
  const [opened, setOpened] = useState<{ eaterId: number; date: string } | null>(null)
  const rows = useMemo(
    () => familyWeek({ cycle, week, eaters, items, orders, cart }),
    [cycle, week, eaters, items, orders, cart],
  )
  usePreload(LineSheet)
  const { weeks = [], today = week.startDate } = cycle
  const at = weeks.indexOf(week)
  const turnTo = (other: CycleWeek | undefined) => (other ? () => acts.onWeek(other.week) : null)
  const line = rows
    .find(({ date }) => date === opened?.date)
    ?.lines.find(({ eater }) => eater.id === opened?.eaterId)
  return (
    <>
      <WeekTable
        title={`${weekName(week, today)} · ${shortRange(week.startDate, week.endDate)}`}
        summary={isOver(cycle) ? 'No lunches to order until the next calendar' : summaryOf(rows)}
        rows={rows}
        past={pastDays(rows, today)}
        onBefore={turnTo(weeks[at - 1])}
        onAfter={turnTo(weeks[at + 1])}
        onOpen={({ eater, view }) => setOpened({ eaterId: eater.id, date: view.day.date })}
      />
      <Suspense>
        {line ? (
          <LineSheet
            line={line}
            weeks={weeks}
            items={items}
            ordering={ordering}
            onAdd={acts.onAdd}
            onRemove={acts.onRemove}
            onClose={() => setOpened(null)}
          />
        ) : null}
      </Suspense>
    </>
  )
}

const summaryOf = (rows: readonly WeekRow[]): string => {
  const { missing, carted } = countLines(rows)
  const words = [missing > 0 ? `${missing} to choose` : '', carted > 0 ? `${carted} in the cart` : '']
  return words.filter(Boolean).join(' · ') || 'Nothing left to choose'
}

/** The week at the head: the one to begin with until another is turned to. */
export const useShownWeek = (cycle: OrderCycle | undefined, orders: readonly Order[] | undefined) => {
  const [turned, setTurned] = useState<number | null>(null)
  const week =
    cycle && (cycle.weeks?.find((one) => one.week === turned) ?? (orders && weekAtFirst(cycle, orders)))
  return [week, setTurned] as const
}
