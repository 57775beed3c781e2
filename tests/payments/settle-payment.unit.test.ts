import { linesBlocked, mismatchAccepted } from '#modules/payments/attempt/events'
import type { AttemptEvent } from '#modules/payments/attempt/payment-attempt'
import { settleWhenPaid } from '#modules/payments/settlement/settle-card-payments.job'
import { recorded } from '../support/recorded-events'
import { attemptId, happened, iso } from './attempt-words'
import { standIn } from '../support/stand-in'

/** The jobs that are asked for when these events are heard. */
const jobsAfter = async (...events: AttemptEvent[]) => {
  const jobs: [name: string, payload: unknown][] = []
  const { types, react } = settleWhenPaid(
    standIn({
      enqueue: async ({ name }, payload) => void jobs.push([name, payload]),
    }),
  )
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

test('meals that could not become orders, or were given up, are nothing to settle', () => {
  const { types } = settleWhenPaid(standIn({ enqueue: async () => {} }))
  expect(types).not.toContain(linesBlocked.type)
  expect(types).not.toContain(happened.secondWaived.type)
})
