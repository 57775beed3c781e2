import { useMutation } from '@tanstack/react-query'
import type { ListedRefund } from '#contracts/refunds'
import { kwacha, methodLabel } from '../../lib/format'
import { notifyOutcome } from '../../lib/notify-outcome'
import { dateAndTime } from '../../lib/school-moment'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { approve, withdraw } from './api'

const askedOf = ({ asked }: ListedRefund): string => {
  if (!asked) return ''
  const { amount, method, reference, note, toCard } = asked
  const way = toCard ? 'back to the card' : methodLabel(method)
  return `${kwacha(amount)} (${[way, reference, note].filter(Boolean).join(', ')})`
}

/** What waits of a refund for another administrator, and why who asked has no button for it. */
export const ApprovalWords = ({ refund }: { refund: ListedRefund }) =>
  refund.approval === null ? null : (
    <p className="mt-1 max-w-72 text-xs break-words whitespace-normal">
      <strong className="block">Waits for approval</strong>
      <span className="text-muted">
        {`${askedOf(refund)}, asked by ${refund.approval.by} on ${dateAndTime(refund.approval.at)}.`}
        {refund.allowed.approve ? '' : ' You asked for this: another administrator has to approve it.'}
      </span>
    </p>
  )

const words = {
  approve: {
    title: 'Approve this refund?',
    confirm: 'Approve',
    done: 'Refund approved',
    failed: 'Failed to approve the refund',
  },
  withdraw: {
    title: 'Withdraw this refund?',
    confirm: 'Withdraw',
    done: 'Refund withdrawn: it is owed as before',
    failed: 'Failed to withdraw the refund',
  },
} as const

type ApprovalDialogProps = { act: keyof typeof words; refund: ListedRefund; onClose: () => void }

/** Asks before what waits is approved, as it was shown, or withdrawn. */
export const ApprovalDialog = ({ act, refund, onClose }: ApprovalDialogProps) => {
  const approving = useMutation(approve)
  const withdrawing = useMutation(withdraw)
  const { title, confirm, done, failed } = words[act]
  const params = { id: refund.id }
  const judge = async () => {
    const judged =
      act === 'approve'
        ? approving.mutateAsync({ params, body: { askedAt: refund.approval?.at } })
        : withdrawing.mutateAsync({ params })
    await notifyOutcome(judged, { done, failed })
    onClose()
  }
  return (
    <ConfirmDialog
      open
      title={title}
      confirm={confirm}
      busy={approving.isPending || withdrawing.isPending}
      onConfirm={() => void judge()}
      onClose={onClose}
    >
      {`${askedOf(refund)} for ${refund.menuItem.name}, ordered for ${refund.student.name}, asked by ${refund.approval?.by}. ${thenOf(act, refund)}`}
    </ConfirmDialog>
  )
}

const thenOf = (act: keyof typeof words, { asked }: ListedRefund): string => {
  if (act === 'withdraw') return 'It stays owed to the family.'
  return asked?.toCard
    ? 'The card provider is asked to pay it back; this cannot be undone.'
    : 'It then counts as paid back. This moves no money and cannot be undone.'
}
