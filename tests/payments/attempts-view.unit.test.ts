import { attemptsView } from '#modules/payments/attempt/attempts.view'
import { ledgerOf, attemptStates, attemptEventTypes } from '#modules/payments/attempt/payment-attempt'
import { liveLabel, recoveryStatus } from '#modules/payments/console/labels'
import { mary } from '../ordering/lunches'
import { viewSpec } from '../support/view-spec'
import { attemptId, happened, inState, iso, pastOf } from './attempt-words'

const view = viewSpec(attemptsView)

const row = {
  id: attemptId,
  kind: 'card',
  user_id: mary,
  status: 'draft',
  live_status: 'Payment Initiated',
  recovery_status: null,
  total: 9100,
  reference: 'LP-7K3QW9ZD2M',
  token: null,
  body_hash: 'hash-1',
  students: 'Chanda',
  items: 'Nshima with relish',
  weeks: [1],
  days: [2, 3],
  started_at: iso(0),
  since_at: iso(0),
  issued_at: null,
  limit_at: null,
  lease_until: null,
  acknowledged: false,
  owed: 0,
  attempt: inState('draft'),
}

test('a checkout that began is a draft, with all that lists search', () =>
  view.given(happened.started).thenRows([row]))

test('a token makes it payable until its limit', () =>
  view.given(happened.started, happened.issued).thenRows([
    {
      ...row,
      status: 'initiated',
      token: 'TOKEN-1',
      issued_at: iso(0),
      limit_at: iso(30),
      attempt: inState('initiated'),
    },
  ]))

test('lines that were given up are owed until they have gone back', () => {
  const attempt = inState('refund_due')
  view
    .given(...pastOf.refund_due)
    .thenRow(attemptId, expect.objectContaining({ owed: ledgerOf(attempt).owed, attempt }))
  expect(ledgerOf(attempt).owed).toBeGreaterThan(0)
  view.given(...pastOf.refunded).thenRow(attemptId, expect.objectContaining({ owed: 0 }))
})

test.each(attemptStates)('%s is stored as the state tells it', (state) => {
  const attempt = inState(state)
  view.given(...pastOf[state]).thenRow(
    attemptId,
    expect.objectContaining({
      status: state,
      live_status: liveLabel(attempt).status,
      recovery_status: recoveryStatus(attempt),
      attempt,
    }),
  )
})

test('a recovery shows until when it is leased', () =>
  view.given(...pastOf.recovering).thenRow(attemptId, expect.objectContaining({ lease_until: iso(5) })))

test('since when it is in its state: an event that does not change it does not count', () =>
  view
    .given(...pastOf.refund_due, happened.paidBack(0, 9))
    .thenRow(attemptId, expect.objectContaining({ since_at: iso(4) })))

test('every event of an attempt is heard', () => expect(attemptsView.events).toEqual(attemptEventTypes))
