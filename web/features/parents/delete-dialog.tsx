import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import * as z from 'zod/mini'
import { CallError, messageOf } from '../../lib/call'
import { counted, kwacha } from '../../lib/format'
import { paths } from '../../lib/paths'
import { adminToast } from '../../lib/toast'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import { Notice } from '../../ui/notice'
import { removeParent, removeStudent } from './parent-dialogs'

type DeleteDialogProps = {
  kind: 'Parent' | 'Student'
  id: number
  name: string
  consequence: string
  /** Null without the right to pay out. */
  onPayOut?: (() => void) | null
  onClose: () => void
}

const words = {
  Parent: { failed: 'Deletion failed', forceFailed: 'Force deletion failed' },
  Student: { failed: 'Failed to delete student', forceFailed: 'Force deletion failed' },
} as const

/** Asks again when orders or money owed stand in the way. */
export const DeleteDialog = ({
  kind,
  id,
  name,
  consequence,
  onPayOut = null,
  onClose,
}: DeleteDialogProps) => {
  const [inTheWay, setInTheWay] = useState<InTheWay | null>(null)
  const [left, setLeft] = useState<CreditLeft | null>(null)
  const removing = useMutation(kind === 'Parent' ? removeParent : removeStudent)
  const removeWith = async (query: { force?: 'true'; giveUp?: string }) => {
    await removing.mutateAsync({ params: { id }, query })
    adminToast({ title: `${kind} deleted successfully` })
    onClose()
  }
  const remove = async (force: boolean) => {
    try {
      await removeWith(force ? { force: 'true' } : {})
    } catch (error) {
      const isLeft = creditLeftOf(error)
      if (isLeft) return setLeft(isLeft)
      const found = force ? null : inTheWayOf(error)
      if (found) return setInTheWay(found)
      adminToast({
        title: 'Error',
        text: detailsOf(error) ?? messageOf(error, force ? words[kind].forceFailed : words[kind].failed),
        kind: 'error',
      })
      onClose()
    }
  }
  if (left)
    return (
      <GivingUpDialog
        username={name}
        left={left}
        onPayOut={onPayOut}
        onGiveUp={() => removeWith({ force: 'true', giveUp: name })}
        onClose={onClose}
      />
    )
  const asking = { danger: true, busy: removing.isPending, busyLabel: 'Deleting...', onClose } as const
  if (inTheWay)
    return (
      <ConfirmDialog
        {...asking}
        open
        title={`${name} has ${inWords(inTheWay)}`}
        confirm="Force Delete"
        onConfirm={() => void remove(true)}
      >
        Deleting anyway cancels meals not yet cooked; what was paid goes to Refund Management.
        {inTheWay.mealsInPayment > 0
          ? ' Meals that are paid for later appear under Order Recovery.'
          : ''}{' '}
        This cannot be undone.
      </ConfirmDialog>
    )
  return (
    <ConfirmDialog
      {...asking}
      open
      title={`Delete ${name}?`}
      confirm={`Delete ${kind}`}
      onConfirm={() => void remove(false)}
    >
      {`${consequence} This cannot be undone.`}
    </ConfirmDialog>
  )
}

type InTheWay = { orders: number; mealsInPayment: number }

const inTheWayOf = (error: unknown): InTheWay | null => {
  const reply = error instanceof CallError ? error.reply : null
  if (reply?.canForce !== true) return null
  return { orders: Number(reply.orderCount), mealsInPayment: Number(reply.mealsInPayment ?? 0) }
}

const creditLeftOf = (error: unknown): CreditLeft | null => {
  if (!(error instanceof CallError) || error.code !== 'credit_left') return null
  return { creditBalance: Number(error.reply?.creditBalance), owed: Number(error.reply?.owed) }
}

const inWords = ({ orders, mealsInPayment }: InTheWay): string =>
  [
    ...(orders > 0 ? [counted(orders, 'order')] : []),
    ...(mealsInPayment > 0 ? [`${counted(mealsInPayment, 'meal')} being paid for`] : []),
  ].join(' and ')

const detailsOf = (error: unknown): string | null => {
  const details = error instanceof CallError ? error.reply?.details : null
  return typeof details === 'string' ? details : null
}

/** In kwacha; `creditBalance` includes held credit. */
type CreditLeft = { creditBalance: number; owed: number }

type GivingUpDialogProps = {
  username: string
  left: CreditLeft
  onPayOut: (() => void) | null
  onGiveUp: () => Promise<unknown>
  onClose: () => void
}

/** Needs the username typed; offers a payout first. */
const GivingUpDialog = ({ username, left, onPayOut, onGiveUp, onClose }: GivingUpDialogProps) => {
  const [failure, setFailure] = useState<string | null>(null)
  return (
    <FormDialog
      title={`${username} is still owed ${kwacha(left.creditBalance + left.owed)}`}
      description="Pay it out first, or give it up: then the school keeps it, and nobody can pay it out any more."
      submit="Give Up and Delete"
      busyLabel="Deleting..."
      variant="danger"
      schema={z.object({
        username: z
          .string()
          .check(z.refine((text) => text === username, `Type ${username}, as it is written here`)),
      })}
      defaultValues={{ username: '' }}
      onSave={() => {
        setFailure(null)
        return onGiveUp()
      }}
      failed={(error) => setFailure(messageOf(error, 'Force deletion failed'))}
      onClose={onClose}
      className="flex flex-col gap-4"
    >
      <Amounts left={left} mayPayOut={onPayOut !== null} />
      {onPayOut && left.creditBalance > 0 ? (
        <Button variant="secondary" size="sm" icon="wallet" className="self-start" onClick={onPayOut}>
          Pay Out First
        </Button>
      ) : null}
      <FormField
        name="username"
        label={`Type ${username} to give it up`}
        hint="Orders still to be cooked are cancelled. This cannot be undone."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      {failure ? <Notice tone="danger">{failure}</Notice> : null}
    </FormDialog>
  )
}

const Amounts = ({ left, mayPayOut }: { left: CreditLeft; mayPayOut: boolean }) => (
  <>
    <ul className="divide-y divide-line rounded-md border border-line px-3">
      {left.creditBalance > 0 ? (
        <li className="py-2">
          <strong className="money">{kwacha(left.creditBalance)}</strong> of credit (including what a payment
          under way holds)
        </li>
      ) : null}
      {left.owed > 0 ? (
        <li className="py-2">
          <strong className="money">{kwacha(left.owed)}</strong> to be paid back
          {mayPayOut ? (
            <>
              {', under '}
              <Link to={paths.section('refunds')} className="font-semibold underline">
                Refund Management
              </Link>
            </>
          ) : null}
        </li>
      ) : null}
    </ul>
    {mayPayOut ? null : <p className="text-sm">An administrator who manages refunds can pay it out first.</p>}
  </>
)
