import {
  linesBlocked,
  ordersCreated,
  paymentExpired,
  remainderWaived,
} from '#modules/payments/attempt/events'
import { letterEvents, lettersView } from '#modules/payments/settlement/letters.view'
import { writeLetterWhenPaymentChanges } from '#modules/payments/settlement/write-letters.reactor'
import { orderRefund } from '../refunds/refund-words'
import { recorded } from '../support/recorded-events'
import { viewSpec } from '../support/view-spec'
import { attemptId, happened, iso } from './attempt-words'
import { standIn } from '../support/stand-in'

const closureId = '0199c0de-0000-7000-8000-0000000000d1'
const answered = { attemptId, code: '903', explanation: '', at: iso(3) }
const waived = { attemptId, lines: [{ index: 0, amount: 1 }], surplus: 0, reason: 'closed', at: iso(3) }

const told = [
  [ordersCreated({ attemptId, orders: [{ index: 0, orderId: orderRefund }], at: iso(3) }), 'ordered', null],
  [happened.declined, 'failed', null],
  [paymentExpired({ ...answered, cause: 'limit' }), 'failed', null],
  [linesBlocked({ attemptId, lines: [{ index: 0, reason: 'day_blocked' }], at: iso(3) }), 'blocked', null],
  [remainderWaived(waived), 'blocked', null],
  [remainderWaived({ ...waived, closure: { id: closureId, remedy: 'credit', by: 5 } }), 'blocked', closureId],
] as const

test('every event of which a family is told is among them', () =>
  expect([...new Set(told.map(([{ type }]) => type))].toSorted()).toEqual(
    letterEvents.map(({ type }) => type).toSorted(),
  ))

test.each(told)(
  '$type is one letter, noted and asked for by the id of its event',
  async (event, about, closure_id) => {
    const heard = recorded(event)
    const letter = { id: heard.id, attempt_id: attemptId, about, closure_id, at: event.data.at }
    viewSpec(lettersView).given(heard).thenRows([letter])
    const jobs: unknown[] = []
    const { types, reactToAll } = writeLetterWhenPaymentChanges(
      standIn({
        enqueue: async ({ name }, payload, { id }) => void jobs.push([name, id, payload]),
      }),
    )
    expect(types).toContain(event.type)
    await reactToAll([heard])
    const payload = { letters: [letter], position: heard.position }
    expect(jobs).toEqual([['write-payment-letter', `letter-${heard.id}`, payload]])
  },
)
