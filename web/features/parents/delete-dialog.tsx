import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError, messageOf } from '../../lib/call'
import { counted } from '../../lib/format'
import { adminToast } from '../../lib/toast'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { removeParent, removeStudent } from './api'
import { type CreditLeft, GivingUpDialog } from './giving-up-dialog'

type DeleteDialogProps = {
  kind: 'Parent' | 'Student'
  id: number
  name: string
  /** What deleting does, in a sentence. */
  consequence: string
  /** Leaves the dialog for the credit of the family; null for who may not pay out. */
  onPayOut?: (() => void) | null
  onClose: () => void
}

const words = {
  Parent: { failed: 'Deletion failed', forceFailed: 'Force deletion failed' },
  Student: { failed: 'Failed to delete student', forceFailed: 'Force deletion failed' },
} as const

/**
 * Asks before deleting; where orders stand in the way and the server lets it, asks again with their number, and where the
 * family is still owed something, with that.
 */
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
        Deleting all the same cancels what is still to be cooked; what was paid for it appears under Refund
        Management.
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
