import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { payOutCredit } from '#contracts/approvals'
import { giveCredit } from '#contracts/credit'
import type { Parent } from '#contracts/parents'
import { refundMethods } from '#contracts/refund-methods'
import { isWaiting, waitsWords } from '../../lib/approval'
import { kwacha, methodLabel } from '../../lib/format'
import { adminToast } from '../../lib/toast'
import { useKeyPerBody } from '../../lib/use-key-per-body'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import { give, payOut } from './api'

/** An amount as it is typed: at most `most` kwacha. */
const typedAmount = (most: number, tooMuch: string) =>
  z.string().check(
    z.trim(),
    z.regex(/^\d{1,9}(\.\d{1,2})?$/, 'Amount must be a number with up to 2 decimal places'),
    z.refine((text) => Number(text) > 0, 'Amount must be above zero'),
    z.refine((text) => !(Number(text) > most), tooMuch),
  )

const largestGift = 1_000_000

const gift = z.object({
  amount: typedAmount(largestGift, `At most ${kwacha(largestGift)} can be given`),
  reason: giveCredit.body.shape.reason,
})

/** The school gives a family credit. */
export const GiftDialog = ({ parent, onClose }: { parent: Parent; onClose: () => void }) => {
  const giving = useMutation(give)
  const keyOf = useKeyPerBody()
  return (
    <FormDialog
      title={`Give credit to ${parent.username}`}
      description="The family pays its next meals with it and reads the reason."
      submit="Give Credit"
      busyLabel="Giving..."
      schema={gift}
      defaultValues={{ amount: '', reason: '' }}
      onSave={({ amount, reason }) => {
        const body = { amount: Number(amount), reason }
        return giving.mutateAsync({ params: { id: parent.id }, body, idempotencyKey: keyOf(body) })
      }}
      done="Credit given"
      failed="Failed to give credit"
      onClose={onClose}
      className="grid gap-4"
    >
      <FormField name="amount" label="Amount (K)" inputMode="decimal" autoComplete="off" />
      <FormField name="reason" label="Reason" maxLength={200} autoComplete="off" />
    </FormDialog>
  )
}

const payout = (balance: number) =>
  z.object({
    amount: typedAmount(balance, `At most ${kwacha(balance)} can be paid out`),
    method: payOutCredit.body.shape.method,
    reference: z.string().check(z.trim(), z.maxLength(100)),
  })

type PayoutDialogProps = { parent: Parent; balance: number; onClose: () => void }

/** Records that credit was paid out; it moves no money itself. */
export const PayoutDialog = ({ parent, balance, onClose }: PayoutDialogProps) => {
  const paying = useMutation(payOut)
  const keyOf = useKeyPerBody()
  return (
    <FormDialog
      title={`Pay out credit of ${parent.username}`}
      description="Record that the family got money for its credit. This moves no money and cannot be undone."
      submit="Pay Out"
      busyLabel="Paying out..."
      schema={payout(balance)}
      defaultValues={{ amount: balance.toFixed(2), method: 'manual', reference: '' }}
      onSave={async ({ amount, method, reference }) => {
        const body = { amount: Number(amount), method, ...(reference ? { reference } : {}) }
        const params = { id: parent.id }
        const reply = await paying.mutateAsync({ params, body, idempotencyKey: keyOf(body) })
        adminToast(isWaiting(reply) ? waitsWords : { title: 'Credit paid out' })
      }}
      failed="Failed to pay out credit"
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
    </FormDialog>
  )
}
