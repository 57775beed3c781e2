import { linesBlocked, mismatchAccepted } from '#modules/payments/attempt/events'
import type { AttemptEvent } from '#modules/payments/attempt/payment-attempt'
import { settleWhenPaid } from '#modules/payments/settlement/settle-payment.job'
import { recorded } from '../support/recorded-events'
import { attemptId, happened, iso } from './attempt-words'

/** The jobs that are asked for when these events are heard. */
const jobsAfter = async (...events: AttemptEvent[]) => {
  const jobs: [name: string, payload: unknown][] = []
  const { types, react } = settleWhenPaid({
    enqueue: async ({ name }, payload) => void jobs.push([name, payload]),
  })
  for (const event of events) {
    expect(types).toContain(event.type)
    await react(recorded(event))
  }
  return jobs
}

const settle = ['settle-payment', { attemptId }]
const accepted = mismatchAccepted({
  attemptId,
  amount: 9100,
  surplus: 0,
  shortfall: 0,
  reason: 'A bank fee',
  at: iso(3),
})

test.each([
  ['a payment is verified', happened.verified],
  ['a mismatch is accepted', accepted],
  ['blocked meals are tried again', happened.recovering('blocked')],
])('when %s it is settled', async (_what, event) => expect(await jobsAfter(event)).toEqual([settle]))

test.each(['review', 'declined', 'create_failed'] as const)(
  'a retry of an attempt that is %s is settled when its payment is verified',
  async (prior) => expect(await jobsAfter(happened.recovering(prior))).toEqual([]),
)

test.each([
  [
    'could not become orders',
    linesBlocked({ attemptId, lines: [{ index: 0, reason: 'day_blocked' }], at: iso(3) }),
  ],
  ['were given up', happened.secondWaived],
])('meals that %s are mailed about, once for each event', async (_what, event) =>
  expect(await jobsAfter(event)).toEqual([
    ['mail-parent-about-blocked-meals', { attemptId, eventId: recorded(event).id }],
  ]),
)
