import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { refundMethods } from '#contracts/refund-methods'
import type { ListedRefund } from '#contracts/refunds'
import { isWaiting, waitsWords } from '../../lib/approval'
import { kwacha, methodLabel } from '../../lib/format'
import { adminToast } from '../../lib/toast'
import { useKeyPerBody } from '../../lib/use-key-per-body'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import { complete } from './api'

type RefundDialogProps = { refund: ListedRefund; onClose: () => void }

/** Records that money was paid back: how much, how, and under which reference. It moves no money itself. */
export const RefundDialog = ({ refund, onClose }: RefundDialogProps) => {
  const completing = useMutation(complete)
  const keyOf = useKeyPerBody()
  return (
    <FormDialog
      title="Mark as Refunded"
      description={`Record that ${kwacha(refund.amount)} for ${refund.menuItem.name}, ordered for ${refund.student.name}, was paid back. This moves no money and cannot be undone.`}
      submit="Mark as Refunded"
      schema={refundForm(refund.amount)}
      defaultValues={{ amount: refund.amount.toFixed(2), method: 'manual', reference: '', note: '' }}
      onSave={async (typed) => {
        const body = refundBody(typed)
        const params = { id: refund.id }
        const reply = await completing.mutateAsync({ params, body, idempotencyKey: keyOf(body) })
        adminToast(isWaiting(reply) ? waitsWords : { title: 'Refund completed' })
      }}
      failed="Failed to mark order as refunded"
      onClose={onClose}
      className="grid gap-4 sm:grid-cols-2"
    >
      <FormField name="amount" label="Amount (K)" inputMode="decimal" autoComplete="off" />
      <FormField
        name="method"
        label="Method"
        options={refundMethods.map((value) => ({ value, label: methodLabel(value) }))}
      />
      <FormField
        name="reference"
        label="Reference (optional)"
        className="sm:col-span-2"
        maxLength={100}
        autoComplete="off"
      />
      <FormField name="note" label="Note (optional)" className="sm:col-span-2" rows={2} maxLength={500} />
    </FormDialog>
  )
}

/** A refund as it is typed: at most `owed` kwacha. */
const refundForm = (owed: number) =>
  z.object({
    amount: z.string().check(
      z.trim(),
      z.regex(/^\d{1,9}(\.\d{1,2})?$/, 'Amount must be a number with up to 2 decimal places'),
      z.refine((text) => Number(text) > 0, 'Amount must be above zero'),
      z.refine((text) => !(Number(text) > owed), `At most ${kwacha(owed)} is owed`),
    ),
    method: z.enum(refundMethods),
    reference: z.string().check(z.trim(), z.maxLength(100)),
    note: z.string().check(z.trim(), z.maxLength(500)),
  })

/** The refund as it is sent: an empty reference or note is left out. */
const refundBody = ({ amount, method, reference, note }: z.output<ReturnType<typeof refundForm>>) => ({
  amount: Number(amount),
  method,
  ...(reference ? { reference } : {}),
  ...(note ? { note } : {}),
})
