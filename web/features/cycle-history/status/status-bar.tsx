import { useState } from 'react'
import type { CycleOrder } from '#contracts/cycle-orders'
import { counted, kwacha } from '../../../lib/format'
import { adminToast } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { IconButton } from '../../../ui/icon-button'
import { Select } from '../../../ui/select'
import { statusLabels } from '../order-words'
import { type LeftOrder, othersWords, sum } from './act-words'
import { OrderActs } from './order-acts'

type StatusBarProps = {
  chosen: readonly CycleOrder[]
  /** How many of the chosen orders are on other pages. */
  elsewhere: number
  busy: boolean
  /** Settles once the change is made or refused. */
  onChange: (orders: readonly CycleOrder[], status: Settable) => Promise<void>
  /** After the orders were cancelled with a reason or given another meal. */
  onActed: (orders: readonly CycleOrder[], left: readonly LeftOrder[]) => void
  onClear: () => void
}

/** The bar at the foot of the list: what is chosen, and the new status for it. */
export const StatusBar = ({ chosen, elsewhere, busy, onChange, onActed, onClear }: StatusBarProps) => {
  const [status, setStatus] = useState<Settable>('completed')
  const [asking, setAsking] = useState(false)
  const touched = touchedBy(chosen, status)
  const words = changeWords(chosen, status)
  const ask = () => (touched.length > 0 ? setAsking(true) : notifyNothingToDo(status))
  const confirm = async () => {
    await onChange(touched, status)
    setAsking(false)
  }
  return (
    <section
      aria-label="Selected orders"
      className="sticky bottom-safe z-20 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-surface px-3 py-2.5 shadow-raised sm:px-4"
    >
      <p aria-live="polite" className="min-w-0 flex-1 text-sm whitespace-nowrap">
        <strong>{`${counted(chosen.length, 'order')} selected`}</strong>
        {elsewhere > 0 ? <span className="text-muted">{`, ${elsewhere} on other pages`}</span> : null}
      </p>
      <IconButton icon="close" label="Clear selection" disabled={busy} onClick={onClear} />
      <div className="flex gap-2 max-sm:basis-full">
        <Select
          label="New status"
          hideLabel
          className="max-sm:flex-1"
          value={status}
          options={settable.map((value) => ({ value, label: statusLabels[value] }))}
          onChange={(event) => setStatus(event.target.value as Settable)}
        />
        <Button className="whitespace-nowrap max-sm:px-2! max-sm:text-sm" busy={busy} onClick={ask}>
          Update Status
        </Button>
      </div>
      <OrderActs chosen={chosen} busy={busy} onActed={onActed} />
      <ConfirmDialog
        open={asking}
        title={words.title}
        confirm={words.confirm}
        cancel="Go back"
        danger={status === 'cancelled'}
        busy={busy}
        onConfirm={() => void confirm()}
        onClose={() => setAsking(false)}
      >
        {words.effects.join(' ')}
      </ConfirmDialog>
    </section>
  )
}

const notifyNothingToDo = (status: Settable) =>
  adminToast({
    title: 'Error updating status',
    text: `None of the selected orders can become ${status}`,
    kind: 'error',
  })

/** The statuses that can be set together (administrator.md section 4). */
const settable = ['completed', 'pending', 'cancelled'] as const
export type Settable = (typeof settable)[number]

/** The orders that this change does something to. */
const touchedBy = (orders: readonly CycleOrder[], status: Settable): CycleOrder[] =>
  orders.filter(({ allowed }) => allowed[status])

type ChangeWords = { title: string; confirm: string; effects: string[] }

/** What is asked before a change: how many orders it touches and what becomes of their money. */
const changeWords = (orders: readonly CycleOrder[], status: Settable): ChangeWords => {
  const touched = touchedBy(orders, status)
  const how = counted(touched.length, 'order')
  const others = orders.length - touched.length
  const rest = othersWords(others)
  if (status === 'completed')
    return {
      title: `Mark ${how} as completed?`,
      confirm: 'Mark as Completed',
      effects: [
        `${kwacha(sum(touched.map(({ discountedPrice }) => discountedPrice)))} in all.`,
        'The kitchen counts them as done. No money moves.',
        ...rest,
      ],
    }
  if (status === 'pending')
    return {
      title: `Set ${how} back to pending?`,
      confirm: 'Set to Pending',
      effects: ['The kitchen cooks them again.', reopenedMoney(touched), ...rest],
    }
  return {
    title: `Cancel ${how}?`,
    confirm: 'Cancel Orders',
    effects: [
      'The kitchen no longer cooks them and the day is free again.',
      cancelledMoney(touched),
      ...rest,
    ],
  }
}

const cancelledMoney = (orders: readonly CycleOrder[]): string => {
  const paid = orders.filter(({ owedIfCancelled }) => owedIfCancelled > 0)
  if (paid.length === 0) return 'Nothing was paid for them, so nothing is owed back.'
  const owed = kwacha(sum(paid.map(({ owedIfCancelled }) => owedIfCancelled)))
  return `${owed} that was paid for ${paid.length} of them becomes due for refund, under Refund Management.`
}

const reopenedMoney = (orders: readonly CycleOrder[]): string => {
  const gone = orders.filter(({ status }) => status === 'cancelled').length
  if (gone === 0) return 'No money moves.'
  return `${counted(gone, 'of them was cancelled', 'of them were cancelled')}: a refund still due is no longer owed, and where the day has been ordered anew the order stays cancelled.`
}
