import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { acceptMismatch, type FailedOrder } from '#contracts/payments-console'
import { counted, kwacha } from '../../lib/format'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Notice } from '../../ui/notice'
import { TextArea } from '../../ui/text-field'
import { charged, unresolved } from './recovery-words'

export type Judgement = 'accept' | 'waive'

type JudgementDialogProps = {
  order: FailedOrder
  judgement: Judgement
  /** Answers whether the server took it. */
  onJudge: (reason: string) => Promise<boolean>
  onClose: () => void
}

/** Asks for the reason before a person decides about money, and says what will happen and how much it is. */
export const JudgementDialog = ({ order, judgement, onJudge, onClose }: JudgementDialogProps) => {
  const id = useId()
  const form = useForm({ resolver: zodResolver(acceptMismatch.body), defaultValues: { reason: '' } })
  const save = form.handleSubmit(async ({ reason }) => {
    if (await onJudge(reason)) onClose()
  })
  const words = judgement === 'accept' ? acceptWords(order) : waiveWords(order)
  const { errors, isSubmitting } = form.formState
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      actions={
        <>
          <Button variant="secondary" disabled={isSubmitting} onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={id}
            variant={judgement === 'waive' ? 'danger' : 'primary'}
            busy={isSubmitting}
          >
            {words.confirm}
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={save} className="flex flex-col gap-4">
        <p>{words.text}</p>
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
        <TextArea
          {...form.register('reason')}
          label="Reason"
          hint="Kept in the history of this payment with your name."
          maxLength={500}
          error={errors.reason?.message}
        />
      </form>
    </Dialog>
  )
}

const acceptWords = (order: FailedOrder) => {
  const lines = unresolved(order)
  return {
    title: 'Accept this payment?',
    confirm: 'Accept Payment',
    text: `${counted(lines.length, 'meal')} worth ${kwacha(charged(lines))} become orders now, although something about the payment by ${order.customer} does not match. What was paid above the price is owed back; what is missing is for you to collect.`,
  }
}

const waiveWords = (order: FailedOrder) => {
  const lines = unresolved(order)
  return {
    title: 'Give the money back?',
    confirm: 'Give Money Back',
    text: `${counted(lines.length, 'meal')} worth ${kwacha(charged(lines))} will not become orders any more. What ${order.customer} paid for them is owed back, and is listed under Refund Management until somebody pays it. This cannot be undone.`,
  }
}
