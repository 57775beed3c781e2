import {
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
  type Allowed,
} from '#modules/payments/console/labels'
import { liveStatuses, recoveryStatuses } from '#contracts/payments-console'
import { attemptStatuses } from '#contracts/payments'
import { linesBlocked, type BlockReason } from '#modules/payments/attempt/events'
import { attemptStates, type AttemptState } from '#modules/payments/attempt/payment-attempt'
import { attemptId, happened, inState, iso, minute, pastOf, standing } from './attempt-words'
import { decide, type AttemptCommand } from './attempt-steps'

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
  test('what will be refunded', () =>
    expect(verifyOutcome(inState('refund_due')).attention).toEqual([
      'Nshima with relish for Chanda on Wednesday, 16 September 2026: K45.50 will be refunded.',
    ]))
  test('nothing when all is well', () => expect(verifyOutcome(inState('fulfilled')).attention).toEqual([]))
})
