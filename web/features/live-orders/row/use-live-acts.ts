import { useMutation } from '@tanstack/react-query'
import type { VerifyReply } from '#contracts/payments'
import type { LiveOrder } from '#contracts/payments-console'
import { adminToast } from '../../../lib/toast'
import { notifyOutcome } from '../../../lib/notify-outcome'
import { retry, setStatus, verify } from '../api'
import { statusOnAbandon } from '../live-words'

/** What can be done to one payment attempt, each telling how it ended. */
export const useLiveActs = (order: LiveOrder) => {
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
    /** Answers once the status is set or refused. */
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

/** Said instead of the question when an attempt cannot be given up. */
export const notifyNoTransaction = () =>
  adminToast({
    title: 'Action Failed',
    text: 'Cannot mark this order as abandoned due to missing transaction ID. Please contact support.',
    kind: 'error',
  })
