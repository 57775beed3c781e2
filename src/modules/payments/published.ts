import { z } from 'zod'
import type { MobileNetwork } from '#contracts/ordering'
import { eventType, type EventOf } from '#kernel/event'
import { rowId } from '#kernel/id'
import * as events from './attempt/events'

export * from './attempt/events'

/** The ways that the card provider settles. */
export type ProviderMethod = 'card' | MobileNetwork

type Told =
  | EventOf<typeof events.checkoutStarted>
  | EventOf<typeof events.promptAsked>
  | EventOf<typeof events.cardPageChosen>
  | EventOf<typeof events.paymentVerified>
  | EventOf<typeof events.paymentMismatched>

/** How a payment at the provider is made, where the event tells: what is reported as paid comes last and wins; else null. */
export const methodTold = (event: { type: string; data: unknown }): ProviderMethod | null => {
  const { type, data } = event as Told
  switch (type) {
    case events.checkoutStarted.type:
      if (data.kind !== 'card') return null
      return data.payBy === 'airtel' || data.payBy === 'mtn' ? data.payBy : 'card'
    case events.promptAsked.type:
      return data.network
    case events.cardPageChosen.type:
      return 'card'
    case events.paymentVerified.type:
    case events.paymentMismatched.type:
      return methodReported(data.report.method)
    default:
      return null
  }
}

/** Null for no word. */
export const methodReported = (word: string | null): ProviderMethod | null => {
  if (word === null) return null
  const network = /airtel|mtn/i.exec(word)?.[0].toLowerCase()
  return network === 'airtel' || network === 'mtn' ? network : 'card'
}

/** The unpaid meals of an account were counted for this checkout, which orders more: the next one counts them too. */
export const unpaidMealsCounted = eventType(
  'payments.unpaid-meals-counted.v1',
  z.strictObject({ userId: rowId, attemptId: z.uuid(), at: z.iso.datetime() }),
)
