import { useMutation } from '@tanstack/react-query'
import type { AmendedLine, FailedOrder } from '#contracts/payments-console'
import * as z from 'zod/mini'
import { refusedLine } from '#contracts/ordering'
import { CallError, messageOf } from '../../lib/call'
import { adminToast } from '../../lib/toast'
import { notifyOutcome } from '../../lib/notify-outcome'
import { asOrdered } from './details/amendments'
import { accept, retry, waive } from './api'
import type { Judgement } from './judgement-dialog'
import { unresolved } from './recovery-words'

const initiated = 'Order recovery initiated successfully'

/** What can be done about a failed attempt; each answers whether it did what was meant. */
export const useRecoveryActs = (order: FailedOrder) => {
  const { id } = order
  const retrying = useMutation(retry)
  const accepting = useMutation(accept)
  const waiving = useMutation(waive)
  const retryWith = async (amendments: readonly AmendedLine[]) => {
    const cartItems = unresolved(order).map(
      (line) => amendments.find(({ index }) => index === line.index) ?? asOrdered(line),
    )
    try {
      const { success, status, message } = await retrying.mutateAsync({ id, cartItems })
      if (success) adminToast({ title: initiated, text: message === initiated ? undefined : message })
      else adminToast({ title: status, text: message, kind: 'error' })
      return success
    } catch (error) {
      const text = refusedLines(error) ?? messageOf(error, 'Failed to retry order')
      adminToast({ title: 'Error', text, kind: 'error' })
      return false
    }
  }
  const judge = async (judgement: Judgement, reason: string) => {
    const done =
      judgement === 'accept'
        ? await notifyOutcome(accepting.mutateAsync({ id, reason }), {
            done: ({ message }) => ({ title: 'Payment Accepted', text: message }),
            failed: 'Failed to accept the payment',
          })
        : await notifyOutcome(waiving.mutateAsync({ id, reason }), {
            done: ({ message }) => ({ title: 'Refund Due', text: message }),
            failed: 'Failed to give the money back',
          })
    return done !== null
  }
  return { retryWith, judge, retrying: retrying.isPending }
}

const refusal = z.object({ lines: z.array(refusedLine) })

/** Why the changed lines were refused, each reason once; null when the refusal was about something else. */
const refusedLines = (error: unknown): string | null => {
  if (!(error instanceof CallError)) return null
  const lines = z.safeParse(refusal, error.reply).data?.lines ?? []
  return lines.length > 0 ? [...new Set(lines.map(({ message }) => message))].join(' · ') : null
}
