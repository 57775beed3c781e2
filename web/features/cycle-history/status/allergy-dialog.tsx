import { useMutation } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import type { substituteOrders } from '#contracts/order-acts'
import { messageOf } from '../../../lib/call'
import { counted } from '../../../lib/format'
import { adminToast } from '../../../lib/toast'
import { useKeyPerBody } from '../../../lib/use-key-per-body'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { substitute } from '../api'
import { type ActDialogProps, substitutedToast } from './act-words'

export type Skipped = ReplyOf<typeof substituteOrders>['skipped']

/** What was sent, and which orders it did not reach because the child is allergic to the meal. */
export type AllergyAsked = { body: BodyOf<typeof substituteOrders>; conflicts: Skipped; others: Skipped }

type AllergyDialogProps = Omit<ActDialogProps, 'others'> & { asked: AllergyAsked }

/** Asks whether children get a meal that they are allergic to, where the school's rule is to warn. */
export const AllergyDialog = ({ asked, orders, onActed, onClose }: AllergyDialogProps) => {
  const { body, conflicts, others } = asked
  const sending = useMutation(substitute)
  const keyOf = useKeyPerBody()
  const end = (left: Skipped) => {
    onActed(left)
    onClose()
  }
  const give = async () => {
    const again = { ...body, orderIds: conflicts.map(({ orderId }) => orderId), acknowledged: true }
    try {
      const reply = await sending.mutateAsync({ body: again, idempotencyKey: keyOf(again) })
      adminToast(substitutedToast(reply))
      end([...others, ...reply.skipped])
    } catch (error) {
      adminToast({ title: 'Error', text: messageOf(error, 'Failed to change orders'), kind: 'error' })
    }
  }
  const nameOf = (orderId: string) => orders.find(({ id }) => id === orderId)?.student.name ?? 'A child'
  return (
    <ConfirmDialog
      open
      danger
      title="Give this meal all the same?"
      confirm="Give It All the Same"
      cancel="Leave Them Out"
      busy={sending.isPending}
      onConfirm={() => void give()}
      onClose={() => end([...others, ...conflicts])}
    >
      {counted(conflicts.length, 'child is', 'children are')} allergic to what is in it:
      {conflicts.map(({ orderId, allergens = [] }) => (
        <span key={orderId} className="block font-semibold text-ink">
          {nameOf(orderId)} – {allergens.join(', ').toLowerCase()}
        </span>
      ))}
      The families are asked to look at it.
    </ConfirmDialog>
  )
}
