import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { CardRefundState, ListedRefund } from '#contracts/refunds'
import { isWaiting, waitsWords } from '../../lib/approval'
import { kwacha } from '../../lib/format'
import { notifyOutcome } from '../../lib/notify-outcome'
import type { ToastWords } from '../../lib/toast'
import { useKeyPerBody } from '../../lib/use-key-per-body'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import { askCard, sayWhatBecame } from './api'

const titles: Record<CardRefundState['state'], string> = {
  requested: 'Back to the card: not known yet',
  pending: 'Back to the card: under way',
  done: 'Back on the card',
  failed: 'Not back on the card',
  check: 'Back to the card: please find out',
}

const kinds: Record<CardRefundState['state'], ToastWords['kind']> = {
  requested: 'info',
  pending: 'info',
  done: 'success',
  failed: 'error',
  check: 'warning',
}

/** How far a refund to the card has come; nothing where none was asked for. */
export const CardRefundWords = ({ card }: Pick<ListedRefund, 'card'>) =>
  card === null ? null : (
    <p className="mt-1 max-w-72 text-xs break-words whitespace-normal">
      <strong className="block">{titles[card.state]}</strong>
      {card.reason ? <span className="text-muted">{card.reason}</span> : null}
    </p>
  )

const toldOf = ({ state, reason }: CardRefundState): ToastWords => ({
  title: titles[state],
  kind: kinds[state],
  ...(reason ? { text: reason } : {}),
})

type CardDialogProps = { refund: ListedRefund; onClose: () => void }

/** Asks before the card provider is told to pay back; while it is being told, nothing can be pressed. */
export const CardRefundDialog = ({ refund, onClose }: CardDialogProps) => {
  const asking = useMutation(askCard)
  const keyOf = useKeyPerBody()
  const ask = async () => {
    const params = { id: refund.id }
    await notifyOutcome(asking.mutateAsync({ params, idempotencyKey: keyOf(params) }), {
      done: (reply) => (isWaiting(reply) ? waitsWords : toldOf(reply)),
      failed: 'Failed to ask the card provider',
    })
    onClose()
  }
  return (
    <ConfirmDialog
      open
      title="Back to the card?"
      confirm="Back to the Card"
      busy={asking.isPending}
      busyLabel="Asking..."
      onConfirm={() => void ask()}
      onClose={onClose}
    >
      {`${kwacha(refund.amount)} for ${refund.menuItem.name}, ordered for ${refund.student.name}, goes back to the card that paid. The card provider moves the money; this cannot be undone.`}
    </ConfirmDialog>
  )
}

const checkForm = z.object({ note: z.string().check(z.trim(), z.maxLength(500)) })

/** Records what a person found out in the card provider's portal. */
export const CardCheckDialog = ({ refund, wentBack, onClose }: CardDialogProps & { wentBack: boolean }) => {
  const saying = useMutation(sayWhatBecame)
  const sum = `${kwacha(refund.amount)} for ${refund.menuItem.name}, ordered for ${refund.student.name}`
  return (
    <FormDialog
      title={wentBack ? 'It went back?' : 'It did not go back?'}
      description={
        wentBack
          ? `The card provider's portal shows that ${sum}, went back to the card. The refund then counts as paid back.`
          : `The card provider's portal shows no refund of ${sum}. Be sure: it is then owed again, and may be paid back in any way.`
      }
      submit={wentBack ? 'It Went Back' : 'It Did Not Go Back'}
      schema={checkForm}
      defaultValues={{ note: '' }}
      onSave={({ note }) =>
        saying.mutateAsync({
          params: { id: refund.id },
          body: { outcome: wentBack ? 'done' : 'failed', ...(note ? { note } : {}) },
        })
      }
      done={wentBack ? 'Refund completed' : 'Owed again'}
      failed="Failed to record what became of it"
      onClose={onClose}
      className="grid gap-4"
    >
      <FormField name="note" label="Note (optional)" rows={2} maxLength={500} />
    </FormDialog>
  )
}
