import { attemptStates, type AttemptState } from '#modules/payments/attempt/payment-attempt'
import { Refusal } from '#kernel/refusal'
import { otherAttempt } from '../ordering/lunches'
import { inState, minute, payoutOf, verdicts } from './attempt-words'
import type { Verdict } from '#modules/payments/providers/provider'
import { decide, type AttemptCommand } from './attempt-steps'

type Outcome = string[] | `refused: ${string}`

/** What a command does in each state; in a state that is not named nothing happens and nothing is recorded. */
type Row = { command: AttemptCommand; does: Partial<Record<AttemptState, Outcome>> }

const now = minute(6)
const find = (verdict: Verdict): AttemptCommand => ({ kind: 'record-verdict', verdict, now })

const each = (states: readonly AttemptState[], outcome: Outcome) =>
  Object.fromEntries(states.map((state) => [state, outcome]))
const allBut = (...states: AttemptState[]) => attemptStates.filter((state) => !states.includes(state))

const ours = ['paid', 'fulfilled', 'blocked', 'recovering', 'refund_due', 'refunded'] as const
const notOurs = allBut(...ours)
const noted: Outcome = ['provider-answer-noted']

const table: Record<string, Row> = {
  'E2 token issued': {
    command: {
      kind: 'issue-token',
      token: 'TOKEN-2',
      ref: null,
      limitAt: minute(30),
      holdUntil: minute(45),
      now,
    },
    does: { ...each(allBut('draft'), 'refused: attempt_closed'), draft: ['provider-token-issued'] },
  },
  'E3 token refused': {
    command: { kind: 'refuse-token', why: 'unreachable', detail: 'timeout', now },
    does: { draft: ['provider-token-refused'] },
  },
  'E4 signal by the sweep': {
    command: { kind: 'signal', source: 'sweep', claim: null, now },
    does: { initiated: ['customer-signalled'] },
  },
  "E4 signal with a browser's claim": {
    command: { kind: 'signal', source: 'advice', claim: 'completed', now },
    does: each(attemptStates, ['customer-signalled']),
  },
  'E5 paid': {
    command: find(verdicts.paid),
    does: {
      ...each(notOurs, ['payment-verified']),
      ...each(['recovering', 'blocked', 'refund_due', 'refunded', 'paid', 'fulfilled'], []),
    },
  },
  'E6 mismatch': {
    command: find(verdicts.mismatch),
    does: { ...each(notOurs, ['payment-mismatched']), ...each(ours, noted), review: [] },
  },
  'E7 pending': {
    command: find(verdicts.unpaid),
    does: {
      ...each(attemptStates, noted),
      ...each(['initiated', 'processing'], ['payment-still-pending']),
    },
  },
  'E8 declined': {
    command: find(verdicts.declined),
    does: {
      ...each(attemptStates, noted),
      ...each(['initiated', 'processing'], ['payment-declined']),
      declined: [],
    },
  },
  'E9 cancelled': {
    command: find(verdicts.cancelled),
    does: {
      ...each(attemptStates, noted),
      ...each(['initiated', 'processing'], ['payment-cancelled']),
      cancelled: [],
    },
  },
  'E10 expired': {
    command: find(verdicts.expired),
    does: {
      ...each(attemptStates, noted),
      ...each(['initiated', 'processing'], ['payment-expired']),
      expired: [],
    },
  },
  'E11 unreachable': { command: find(verdicts.unreachable), does: each(attemptStates, noted) },
  'E11 config': { command: find(verdicts.config), does: each(attemptStates, noted) },
  'E12 supersede': {
    command: { kind: 'supersede', by: otherAttempt, now },
    does: each(['initiated', 'processing'], ['attempt-superseded']),
  },
  'E13 abandon': {
    command: { kind: 'abandon', tokenCancelled: false, now },
    does: {
      ...each(attemptStates, 'refused: not_processing'),
      ...each(ours, 'refused: attempt_paid'),
      ...each(['abandoned', 'cancelled', 'expired'], []),
      processing: ['attempt-abandoned'],
    },
  },
  'E14 and E15 fulfilment': {
    command: {
      kind: 'record-fulfilment',
      orders: [{ index: 0, orderId: '118.2026-09-15.1' }],
      blocked: [{ index: 1, reason: 'day_past' }],
      now,
    },
    does: { paid: ['orders-created', 'lines-blocked'], recovering: ['lines-blocked'] },
  },
  'E16 fault': {
    command: { kind: 'record-failure', error: 'Error', now },
    does: { paid: ['fulfilment-failed'], recovering: ['fulfilment-failed', 'lines-blocked'] },
  },
  'E17 retry': {
    command: { kind: 'start-recovery', amended: [], now: minute(4) },
    does: {
      ...each(attemptStates, 'refused: nothing_to_recover'),
      ...each(['blocked', 'review', 'declined', 'create_failed'], ['recovery-started']),
      recovering: 'refused: recovery_in_progress',
    },
  },
  'E17 not paid': { command: { kind: 'end-recovery', why: 'not-paid', now }, does: {} },
  'E18 lease lost': {
    command: { kind: 'end-recovery', why: 'lease-lost', now },
    does: { recovering: ['recovery-ended'] },
  },
  'E19 accept': {
    command: { kind: 'accept', reason: 'A bank fee', now },
    does: {
      ...each(attemptStates, 'refused: nothing_to_accept'),
      review: ['mismatch-accepted'],
      paid: [],
    },
  },
  'E20 waive': {
    command: { kind: 'waive', reason: 'School closed', now },
    does: {
      ...each(attemptStates, 'refused: nothing_to_waive'),
      ...each(['blocked', 'review'], ['remainder-waived']),
      ...each(['refund_due', 'refunded'], []),
    },
  },
  'E21 refund done': {
    command: { kind: 'record-refund', part: 1, payoutId: payoutOf(1, 4550), amount: 4550, now },
    does: {
      ...each(attemptStates, 'refused: nothing_owed'),
      refund_due: ['refund-recorded'],
      refunded: [],
    },
  },
  acknowledgement: {
    command: { kind: 'record-acknowledgement', now },
    does: each(ours, ['payment-acknowledged']),
  },
  'acknowledgement given up': {
    command: { kind: 'give-up-acknowledgement', now },
    does: each(ours, ['acknowledgement-given-up']),
  },
}

const outcomeOf = (command: AttemptCommand, state: AttemptState): Outcome => {
  try {
    return decide(command, inState(state)).map(({ type }) => type.split('.')[1]!)
  } catch (error) {
    if (error instanceof Refusal) return `refused: ${error.code}`
    throw error
  }
}

const pairs = Object.entries(table).flatMap(([name, { command, does }]) =>
  attemptStates.map((state) => [name, state, command, does[state] ?? []] as const),
)

test('the past of each state comes to that state', () => {
  for (const state of attemptStates) expect(inState(state).status).toBe(state)
})

test.each(pairs)('%s when %s', (_name, state, command, expected) => {
  expect(outcomeOf(command, state)).toEqual(expected)
})

test('nothing of the machine begins without a checkout', () => {
  for (const { command } of Object.values(table))
    expect(() => decide(command, { status: 'none' })).toThrow(
      expect.objectContaining({ code: 'attempt_not_found' }),
    )
})
