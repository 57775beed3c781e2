import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { PendingGroup } from '#contracts/pending-payments'
import { counted, kwacha } from '../../lib/format'
import { adminToast } from '../../lib/toast'
import { useKeyPerBody } from '../../lib/use-key-per-body'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import { verifyOrders } from './api'
import { total } from './selection'

type VerifyDialogProps = {
  orders: PendingGroup['orders']
  onVerified: () => void
  onClose: () => void
}

/** Asks whether the money for these orders has arrived, and takes what the office knows about it. */
export const VerifyDialog = ({ orders, onVerified, onClose }: VerifyDialogProps) => {
  const verifying = useMutation(verifyOrders)
  const keyOf = useKeyPerBody()
  return (
    <FormDialog
      title={`Mark ${counted(orders.length, 'order')}, ${kwacha(total(orders))}, as paid?`}
      description="Please make sure that this money has arrived. It can be undone until the end of the day."
      submit="Yes, They Are Paid"
      schema={typed}
      defaultValues={{ transactionId: '', note: '' }}
      onSave={async ({ transactionId, note }) => {
        const body = {
          orderIds: orders.map(({ id }) => id),
          ...(transactionId ? { transactionId } : {}),
          ...(note ? { note } : {}),
        }
        const { updated, message } = await verifying.mutateAsync({ body, keyOf })
        const text = updated === orders.length ? `${counted(updated, 'order')} marked paid` : message
        adminToast({ title: 'Payments Verified', text })
        onVerified()
      }}
      failed="Failed to verify payments"
      onClose={onClose}
      className="grid gap-4"
    >
      <FormField
        name="transactionId"
        label="Transaction id (optional)"
        hint="As it stands in the message or statement; it can pay only once"
        maxLength={100}
        autoComplete="off"
      />
      <FormField name="note" label="Note (optional)" rows={2} maxLength={500} />
    </FormDialog>
  )
}

const typed = z.object({
  transactionId: z.string().check(z.trim(), z.maxLength(100)),
  note: z.string().check(z.trim(), z.maxLength(500)),
})
