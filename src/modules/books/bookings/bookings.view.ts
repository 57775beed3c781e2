import { creditCharged, creditGiven, creditPaidOut, creditTakenBack } from '#modules/credit/published'
import type { EventOf } from '#kernel/event'
import { rowView } from '#platform/projections/row-view'
import { bookingsOf, mealDateOf, type Booking, type Movement } from './booking'

const creditEvents = [creditGiven, creditTakenBack, creditCharged, creditPaidOut] as const
type CreditEvent = EventOf<(typeof creditEvents)[number]>

/**
 * All movements of money: those that what a family's credit was given or used for tells, and those that the other views
 * of this room add. `zone`: the school's.
 */
export const bookingsView = (zone: string) =>
  rowView({
    table: 'books.bookings',
    columns: {
      id: 'text',
      event_id: 'uuid',
      at: 'timestamptz',
      booked: 'date',
      meal: 'date',
      kind: 'text',
      method: 'text',
      amount: 'bigint',
      part: 'integer',
      user_id: 'integer',
      attempt_id: 'uuid',
      order_id: 'text',
    },
    primaryKey: 'id',
    events: creditEvents,
    key: ({ id }) => `${id}.0`,
    evolve: (_row: Booking | null, event): Booking => bookingsOf(zone, event, [creditMovement(event)])[0]!,
  })

const creditMovement = ({ type, data }: CreditEvent): Movement => {
  const { userId, amount } = data
  if (type === creditPaidOut.type)
    return { userId, kind: data.method === 'given_up' ? 'given_up' : 'credit_paid_out', amount }
  const { orderId } = data.about
  const common = {
    userId,
    attemptId: data.attemptId,
    orderId,
    mealDate: orderId === null ? null : mealDateOf(orderId),
  }
  switch (type) {
    case creditGiven.type:
      return { ...common, kind: isGrant(data.entryId) ? 'granted' : 'credit_given', amount }
    case creditTakenBack.type:
      return { ...common, kind: isGrant(data.entryId) ? 'granted' : 'credit_given', amount: -amount }
    case creditCharged.type:
      return { ...common, kind: 'credit_spent', amount }
  }
}

/** A gift of the school, and what a family gets for an absent child beside the meal that it paid for. */
const isGrant = (entryId: string): boolean => /^(gift|absence)\//.test(entryId)
