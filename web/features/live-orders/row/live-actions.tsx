import { useState } from 'react'
import type { LiveOrder } from '#contracts/payments-console'
import { kwacha } from '../../../lib/format'
import { Button } from '../../../ui/button'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { statusOnAbandon } from '../live-words'
import { notifyNoTransaction, useLiveActs } from './use-live-acts'

/** What the server allows to be done to this attempt now. */
export const LiveActions = ({ order }: { order: LiveOrder }) => {
  const acts = useLiveActs(order)
  const [asking, setAsking] = useState(false)
  const { allowed } = order
  const whose = `the payment of ${order.username}`
  const giveUp = async () => {
    await acts.giveUp()
    setAsking(false)
  }
  return (
    <div className="flex flex-wrap gap-1.5 empty:hidden">
      {allowed.retry ? (
        <Button
          size="sm"
          variant="secondary"
          aria-label={`Retry ${whose}`}
          busy={acts.retrying}
          onClick={acts.retry}
        >
          Retry
        </Button>
      ) : null}
      {allowed.verify ? (
        <Button
          size="sm"
          variant="secondary"
          aria-label={`Verify ${whose}`}
          busy={acts.verifying}
          onClick={acts.verify}
        >
          Verify
        </Button>
      ) : null}
      {allowed.abandon ? (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Abandon ${whose}`}
          disabled={acts.givingUp}
          onClick={() => (statusOnAbandon(order) ? setAsking(true) : notifyNoTransaction())}
        >
          Abandon
        </Button>
      ) : null}
      <AbandonDialog
        order={order}
        open={asking}
        busy={acts.givingUp}
        onConfirm={() => void giveUp()}
        onClose={() => setAsking(false)}
      />
    </div>
  )
}

type AbandonDialogProps = {
  order: LiveOrder
  open: boolean
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

const AbandonDialog = ({ order, ...dialog }: AbandonDialogProps) =>
  order.amount === 0 ? (
    <ConfirmDialog {...dialog} title="Complete this free order?" confirm="Create Orders">
      {`There is nothing to pay, so nothing is abandoned: the meals of ${order.username} become orders now.`}
    </ConfirmDialog>
  ) : (
    <ConfirmDialog {...dialog} danger title="Abandon this payment?" confirm="Abandon Payment">
      {`The payment of ${kwacha(order.amount)} by ${order.username} is checked with the card provider once more. If it was not paid, it ends here and its days are free to order again. If it was paid, its orders are made instead.`}
    </ConfirmDialog>
  )
