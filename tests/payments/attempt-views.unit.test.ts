import { attemptStatuses } from '#contracts/payments'
import { liveStatuses, recoveryStatuses } from '#contracts/payments-console'
import { attemptsView } from '#modules/payments/attempt/attempts.view'
import {
  type BlockReason,
  linesBlocked,
  ordersCreated,
  paymentExpired,
  remainderWaived,
} from '#modules/payments/attempt/events'
import {
  type Allowed,
  allowedActions,
  liveLabel,
  listedAfterMs,
  mayRetryUnder,
  parentStatus,
  reasonText,
  recoveryError,
  recoveryStatus,
  statusForReasons,
  verifyOutcome,
} from '#modules/payments/attempt/labels'
import {
  type AttemptState,
  type StartedAttempt,
  attemptStates,
  ledgerOf,
  attemptEventTypes,
  ordersOf,
} from '#modules/payments/attempt/payment-attempt'
import { letterEvents, lettersView } from '#modules/payments/settlement/letters.view'
import { failedMail } from '#modules/payments/settlement/payment-letters'
import {
  writeLetterWhenPaymentChanges,
  blockedMail,
  orderedMail,
} from '#modules/payments/settlement/write-letters.reactor'
import { mary, cycle, zone } from '../ordering/lunches'
import { orderRefund } from '../refunds/refund-words'
import { recorded } from '../support/recorded-events'
import { standIn } from '../support/stand-ins'
import { viewSpec } from '../support/view-spec'
import { type AttemptCommand, decide } from './attempt-steps'
import { attemptId, happened, inState, iso, minute, pastOf, standing } from './attempt-words'
import { receipt } from './machine/process'
import { halfBlockedTill, maryAttempt, nshimaOn, till } from './till'

type Row = [
  state: AttemptState,
  parent: string,
  success: boolean,
  live: string,
  isRecovered: boolean,
  allowed: (keyof Allowed)[],
  recovery: string | null,
]

/** payments.md section 6, an attempt a day in its state. */
const table: Row[] = [
  ['draft', 'initiated', false, 'Payment Initiated', false, [], null],
  ['create_failed', 'failed', false, 'Failed', false, ['retry'], null],
  ['initiated', 'initiated', false, 'Payment Initiated', false, [], null],
  [
    'processing',
    'initiated',
    false,
    'Processing Started',
    false,
    ['verify', 'abandon'],
    'Processing started',
  ],
  ['paid', 'verified', true, 'Processing Started', false, ['verify'], 'Processing started'],
  ['fulfilled', 'verified', true, 'Orders created successfully', false, [], null],
  ['blocked', 'verified', true, 'Failed', false, ['retry', 'waive'], 'Cannot create orders for blocked days'],
  ['recovering', 'verified', true, 'Processing Started', false, ['verify'], 'Recovery in progress'],
  [
    'review',
    'initiated',
    false,
    'Failed',
    false,
    ['retry', 'accept', 'waive'],
    'Payment verification failed',
  ],
  ['declined', 'failed', false, 'Failed', false, ['retry'], 'Payment verification failed'],
  ['cancelled', 'failed', false, 'Payment Abandoned', false, [], null],
  ['expired', 'failed', false, 'Payment Abandoned', false, [], null],
  ['abandoned', 'failed', false, 'Payment Abandoned', false, [], null],
  ['refund_due', 'verified', true, 'Failed', true, [], 'Cannot create orders for blocked days'],
  ['refunded', 'failed', false, 'Failed', true, [], 'Cannot create orders for blocked days'],
  ['releasing', 'failed', false, 'Payment Abandoned', false, [], null],
  ['refused', 'failed', false, 'Payment Abandoned', false, [], null],
]

test('the table has every state', () =>
  expect(table.map(([state]) => state).toSorted()).toEqual([...attemptStates].toSorted()))

test.each(recoveryStatuses)('Order Recovery disables Retry only where the document says so: %s', (status) =>
  expect(mayRetryUnder(status)).toBe(
    status !== 'Orders created successfully' && status !== 'Recovery in progress',
  ),
)

test.each(table)('%s', (state, parent, success, live, isRecovered, allowed, recovery) => {
  const attempt = inState(state)
  expect(parentStatus(attempt)).toBe(parent)
  expect(verifyOutcome(attempt).success).toBe(success)
  expect(liveLabel(attempt)).toEqual({ status: live, isRecovered })
  const actions = Object.entries(allowedActions(attempt)).flatMap(([name, may]) => (may ? [name] : []))
  expect(actions.toSorted()).toEqual(allowed.toSorted())
  expect(recoveryStatus(attempt)).toBe(recovery)
  expect(attemptStatuses).toContain(parentStatus(attempt))
  expect(liveStatuses).toContain(liveLabel(attempt).status)
})

/** What the screen offers is exactly what the decider accepts. */
const commands: Record<Exclude<keyof Allowed, 'verify'>, AttemptCommand> = {
  retry: { kind: 'start-recovery', amended: [], now: minute(4) },
  abandon: { kind: 'abandon', tokenCancelled: false, now: minute(4) },
  accept: { kind: 'accept', reason: 'why', now: minute(4) },
  waive: { kind: 'waive', reason: 'why', now: minute(4) },
}

test.each(attemptStates)('what is offered when %s is what can be done', (state) => {
  const attempt = inState(state)
  for (const [name, command] of Object.entries(commands)) {
    const does = () => {
      try {
        return decide(command, attempt).length > 0
      } catch {
        return false
      }
    }
    expect([name, does()]).toEqual([name, allowedActions(attempt)[name as keyof Allowed]])
  }
})

describe('what a recovery shows', () => {
  test('a recovery of something unpaid is not verified', () => {
    for (const prior of ['review', 'declined', 'create_failed'] as const) {
      const attempt = standing(...pastOf[prior], happened.recovering(prior))
      expect(parentStatus(attempt)).toBe('initiated')
      expect(verifyOutcome(attempt).success).toBe(false)
      expect(recoveryStatus(attempt)).toBe('Recovery in progress')
    }
  })
  test('fulfilled after a problem is recovered', () => {
    const attempt = standing(...pastOf.declined, happened.verified, happened.bothOrdered)
    expect(liveLabel(attempt)).toEqual({ status: 'Orders created successfully', isRecovered: true })
    expect(recoveryStatus(attempt)).toBe('Orders created successfully')
  })
  test('processing is listed after 15 minutes, paid after 2', () => {
    expect(listedAfterMs).toEqual({ processing: 15 * 60_000, paid: 2 * 60_000 })
    expect(recoveryStatus(inState('processing'))).toBe('Processing started')
    expect(recoveryStatus(inState('paid'))).toBe('Processing started')
  })
  test('what is owed and what is back', () => {
    expect(recoveryError(inState('refund_due'))).toBe('Refund of K45.50 due')
    expect(recoveryError(inState('refunded'))).toBe('Refunded K91.00')
    expect(recoveryError(inState('processing'))).toBeNull()
    expect(recoveryError(inState('review'))).toBe('The payment does not match what was asked for')
    expect(recoveryError(inState('declined'))).toBe('The payment was declined')
  })
  test('a waived review has no line to blame', () =>
    expect(recoveryStatus(standing(...pastOf.review, happened.bothWaived))).toBe(
      'Payment verification failed',
    ))
})

const kindOf: Record<BlockReason, string> = {
  unknown_student: 'Invalid student IDs provided',
  foreign_student: 'Invalid student IDs provided',
  day_blocked: 'Cannot create orders for blocked days',
  day_past: 'Cannot create orders for blocked days',
  cutoff_passed: 'Cannot create orders for blocked days',
  cycle_missing: 'Cannot create orders for blocked days',
  cycle_inactive: 'Cannot create orders for blocked days',
  missing_item: 'Failed to create orders during recovery',
  item_withdrawn: 'Failed to create orders during recovery',
  duplicate_day: 'Failed to create orders during recovery',
  sold_out: 'Failed to create orders during recovery',
  price_above_paid: 'Failed to create orders during recovery',
  credit_gone: 'Failed to create orders during recovery',
  error: 'Failed to create orders during recovery',
}
const ranks = [
  'Invalid student IDs provided',
  'Cannot create orders for blocked days',
  'Failed to create orders during recovery',
]
const blockReasons = Object.keys(reasonText) as BlockReason[]
const pairs = blockReasons.flatMap((one) => blockReasons.map((other) => [one, other] as const))

test.each(pairs)('%s with %s: student before day before others, and both are told', (one, other) => {
  const expected = ranks.find((rank) => rank === kindOf[one] || rank === kindOf[other])
  expect(statusForReasons([one, other])).toBe(expected)
  expect(recoveryStatuses).toContain(expected)
  const lines = [
    { index: 0, reason: one },
    { index: 1, reason: other },
  ]
  const attempt = standing(...pastOf.paid, linesBlocked({ attemptId, lines, at: iso(3) }))
  expect(recoveryStatus(attempt)).toBe(expected)
  const words = [...new Set([reasonText[one], reasonText[other]])].join('; ')
  expect(recoveryError(attempt)).toBe(words)
})

describe('what a parent is told', () => {
  test('each meal that was paid and is no order', () =>
    expect(verifyOutcome(inState('blocked')).attention).toEqual([
      'Nshima with relish for Chanda on Wednesday, 16 September 2026: The school is closed on this day. We will contact you.',
    ]))
  test('of a child that is no longer theirs, what was paid for it', () => {
    const lines = [{ index: 1, reason: 'unknown_student' as const }]
    const attempt = standing(...pastOf.paid, linesBlocked({ attemptId, lines, at: iso(3) }))
    expect(verifyOutcome(attempt).attention.at(-1)).toBe(
      'Nshima with relish for Chanda on Wednesday, 16 September 2026: Chanda is no longer on your account; K45.50 goes back to you. We will contact you.',
    )
    expect(recoveryError(attempt)).toBe('The student is no longer on this account')
    expect(blockedMail(attempt)!.bareText).toContain(
      '2026: a meal: This child is no longer on your account; K45.50 goes back to you. We will contact you.',
    )
    expect(blockedMail(attempt)!.bareText).not.toContain('Chanda')
  })
  test('of a child that is no longer theirs, also what the office gave back for it', () => {
    const lines = [{ index: 1, reason: 'unknown_student' as const }]
    const blocked = linesBlocked({ attemptId, lines, at: iso(3) })
    const attempt = standing(...pastOf.paid, happened.firstOrdered, blocked, happened.secondWaived)
    expect(verifyOutcome(attempt).attention.at(-1)).toBe(
      'Nshima with relish for Chanda on Wednesday, 16 September 2026: Chanda is no longer on your account; K45.50 will be refunded.',
    )
  })
  test('what will be refunded', () =>
    expect(verifyOutcome(inState('refund_due')).attention).toEqual([
      'Nshima with relish for Chanda on Wednesday, 16 September 2026: K45.50 will be refunded.',
    ]))
  test('nothing when all is well', () => expect(verifyOutcome(inState('fulfilled')).attention).toEqual([]))
})

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

const ordersFor = (school: ReturnType<typeof till>, attempt: StartedAttempt) =>
  school.needs.ordering.orderReplies(
    { ids: ordersOf(attempt).map(({ orderId }) => orderId) },
    school.clock.now,
  )

describe('what the parent is mailed', () => {
  test('the meals that are ordered, once', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    school.provider.paid('TOKEN-1')
    const { attempt } = await school.settle()
    expect(blockedMail(attempt)).toBeNull()
    expect(orderedMail(attempt, await ordersFor(school, attempt), zone, receipt)).toEqual({
      subject: 'Ordered for Chanda, 15 Sept',
      bareSubject: 'Ordered, 15 Sept',
      text: `We received your payment of K45.50. These meals are ordered:

Chanda
- Tuesday, 15 September 2026: Nshima with relish (beef, Cabbage), K45.50

They can be cancelled until 08:00 on Monday, 14 September 2026.

Receipt 2026-000123: https://school.example/receipts/2026-000123
Payment reference: ${attempt.checkout.companyRef}`,
      bareText: expect.stringContaining(
        '- Tuesday, 15 September 2026: a meal, K45.50\n\nThey can be cancelled until',
      ),
      short: 'K45.50 received. 1 meal (Tue 15 Sept) ordered. Receipt 2026-000123.',
    })
    expect(failedMail(attempt, 'https://lunch.school.test')).toBeNull()
  })
  test('that a declined payment came to nothing', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    school.provider.answers('TOKEN-1', { kind: 'declined', code: '901', explanation: 'Declined' })
    const { attempt } = await school.settle()
    expect(failedMail(attempt, 'https://lunch.school.test')).toEqual({
      subject: 'Not ordered for Chanda, 15 Sept: the payment did not arrive',
      bareSubject: 'Not ordered, 15 Sept: the payment did not arrive',
      text: `Your card payment was declined, so these meals are not ordered:

Chanda
- Tuesday, 15 September 2026: Nshima with relish

Nothing was paid. You can order them again as long as their days are open.
Payment reference: ${attempt.checkout.companyRef}`,
      bareText: expect.stringContaining('- Tuesday, 15 September 2026: a meal\n'),
      short: 'Your card payment was declined: 1 meal (Tue 15 Sept) not ordered. Nothing was paid.',
    })
  })
  test('the meals that could not be had', async () => {
    const attempt = await (await halfBlockedTill()).attempt(maryAttempt)
    expect(orderedMail(attempt, [], zone, null)).toBeNull()
    const mail = blockedMail(attempt)
    expect(mail?.text).toContain('We received your payment of K91.00. These meals could not be ordered:')
    expect(mail?.text).toMatch(/Chanda\n- .*: Nshima with relish: The school is closed on this day/)
  })
  test('and when they are had after all', async () => {
    const school = await halfBlockedTill()
    school.school.cycle = cycle
    const { attempt } = await school.retry()
    const mail = (...untils: string[]) => {
      const ids = ordersOf(attempt).map(({ orderId }) => orderId)
      const orders = untils.map((cancellableUntil, at) => ({ id: ids[at]!, cancellableUntil }))
      return orderedMail(attempt, orders, zone, null)
    }
    expect(mail()?.subject).toBe('Ordered after all for Chanda, 15 and 16 Sept')
    expect(mail()?.text).not.toContain('can be cancelled')
    expect(mail('2026-09-15T06:00:00.000Z', '2026-09-16T06:00:00.000Z')?.text).toContain(
      '\n\nThey can be cancelled until 08:00 on the day of the meal.\n\n',
    )
    expect(mail('2026-09-14T13:00:00.000Z', '2026-09-16T06:00:00.000Z')?.text).toContain(
      'They can be cancelled until 15:00 on Monday, 14 September 2026 (Tuesday); until 08:00 on the day of the meal (Wednesday).',
    )
  })
})
