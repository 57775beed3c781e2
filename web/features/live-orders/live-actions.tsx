import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { VerifyReply } from '#contracts/payments'
import type { LiveOrder } from '#contracts/payments-console'
import { kwacha } from '../../lib/format'
import { adminToast, notifyOutcome } from '../../lib/toast'
import { Button, type ButtonProps } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import type { IconName } from '../../ui/icon'
import { statusOnAbandon, retry, setStatus, verify } from './live-text'

/** Acts the server allows. */
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
    <div className="flex flex-wrap gap-2 empty:hidden @4xl:flex-nowrap @4xl:gap-0">
      {allowed.retry ? (
        <Act icon="refresh" name="Retry" whose={whose} busy={acts.retrying} onClick={acts.retry} />
      ) : null}
      {allowed.verify ? (
        <Act icon="check" name="Verify" whose={whose} busy={acts.verifying} onClick={acts.verify} />
      ) : null}
      {allowed.abandon ? (
        <Act
          icon="close"
          name="Abandon"
          whose={whose}
          disabled={acts.givingUp}
          onClick={() => (statusOnAbandon(order) ? setAsking(true) : notifyNoTransaction())}
        />
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

type ActProps = { icon: IconName; name: string; whose: string; onClick: () => void } & Pick<
  ButtonProps,
  'busy' | 'disabled'
>

/** Its picture alone where a row is one line. */
const Act = ({ icon, name, whose, ...button }: ActProps) => (
  <Button
    {...button}
    size="sm"
    variant="ghost"
    icon={icon}
    aria-label={`${name} ${whose}`}
    title={`${name} ${whose}`}
    className="@max-4xl:border @max-4xl:border-sand-300 @4xl:px-2!"
  >
    <span className="@4xl:sr-only">{name}</span>
  </Button>
)

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

const useLiveActs = (order: LiveOrder) => {
  const retrying = useMutation(retry)
  const verifying = useMutation(verify)
  const changing = useMutation(setStatus)
  const params = { transactionId: order.transactionId ?? order.id }
  return {
    retry: () =>
      void notifyOutcome(retrying.mutateAsync({ params: { id: order.id }, body: undefined }), {
        done: ({ success, message }) =>
          success
            ? { title: 'Order Retry Initiated', text: message }
            : { title: 'Retry Failed', text: message, kind: 'error' },
        failed: 'Failed to retry order',
        failedTitle: 'Retry Failed',
      }),
    verify: () =>
      void notifyOutcome(verifying.mutateAsync({ params }), {
        done: verified,
        failed: 'Failed to verify payment',
        failedTitle: 'Verification Failed',
      }),
    /** Resolves when set or refused. */
    giveUp: async () => {
      const status = statusOnAbandon(order)
      if (!status) return
      await notifyOutcome(changing.mutateAsync({ params, body: { status } }), {
        done: 'Status Updated',
        failed: 'Failed to update the payment attempt status. Please try again.',
        failedTitle: 'Update Failed',
      })
    },
    retrying: retrying.isPending,
    verifying: verifying.isPending,
    givingUp: changing.isPending,
  }
}

const verified = (reply: VerifyReply) =>
  reply.success
    ? { title: 'Payment Verified', text: [reply.message, ...reply.attention].join(' · ') }
    : {
        title: 'Verification Failed',
        text: [reply.message || 'Payment verification failed', reply.ResultExplanation]
          .filter(Boolean)
          .join(' · '),
        kind: 'error' as const,
      }

/** Instead of the question. */
const notifyNoTransaction = () =>
  adminToast({
    title: 'Action Failed',
    text: 'Cannot mark this order as abandoned due to missing transaction ID. Please contact support.',
    kind: 'error',
  })
