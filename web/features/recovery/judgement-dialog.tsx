import { useMutation } from '@tanstack/react-query'
import { acceptMismatch, type FailedOrder } from '#contracts/payments-console'
import { counted, kwacha } from '../../lib/format'
import { adminToast } from '../../lib/toast'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import { Notice } from '../../ui/notice'
import { accept, waive, charged, unresolved } from './amendments'

export type Judgement = 'accept' | 'waive'

type JudgementDialogProps = {
  order: FailedOrder
  judgement: Judgement
  onJudged: () => void
  onClose: () => void
}

export const JudgementDialog = ({ order, judgement, onJudged, onClose }: JudgementDialogProps) => {
  const accepting = useMutation(accept)
  const waiving = useMutation(waive)
  const words = judgement === 'accept' ? acceptText(order) : waiveText(order)
  return (
    <FormDialog
      title={words.title}
      submit={words.confirm}
      variant={judgement === 'waive' ? 'danger' : 'primary'}
      schema={acceptMismatch.body}
      defaultValues={{ reason: '' }}
      onSave={async (body) => {
        const judging = judgement === 'accept' ? accepting : waiving
        const { message } = await judging.mutateAsync({ params: { id: order.id }, body })
        adminToast({ title: words.done, text: message })
        onJudged()
      }}
      failed={words.failed}
      onClose={onClose}
      className="flex flex-col gap-4"
    >
      <p>{words.text}</p>
      <p className="font-semibold">{askedAndReceived(order)}</p>
      <ul className="list-disc pl-5 text-sm">
        {unresolved(order).map((line) => (
          <li key={line.index}>
            {`${line.menuItem.name} for ${line.student.name}, ${kwacha(line.discountedPrice)}`}
          </li>
        ))}
      </ul>
      {order.error ? (
        <Notice tone="warning">
          <p className="break-words">{order.error}</p>
        </Notice>
      ) : null}
      <FormField
        name="reason"
        label="Reason"
        hint="Kept in the history of this payment with your name."
        rows={3}
        maxLength={500}
      />
    </FormDialog>
  )
}

const askedAndReceived = ({ amount, receivedAmount }: FailedOrder): string =>
  `Asked for ${kwacha(amount)}, ${receivedAmount === null ? 'it is not known how much was received' : `received ${kwacha(receivedAmount)}`}.`

const acceptText = (order: FailedOrder) => {
  const lines = unresolved(order)
  return {
    title: 'Accept this payment?',
    confirm: 'Accept Payment',
    done: 'Payment Accepted',
    failed: 'Failed to accept the payment',
    text: `${counted(lines.length, 'meal')} worth ${kwacha(charged(lines))} become orders now, although something about the payment by ${order.customer} does not match. What was paid above the price is owed back; what is missing is for you to collect.`,
  }
}

const waiveText = (order: FailedOrder) => {
  const lines = unresolved(order)
  return {
    title: 'Give the money back?',
    confirm: 'Give Money Back',
    done: 'Refund Due',
    failed: 'Failed to give the money back',
    text: `${counted(lines.length, 'meal')} worth ${kwacha(charged(lines))} will not become orders any more. What ${order.customer} paid for them is owed back, and is listed under Refund Management until somebody pays it. This cannot be undone.`,
  }
}
