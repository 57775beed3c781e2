import { z } from 'zod'
import { eventReader, eventType, type EventOf } from '#kernel/event'

/** A request to refund to the card has taken its payment, of which the provider is asked for one refund at a time. */
export const cardRefundClaimed = eventType(
  'refunds.card-refund-claimed.v1',
  z.strictObject({
    attemptId: z.uuid(),
    refundId: z.string().min(1),
    requestId: z.uuid(),
    at: z.iso.datetime(),
  }),
)
type Claimed = EventOf<typeof cardRefundClaimed>

/** The last claimant of a card payment; its refund's stream says whether it is still running. */
export type CardClaim = Claimed['data'] | null

export const cardClaims = {
  streamOf: (attemptId: string): string => `cardRefunds-${attemptId}`,
  read: eventReader(cardRefundClaimed),
  initial: null as CardClaim,
  evolve: (_claim: CardClaim, { data }: Claimed): CardClaim => data,
}
