import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useCallback, useRef, useState, useEffect } from 'react'
import type { KitchenTotal } from '#contracts/kitchen'
import { counted, dayName, wholeNumber } from '../../../lib/format'
import { schoolDate, schoolNow } from '../../../lib/school-moment'
import { notifyOutcome } from '../../../lib/toast'
import { Button, IconButton } from '../../../ui/button'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { Icon } from '../../../ui/icon'
import { Notice } from '../../../ui/notice'
import { useSelection } from '../../../ui/selection'
import { completeOrders, undoCompletion } from '../api'
import { DayCard, healthOn, type KitchenHealth } from './day-card'
import { completable, dateOf, type KitchenDay, kitchenDays, ordersToComplete, rowKey } from './kitchen-groups'
import { WeekTable } from './week-table'

type CookingListProps = {
  totals: KitchenTotal[]
  health: KitchenHealth
  onList: (day: string) => void
  /** Null for a week. */
  onChanges: ((day: string) => void) | null
}

export const CookingList = ({ totals, health, onList, onChanges }: CookingListProps) => {
  const selection = useSelection<{ id: string }>()
  const [asked, setAsked] = useState<ReadonlySet<string>>(new Set())
  const [last, setLast] = useState<Completion | null>(null)
  const forgetLast = useCallback(() => setLast(null), [])
  const complete = useMutation(completeOrders)
  const changed = useChangedRows(totals)
  const list = useRef<HTMLDivElement>(null)
  const openRows = (keys: { has: (key: string) => boolean }) =>
    totals.filter((row) => keys.has(rowKey(row)) && completable(row))
  const ask = (rows: readonly KitchenTotal[]) => setAsked(new Set(rows.map(rowKey)))
  // The pressed button disappears and would take the focus.
  const chooseNone = () => {
    selection.clear()
    list.current?.focus({ preventScroll: true })
  }
  const rows = openRows(asked)
  const orders = ordersToComplete(totals, asked)
  const completeAsked = async () => {
    const result = await notifyOutcome(complete.mutateAsync(orders), {
      done: ({ updated, skipped }) => ({
        title: `${counted(updated, 'order')} marked as complete`,
        text: skippedText(skipped),
      }),
      failed: 'Failed to update orders. Please try again.',
    })
    setAsked(new Set())
    if (!result) return
    setLast(result)
    chooseNone()
  }
  const chosen = openRows(selection.chosen)
  const days = kitchenDays(totals)
  const today = schoolDate(schoolNow())
  return (
    <>
      {last && last.updated > 0 ? (
        <LastCompletion key={last.batchIds[0]} completion={last} onOver={forgetLast} />
      ) : null}
      {onChanges === null && days.length > 1 ? <WeekTable days={days} /> : null}
      <div ref={list} tabIndex={-1} className="flex flex-col gap-5 outline-none print:block">
        {days.map((day) => {
          const card = (
            <DayCard
              key={day.key}
              day={day}
              health={healthOn(day.mealDate, health)}
              selection={selection}
              changed={changed}
              onComplete={ask}
              onList={() => onList(day.mealDate)}
              onChanges={onChanges ? () => onChanges(day.mealDate) : undefined}
            />
          )
          return onChanges === null && days.length > 1 && day.mealDate < today ? (
            <PastDay key={day.key} day={day}>
              {card}
            </PastDay>
          ) : (
            card
          )
        })}
      </div>
      <div aria-live="polite" className="contents">
        {chosen.length > 0 ? (
          <CompleteBar
            rows={chosen.length}
            orders={ordersToComplete(totals, selection.chosen).length}
            busy={complete.isPending}
            onComplete={() => ask(chosen)}
            onClear={chooseNone}
          />
        ) : null}
      </div>
      <ConfirmDialog
        open={asked.size > 0}
        title={`Mark ${counted(orders.length, 'lunch', 'lunches')} of ${daysText(rows)} as complete?`}
        confirm="Yes, They Are Complete"
        busy={complete.isPending}
        onConfirm={() => void completeAsked()}
        onClose={() => setAsked(new Set())}
      >
        {`${rows.map((row) => portionsText(row, rows)).join(', ')}.`}
      </ConfirmDialog>
    </>
  )
}

/** Folded until it is pressed. */
const PastDay = ({ day, children }: { day: KitchenDay; children: ReactNode }) => {
  const [open, setOpen] = useState(false)
  const done = day.completed > 0 ? `, ${wholeNumber(day.completed)} completed` : ''
  return (
    <div className="flex flex-col gap-3">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="card flex min-h-12 w-full items-center gap-3 px-4 text-left hover:bg-sand-50 sm:px-6 print:hidden"
      >
        <span className="min-w-0 flex-1">
          <strong className="font-display text-lg">{dateOf(day)}</strong>{' '}
          <span className="text-sm text-muted">{`${counted(day.total, 'lunch', 'lunches')}${done}`}</span>
        </span>
        <Icon name={open ? 'chevron-up' : 'chevron-down'} className="text-muted" />
      </button>
      {open ? children : null}
    </div>
  )
}

/** "2 orders left as they are: The order is cancelled". */
const skippedText = (skipped: readonly { message: string }[]): string | undefined => {
  const [first] = skipped
  return first && `${counted(skipped.length, 'order')} left unchanged: ${first.message}`
}

/** One day, or the number of days. */
const daysText = (rows: readonly KitchenTotal[]): string => {
  const days = new Set(rows.map(({ mealDate }) => mealDate))
  const [first] = rows
  return first && days.size === 1 ? dateOf(first) : counted(days.size, 'day')
}

const portionsText = (row: KitchenTotal, rows: readonly KitchenTotal[]): string => {
  const portions = `${row.pendingOrderIds.length} × ${row.menuItem}`
  return rows.every(({ mealDate }) => mealDate === row.mealDate)
    ? portions
    : `${portions} on ${dayName(row.dayOfWeek)}`
}

type CompleteBarProps = {
  rows: number
  orders: number
  busy: boolean
  onComplete: () => void
  onClear: () => void
}

const CompleteBar = ({ rows, orders, busy, onComplete, onClear }: CompleteBarProps) => (
  <div className="complete-bar sticky bottom-safe z-20 flex flex-wrap items-center justify-end gap-x-2 gap-y-1 rounded-lg border border-line bg-surface px-3 py-2 sm:px-4 shadow-raised print:hidden">
    <p className="min-w-0 flex-1 basis-full text-sm sm:basis-0">
      <strong>{`${counted(rows, 'row')}, ${counted(orders, 'order')} selected`}</strong>
    </p>
    <IconButton icon="close" label="Clear selection" onClick={onClear} disabled={busy} />
    <Button icon="check" busy={busy} onClick={onComplete}>
      Mark as Complete
    </Button>
  </div>
)

type Completion = { updated: number; batchIds: readonly string[] }

const undoableMs = 600_000

/** Offers undo while the server accepts it; `onOver` afterwards. */
const LastCompletion = ({ completion, onOver }: { completion: Completion; onOver: () => void }) => {
  const undo = useMutation(undoCompletion)
  useEffect(() => {
    const timer = setTimeout(onOver, undoableMs)
    return () => clearTimeout(timer)
  }, [onOver])
  const takeBack = async () => {
    const result = await notifyOutcome(undo.mutateAsync(completion.batchIds), {
      done: ({ restored, skipped }) => ({
        title: `${counted(restored, 'lunch is', 'lunches are')} open again`,
        text: skippedText(skipped),
      }),
      failed: 'Failed to undo. Please try again.',
    })
    if (result) onOver()
  }
  return (
    <div className="print:hidden">
      <Notice>
        <output>{`${counted(completion.updated, 'lunch', 'lunches')} marked as complete.`}</output>
        <Button variant="secondary" size="sm" busy={undo.isPending} onClick={() => void takeBack()}>
          Undo
        </Button>
      </Notice>
    </div>
  )
}

const markedMs = 60_000

/** Completion does not count as a change. */
const seen = ({ pendingOrderIds: _ids, completed: _done, ...cooked }: KitchenTotal) => JSON.stringify(cooked)

/** Changed rows, each for a minute; none at first. */
const useChangedRows = (totals: readonly KitchenTotal[]): ReadonlySet<string> => {
  const before = useRef<ReadonlyMap<string, string> | null>(null)
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const rows = new Map(totals.map((row) => [rowKey(row), seen(row)]))
    const known = before.current
    before.current = rows
    const others = known ? [...rows].filter(([key, row]) => known.get(key) !== row).map(([key]) => key) : []
    if (others.length === 0) return
    setChanged((marked) => new Set([...marked, ...others]))
    for (const key of others) {
      clearTimeout(timers.current.get(key))
      const unmark = () => setChanged((marked) => new Set([...marked].filter((one) => one !== key)))
      timers.current.set(key, setTimeout(unmark, markedMs))
    }
  }, [totals])
  useEffect(() => {
    const running = timers.current
    return () => running.forEach((timer) => clearTimeout(timer))
  }, [])
  return changed
}
