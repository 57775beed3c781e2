import { useMutation } from '@tanstack/react-query'
import type { ListedRefund } from '#contracts/refunds'
import { kwacha } from '../../lib/format'
import { notifyOutcome } from '../../lib/notify-outcome'
import { useKeyPerBody } from '../../lib/use-key-per-body'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { turnIntoCredit } from './api'

/** Asks before a sum that is owed becomes credit of the family. */
export const CreditDialog = ({ refund, onClose }: { refund: ListedRefund; onClose: () => void }) => {
  const turning = useMutation(turnIntoCredit)
  const keyOf = useKeyPerBody()
  const turn = async () => {
    const params = { id: refund.id }
    const done = await notifyOutcome(turning.mutateAsync({ params, idempotencyKey: keyOf(params) }), {
      done: 'Refund turned into credit',
      failed: 'Failed to turn refund into credit',
    })
    if (done) onClose()
  }
  return (
    <ConfirmDialog
      open
      title="Turn into credit?"
      confirm="Turn into Credit"
      busy={turning.isPending}
      onConfirm={() => void turn()}
      onClose={onClose}
    >
      {`${kwacha(refund.amount)} for ${refund.menuItem.name}, ordered for ${refund.student.name}, becomes credit with which the family pays its next meals. The refund then counts as paid back.`}
    </ConfirmDialog>
  )
}
