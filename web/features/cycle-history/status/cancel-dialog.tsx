import { useMutation } from '@tanstack/react-query'
import { useController } from 'react-hook-form'
import * as z from 'zod/mini'
import type { ReplyOf } from '#contracts/endpoint'
import { cancelOrders } from '#contracts/order-acts'
import { counted, kwacha } from '../../../lib/format'
import { adminToast } from '../../../lib/toast'
import { useKeyPerBody } from '../../../lib/use-key-per-body'
import { FormField } from '../../../ui/form'
import { FormDialog } from '../../../ui/form-dialog'
import { RadioCards } from '../../../ui/radio-cards'
import { cancelMany } from '../api'
import { type ActDialogProps, othersWords, sum, toldWords } from './act-words'

const cancelling = z.pick(cancelOrders.body, { reason: true, remedy: true })
type Cancelling = z.input<typeof cancelling>

/** Cancels orders in one act: why, and how the money goes back. Says first how many there are and what was paid. */
export const CancelDialog = ({ orders, others, onActed, onClose }: ActDialogProps) => {
  const sending = useMutation(cancelMany)
  const keyOf = useKeyPerBody()
  const owed = sum(orders.map(({ owedIfCancelled }) => owedIfCancelled))
  const money = owed > 0 ? `${kwacha(owed)} that was paid for them goes back.` : 'Nothing was paid for them.'
  return (
    <FormDialog
      title={`Cancel ${counted(orders.length, 'order')}?`}
      description={[money, 'Every family is told once.', ...othersWords(others)].join(' ')}
      submit={`Cancel ${counted(orders.length, 'Order')}`}
      busyLabel="Cancelling..."
      keep="Keep Orders"
      variant="danger"
      schema={cancelling}
      defaultValues={{ reason: '', remedy: 'refund' }}
      onSave={async (typed) => {
        const body = { ...typed, orderIds: orders.map(({ id }) => id) }
        const reply = await sending.mutateAsync({ body, idempotencyKey: keyOf(body) })
        adminToast(cancelledToast(reply))
        onActed(reply.skipped)
      }}
      failed="Failed to cancel orders"
      onClose={onClose}
      className="flex flex-col gap-4"
    >
      <FormField name="reason" label="Reason, as families read it" rows={2} maxLength={200} />
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

const cancelledToast = ({ cancelled, owed, families, notTold, skipped }: ReplyOf<typeof cancelOrders>) => ({
  title: 'Orders cancelled',
  text: [
    `${counted(cancelled, 'order')} of ${counted(families, 'family', 'families')} cancelled, ${kwacha(owed)} goes back`,
    ...toldWords(notTold, skipped.length),
  ].join(', '),
})
