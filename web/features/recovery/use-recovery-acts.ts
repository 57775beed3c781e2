import { useMutation } from '@tanstack/react-query'
import { told } from '../../lib/told'
import { accept, retry, waive } from './api'
import type { Amendment } from './api'
import type { Judgement } from './judgement-dialog'

/** What can be done about a failed attempt; each answers whether it was taken. */
export const useRecoveryActs = (id: string) => {
  const retrying = useMutation(retry)
  const accepting = useMutation(accept)
  const waiving = useMutation(waive)
  const retryWith = async (cartItems: Amendment[]) => {
    const done = await told(retrying.mutateAsync({ id, cartItems }), {
      done: 'Order recovery initiated successfully',
      failed: 'Failed to retry order',
    })
    return done !== null
  }
  const judge = async (judgement: Judgement, reason: string) => {
    const done =
      judgement === 'accept'
        ? await told(accepting.mutateAsync({ id, reason }), {
            done: ({ message }) => ({ title: 'Payment Accepted', text: message }),
            failed: 'Failed to accept the payment',
          })
        : await told(waiving.mutateAsync({ id, reason }), {
            done: ({ message }) => ({ title: 'Refund Due', text: message }),
            failed: 'Failed to give the money back',
          })
    return done !== null
  }
  return { retryWith, judge, retrying: retrying.isPending }
}
