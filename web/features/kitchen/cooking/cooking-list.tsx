import { useMutation } from '@tanstack/react-query'
import { useCallback, useRef, useState, useEffect } from 'react'
import type { KitchenTotal } from '#contracts/kitchen'
import { notifyOutcome } from '../../../lib/toast'
import { completeOrders, undoCompletion } from '../api'
import { classes } from '../../../lib/classes'
import { counted, dayName } from '../../../lib/format'
import { Button, IconButton } from '../../../ui/button'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { DayCard, healthOn, type KitchenHealth } from './day-card'
import { completable, dateOf, kitchenDays, ordersToComplete, rowKey } from './kitchen-groups'
import { Notice } from '../../../ui/notice'

type CookingListProps = {
  totals: KitchenTotal[]
  health: KitchenHealth
  onList: (day: string) => void
}

export const CookingList = ({ totals, health, onList }: CookingListProps) => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [asking, setAsking] = useState(false)
  const [last, setLast] = useState<Completion | null>(null)
  const forgetLast = useCallback(() => setLast(null), [])
  const complete = useMutation(completeOrders)
  const changed = useChangedRows(totals)
  const list = useRef<HTMLDivElement>(null)
  const orders = ordersToComplete(totals, chosen)
  const toggle = (row: KitchenTotal) => {
    const next = new Set(chosen)
    if (!next.delete(rowKey(row))) next.add(rowKey(row))
    setChosen(next)
  }
  // The pressed button disappears and would take the focus.
  const chooseNone = () => {
    setChosen(new Set())
    list.current?.focus({ preventScroll: true })
  }
  const completeChosen = async () => {
    const result = await notifyOutcome(complete.mutateAsync(orders), {
      done: ({ updated, skipped }) => ({
        title: `${updated} orders marked as complete`,
        text: skipped.length > 0 ? `${skipped.length} left as they are: ${skipped[0]?.message}` : undefined,
      }),
      failed: 'Failed to update orders. Please try again.',
    })
    setAsking(false)
    if (!result) return
    setLast(result)
    chooseNone()
  }
  const rows = totals.filter((row) => chosen.has(rowKey(row)) && completable(row))
  return (
    <>
      {last && last.updated > 0 ? (
        <LastCompletion key={last.batchIds[0]} completion={last} onOver={forgetLast} />
      ) : null}
      <div ref={list} tabIndex={-1} className="flex flex-col gap-5 outline-none print:block">
        {kitchenDays(totals).map((day) => (
          <DayCard
            key={day.key}
            day={day}
            health={healthOn(day.mealDate, health)}
            chosen={chosen}
            changed={changed}
            onToggle={toggle}
            onList={() => onList(day.mealDate)}
          />
        ))}
      </div>
      {totals.some(completable) ? (
        <CompleteBar
          rows={rows.length}
          orders={orders.length}
          busy={complete.isPending}
          onComplete={() => setAsking(true)}
          onClear={chooseNone}
        />
      ) : null}
      <ConfirmDialog
        open={asking}
        title={`Mark ${counted(orders.length, 'lunch', 'lunches')} of ${daysText(rows)} as complete?`}
        confirm="Yes, They Are Complete"
        busy={complete.isPending}
        onConfirm={() => void completeChosen()}
        onClose={() => setAsking(false)}
      >
        {`${rows.map((row) => portionsText(row, rows)).join(', ')}.`}
      </ConfirmDialog>
    </>
  )
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
  <div className="sticky bottom-safe z-20 flex flex-wrap items-center justify-end gap-x-2 gap-y-1 rounded-lg border border-line bg-surface px-3 py-3 sm:px-4 shadow-raised print:hidden">
    <p aria-live="polite" className={classes('min-w-0 flex-1 text-sm', rows > 0 && 'basis-full sm:basis-0')}>
      {rows === 0 ? (
        <span className="text-muted">Nothing selected</span>
      ) : (
        <strong>{`${counted(rows, 'row')}, ${counted(orders, 'order')} selected`}</strong>
      )}
    </p>
    {rows > 0 ? <IconButton icon="close" label="Clear selection" onClick={onClear} disabled={busy} /> : null}
    <Button icon="check" disabled={orders === 0} busy={busy} onClick={onComplete}>
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
        text: skipped.length > 0 ? `${skipped.length} left as they are: ${skipped[0]?.message}` : undefined,
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
