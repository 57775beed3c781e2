import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useController } from 'react-hook-form'
import * as z from 'zod/mini'
import type { ReplyOf } from '#contracts/endpoint'
import type { CycleOrder } from '#contracts/order-reports'
import { cancelOrders } from '#contracts/ordering'
import { counted, kwacha, kwachaSum } from '../../lib/format'
import { adminToast } from '../../lib/toast'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import { RadioCards } from '../../ui/radio-cards'
import { Select } from '../../ui/select'
import { SelectionBar } from '../../ui/selection'
import {
  statusLabels,
  type SkippedOrder,
  otherOrdersTexts,
  cancelMany,
  type ActDialogProps,
  resultTexts,
} from './history-orders'
import { MoveDialog } from './move-dialog'
import { SubstituteDialog } from './substitute-dialog'

type StatusBarProps = {
  chosen: readonly CycleOrder[]
  elsewhere: number
  busy: boolean
  /** Settles once the change is made or refused. */
  onChange: (orders: readonly CycleOrder[], status: Settable) => Promise<void>
  onActed: (orders: readonly CycleOrder[], left: readonly SkippedOrder[]) => void
  onClear: () => void
}

export const StatusBar = ({ chosen, elsewhere, busy, onChange, onActed, onClear }: StatusBarProps) => {
  const [status, setStatus] = useState<Settable>('completed')
  const [asking, setAsking] = useState(false)
  const touched = touchedBy(chosen, status)
  const words = changeText(chosen, status)
  const ask = () => (touched.length > 0 ? setAsking(true) : notifyNothingToDo(status))
  const confirm = async () => {
    await onChange(touched, status)
    setAsking(false)
  }
  return (
    <SelectionBar
      label="Selected orders"
      clear="Clear selection"
      busy={busy}
      onClear={onClear}
      text={
        <>
          <strong>{`${counted(chosen.length, 'order')} selected`}</strong>
          {elsewhere > 0 ? <span className="text-muted">{`, ${elsewhere} on other pages`}</span> : null}
        </>
      }
    >
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
    </SelectionBar>
  )
}

const notifyNothingToDo = (status: Settable) =>
  adminToast({
    title: 'Error updating status',
    text: `None of the selected orders can become ${status}`,
    kind: 'error',
  })

/** administrator.md section 4. */
const settable = ['completed', 'pending', 'cancelled'] as const
export type Settable = (typeof settable)[number]

const touchedBy = (orders: readonly CycleOrder[], status: Settable): CycleOrder[] =>
  orders.filter(({ allowed }) => allowed[status])

type ChangeText = { title: string; confirm: string; effects: string[] }

/** How many orders change and what happens to their money. */
const changeText = (orders: readonly CycleOrder[], status: Settable): ChangeText => {
  const touched = touchedBy(orders, status)
  const how = counted(touched.length, 'order')
  const others = orders.length - touched.length
  const rest = otherOrdersTexts(others)
  if (status === 'completed')
    return {
      title: `Mark ${how} as completed?`,
      confirm: 'Mark as Completed',
      effects: [
        `${kwacha(kwachaSum(touched.map(({ discountedPrice }) => discountedPrice)))} in all.`,
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
  const owed = kwacha(kwachaSum(paid.map(({ owedIfCancelled }) => owedIfCancelled)))
  return `${owed} that was paid for ${paid.length} of them becomes due for refund, under Refund Management.`
}

const reopenedMoney = (orders: readonly CycleOrder[]): string => {
  const gone = orders.filter(({ status }) => status === 'cancelled').length
  if (gone === 0) return 'No money moves.'
  return `${counted(gone, 'of them was cancelled', 'of them were cancelled')}: a refund still due is no longer owed, and where the day has been ordered anew the order stays cancelled.`
}

const cancelling = z.pick(cancelOrders.body, { reason: true, remedy: true })
type Cancelling = z.input<typeof cancelling>

/** Asks for reason and remedy; first states number and amount paid. */
const CancelDialog = ({ orders, others, onActed, onClose }: ActDialogProps) => {
  const sending = useMutation(cancelMany)
  const owed = kwachaSum(orders.map(({ owedIfCancelled }) => owedIfCancelled))
  const money = owed > 0 ? `${kwacha(owed)} that was paid for them goes back.` : 'Nothing was paid for them.'
  return (
    <FormDialog
      title={`Cancel ${counted(orders.length, 'order')}?`}
      description={[money, 'Every family is told once.', ...otherOrdersTexts(others)].join(' ')}
      submit={`Cancel ${counted(orders.length, 'Order')}`}
      busyLabel="Cancelling..."
      keep="Keep Orders"
      variant="danger"
      schema={cancelling}
      defaultValues={{ reason: '', remedy: 'refund' }}
      onSave={async (typed) => {
        const body = { ...typed, orderIds: orders.map(({ id }) => id) }
        const reply = await sending.mutateAsync({ body })
        adminToast(cancelledToast(reply))
        onActed(reply.skipped)
      }}
      failed="Failed to cancel orders"
      onClose={onClose}
      className="flex flex-col gap-4"
    >
      <FormField
        name="reason"
        label="Reason, as families read it"
        hint="Do not name a child"
        rows={2}
        maxLength={200}
      />
      <RemedyField />
    </FormDialog>
  )
}

const RemedyField = () => {
  const { field } = useController<Cancelling, 'remedy'>({ name: 'remedy' })
  return (
    <RadioCards
      label="How the money goes back"
      options={[
        { value: 'refund', label: 'Refund', hint: 'It becomes due under Refund Management' },
        { value: 'credit', label: 'Family credit', hint: 'The family pays its next meals with it' },
      ]}
      value={field.value}
      onChange={field.onChange}
    />
  )
}

const cancelledToast = ({
  cancelled,
  owed,
  asCredit = 0,
  families,
  notTold,
  skipped,
}: ReplyOf<typeof cancelOrders>) => ({
  title: 'Orders cancelled',
  text: [
    `${counted(cancelled, 'order')} of ${counted(families, 'family', 'families')} cancelled, ${kwacha(owed)} goes back${asCredit > 0 ? ` (${kwacha(asCredit)} of it as credit)` : ''}`,
    ...resultTexts(notTold, skipped.length),
  ].join(', '),
})

type OrderActsProps = {
  chosen: readonly CycleOrder[]
  busy: boolean
  onActed: (orders: readonly CycleOrder[], left: readonly SkippedOrder[]) => void
}

const acts = {
  cancel: {
    label: 'Cancel with Reason',
    none: 'None of the selected orders can be cancelled',
    isFor: ({ allowed }: CycleOrder) => allowed.cancelled,
    Dialog: CancelDialog,
  },
  substitute: {
    label: 'Give Another Meal',
    none: 'Only pending orders can be given another meal',
    isFor: ({ status }: CycleOrder) => status === 'pending',
    Dialog: SubstituteDialog,
  },
  move: {
    label: 'Another day',
    none: 'Only pending orders can be moved',
    isFor: ({ status }: CycleOrder) => status === 'pending',
    Dialog: MoveDialog,
  },
} as const

/** Acts that families are told of, and the move of one order. */
const OrderActs = ({ chosen, busy, onActed }: OrderActsProps) => {
  const [open, setOpen] = useState<keyof typeof acts | null>(null)
  const touched = open === null ? [] : chosen.filter(acts[open].isFor)
  const Dialog = open === null ? null : acts[open].Dialog
  const ask = (act: keyof typeof acts) =>
    chosen.some(acts[act].isFor)
      ? setOpen(act)
      : adminToast({ title: 'Error', text: acts[act].none, kind: 'error' })
  return (
    <div className="flex flex-wrap gap-2 max-sm:basis-full">
      {(['cancel', 'substitute', ...(chosen.length === 1 ? (['move'] as const) : [])] as const).map((act) => (
        <Button
          key={act}
          size="sm"
          variant="secondary"
          className="max-sm:flex-1 max-sm:px-1!"
          disabled={busy}
          onClick={() => ask(act)}
        >
          {acts[act].label}
        </Button>
      ))}
      {Dialog ? (
        <Dialog
          orders={touched}
          others={chosen.length - touched.length}
          onActed={(left) => onActed(touched, left)}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </div>
  )
}
