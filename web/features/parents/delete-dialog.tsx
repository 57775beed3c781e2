import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError, messageOf } from '../../lib/call'
import { counted } from '../../lib/format'
import { adminToast } from '../../lib/toast'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { removeParent, removeStudent } from './api'

type DeleteDialogProps = {
  kind: 'Parent' | 'Student'
  id: number
  name: string
  /** What deleting does, in a sentence. */
  consequence: string
  onClose: () => void
}

const words = {
  Parent: { failed: 'Deletion failed', forceFailed: 'Force deletion failed' },
  Student: { failed: 'Failed to delete student', forceFailed: 'Force deletion failed' },
} as const

/** Asks before deleting; where orders stand in the way and the server lets it, asks again with their number. */
export const DeleteDialog = ({ kind, id, name, consequence, onClose }: DeleteDialogProps) => {
  const [orders, setOrders] = useState<number | null>(null)
  const removing = useMutation(kind === 'Parent' ? removeParent : removeStudent)
  const remove = async (force: boolean) => {
    try {
      await removing.mutateAsync({ params: { id }, query: force ? { force: 'true' } : {} })
      adminToast({ title: `${kind} deleted successfully` })
      onClose()
    } catch (error) {
      const inTheWay = force ? null : ordersInTheWay(error)
      if (inTheWay !== null) return setOrders(inTheWay)
      adminToast({
        title: 'Error',
        text: detailsOf(error) ?? messageOf(error, force ? words[kind].forceFailed : words[kind].failed),
        kind: 'error',
      })
      onClose()
    }
  }
  const asking = { danger: true, busy: removing.isPending, busyLabel: 'Deleting...', onClose } as const
  if (orders !== null)
    return (
      <ConfirmDialog
        {...asking}
        open
        title={`${name} has ${counted(orders, 'order')}`}
        confirm="Force Delete"
        onConfirm={() => void remove(true)}
      >
        {`Deleting all the same cancels what is still to be cooked of ${counted(orders, 'order')}; what was paid for it appears under Refund Management. This cannot be undone.`}
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

const ordersInTheWay = (error: unknown): number | null => {
  const reply = error instanceof CallError ? error.reply : null
  return reply?.canForce === true ? Number(reply.orderCount) : null
}

const detailsOf = (error: unknown): string | null => {
  const details = error instanceof CallError ? error.reply?.details : null
  return typeof details === 'string' ? details : null
}
