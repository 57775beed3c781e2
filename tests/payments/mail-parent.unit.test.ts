import { mailParentWhenSettled } from '#modules/payments/card/mail-parent-when-settled.reactor'
import { checkoutStarted, linesBlocked } from '#modules/payments/attempt/events'
import type { AttemptEvent } from '#modules/payments/attempt/events'
import { otherAttempt } from '../ordering/lunches'
import { recorded } from '../support/recorded-events'
import { attemptId, checkout, happened, iso, total } from './attempt-words'

const startedAs = (kind: 'card' | 'free' | 'alternative', id = attemptId) =>
  checkoutStarted({ ...checkout, attemptId: id, kind, total, at: iso(0) })

/** What the mails that are asked for are about, after these events were heard. */
const mailsAfter = async (...events: AttemptEvent[]) => {
  const jobs: unknown[] = []
  const { types, react } = mailParentWhenSettled({
    enqueue: async (_job, payload) => void jobs.push(payload),
  })
  for (const event of events) {
    expect(types).toContain(event.type)
    await react(recorded(event))
  }
  return jobs
}

const ordered = happened.bothOrdered
const blocked = linesBlocked({ attemptId, lines: [{ index: 0, reason: 'day_blocked' }], at: iso(3) })

test('a card payment that became orders is mailed about', async () => {
  expect(await mailsAfter(startedAs('card'), ordered)).toMatchObject([{ attemptId, about: 'ordered' }])
})

test('lines that could not become orders are mailed about', async () => {
  expect(await mailsAfter(startedAs('card'), blocked)).toMatchObject([{ attemptId, about: 'attention' }])
})

test.each(['free', 'alternative'] as const)('a checkout that is %s asks for no mail', async (kind) => {
  expect(await mailsAfter(startedAs(kind), ordered)).toEqual([])
})

test('a payment is mailed about although a free checkout began meanwhile', async () => {
  expect(await mailsAfter(startedAs('card'), startedAs('free', otherAttempt), ordered)).toMatchObject([
    { attemptId },
  ])
})

test('where the beginning was not heard the mail is asked for, and what is in it is decided there', async () => {
  expect(await mailsAfter(ordered)).toMatchObject([{ attemptId }])
})
