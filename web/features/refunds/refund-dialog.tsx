import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { type Refund, refundMethods } from '#contracts/refunds'
import { showFieldErrors } from '../../lib/field-errors'
import { kwacha } from '../../lib/format'
import { freshKey } from '../../lib/fresh-key'
import { adminToast } from '../../lib/toast'
import { notifyFailure } from '../../lib/notify-outcome'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Select } from '../../ui/select'
import { TextArea, TextField } from '../../ui/text-field'
import { complete } from './api'
import { methodLabels, refundBody, refundForm } from './refund-form'

type RefundDialogProps = { refund: Refund; onClose: () => void }

/** Records that money was paid back: how much, how, and under which reference. It moves no money itself. */
export const RefundDialog = ({ refund, onClose }: RefundDialogProps) => {
  const id = useId()
  const { form, save } = useRefundForm(refund, onClose)
  const { errors, isSubmitting } = form.formState
  return (
    <Dialog
      open
      onClose={onClose}
      title="Mark as Refunded"
      description={`Record that ${kwacha(refund.amount)} for ${refund.menuItem.name}, ordered for ${refund.student.name}, was paid back. This moves no money and cannot be undone.`}
      actions={
        <>
          <Button variant="secondary" disabled={isSubmitting} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id} busy={isSubmitting}>
            Mark as Refunded
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={save} className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...form.register('amount')}
          label="Amount (K)"
          inputMode="decimal"
          autoComplete="off"
          error={errors.amount?.message}
        />
        <Select
          {...form.register('method')}
          label="Method"
          options={refundMethods.map((value) => ({ value, label: methodLabels[value] }))}
          error={errors.method?.message}
        />
        <TextField
          {...form.register('reference')}
          label="Reference (optional)"
          className="sm:col-span-2"
          maxLength={100}
          autoComplete="off"
          error={errors.reference?.message}
        />
        <TextArea
          {...form.register('note')}
          label="Note (optional)"
          className="sm:col-span-2"
          rows={2}
          maxLength={500}
          error={errors.note?.message}
        />
      </form>
    </Dialog>
  )
}

const useRefundForm = (refund: Refund, onDone: () => void) => {
  const completing = useMutation(complete)
  const keyOf = useKeyPerBody()
  const form = useForm({
    resolver: zodResolver(refundForm(refund.amount)),
    defaultValues: { amount: refund.amount.toFixed(2), method: 'manual' as const, reference: '', note: '' },
  })
  const save = form.handleSubmit(async (typed) => {
    try {
      const body = refundBody(typed)
      await completing.mutateAsync({ id: refund.id, body, idempotencyKey: keyOf(body) })
      adminToast({ title: 'Refund completed' })
      onDone()
    } catch (error) {
      if (!showFieldErrors(form, error)) notifyFailure(error, 'Failed to mark order as refunded')
    }
  })
  return { form, save }
}

/** The same body keeps its key while the dialog is open: sent again after a lost answer it counts once. */
const useKeyPerBody = () => {
  const sent = useRef({ body: '', key: '' })
  return (body: unknown): string => {
    const text = JSON.stringify(body)
    if (sent.current.body !== text) sent.current = { body: text, key: freshKey() }
    return sent.current.key
  }
}
