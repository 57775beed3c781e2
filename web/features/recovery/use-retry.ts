import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { AmendedLine, FailedOrder } from '#contracts/payments-console'
import { refusedLine } from '#contracts/ordering'
import { CallError, messageOf } from '../../lib/call'
import { adminToast } from '../../lib/toast'
import { asOrdered } from './details/amendments'
import { retry } from './api'
import { unresolved } from './recovery-words'

const initiated = 'Order recovery initiated successfully'

/** Makes the orders of a failed attempt; answers whether they are made. */
export const useRetry = (order: FailedOrder) => {
  const retrying = useMutation(retry)
  const retryWith = async (amendments: readonly AmendedLine[]) => {
    const cartItems = unresolved(order).map(
      (line) => amendments.find(({ index }) => index === line.index) ?? asOrdered(line),
    )
    const body = cartItems.length > 0 ? { cartItems } : undefined
    try {
      const { success, status, message } = await retrying.mutateAsync({ params: { id: order.id }, body })
      if (success) adminToast({ title: initiated, text: message === initiated ? undefined : message })
      else adminToast({ title: status, text: message, kind: 'error' })
      return success
    } catch (error) {
      const text = refusedLines(error) ?? messageOf(error, 'Failed to retry order')
      adminToast({ title: 'Error', text, kind: 'error' })
      return false
    }
  }
  return { retryWith, retrying: retrying.isPending }
}

const refusal = z.object({ lines: z.array(refusedLine) })

/** Why the changed lines were refused, each reason once; null when the refusal was about something else. */
const refusedLines = (error: unknown): string | null => {
  if (!(error instanceof CallError)) return null
  const lines = z.safeParse(refusal, error.reply).data?.lines ?? []
  return lines.length > 0 ? [...new Set(lines.map(({ message }) => message))].join(' · ') : null
}
