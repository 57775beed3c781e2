import { creditCharged, creditGiven, creditPaidOut, creditTakenBack } from '#modules/credit/published'
import type { EventOf } from '#kernel/event'
import { rowView, type OneRowView } from '#platform/projections/row-view'
import { bookedAttemptsView } from './booked-attempts.view'
import { bookedOrdersView } from './booked-orders.view'
import { bookedRefundsView } from './booked-refunds.view'
import { bookedTransfersView } from './booked-transfers.view'
import { bookingsOf, mealDateOf, type Booking, type Movement } from './booking'

const creditEvents = [creditGiven, creditTakenBack, creditCharged, creditPaidOut] as const
type CreditEvent = EventOf<(typeof creditEvents)[number]>

/**
 * All movements of money: those that what a family's credit was given or used for tells, and those that the other views
 * of this room add. `zone`: the school's.
 */
const bookingsView = (zone: string) =>
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

/** The bookings first, and what they are made of. */
export const bookingViews = (zone: string): OneRowView[] => {
  const bookings = bookingsView(zone)
  const others = [bookedAttemptsView, bookedOrdersView, bookedRefundsView, bookedTransfersView]
  return [bookings, ...others.map((view) => view(zone, bookings))]
}

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
