import { v5 } from 'uuid'
import type { DomainEvent } from '#kernel/event'
import { orderIdOf } from '#kernel/id'
import {
  lunchOrdered,
  planSet,
  planWeekAnnounced,
  planWeekBegun,
  planWeekTurned,
} from '#modules/ordering/published'
import { paymentExpired } from '#modules/payments/attempt/events'
import { planAttempt } from '#modules/payments/plan/plan-way.commands'
import { line } from '../audit/sample-events'
import { attemptId, happened, iso } from '../payments/attempt-words'
import { paidBack, payoutId } from '../refunds/refund-words'
import { brokenPlans, brokenPlansAfterSettling, openWeeks, planHour, weeksByState } from './plans'
import { monday } from './stage'
import { type SchoolContents, brokenMessages, restoredDiffers } from './whole-school'

const stream = `paymentAttempt-${attemptId}`
const failed = {
  id: v5(`payment-failed-${attemptId}`, '6d1f9a52-0d0e-4d53-8f0b-2f0c1e5f7a3b'),
  subject: 'Not ordered',
}
const refunded = {
  id: v5(`refund-paid-${payoutId(1)}`, '6d1f9a52-0d0e-4d53-8f0b-2f0c1e5f7a3b'),
  subject: 'Money was paid back to you',
}
const expired = paymentExpired({ attemptId, code: '903', explanation: '', cause: 'limit', at: iso(40) })
const story = [
  ...[happened.started, happened.issued, expired].map((event) => ({ stream, ...event })),
  { stream: 'refund-1', ...paidBack(1, 4550, 0) },
]

describe('what the crash run says of messages', () => {
  test('nothing where each cause has its message', () =>
    expect(brokenMessages(story, [failed, refunded])).toEqual([]))
  test('a message that is missing, whichever', () => {
    expect(brokenMessages(story, [failed])).toEqual([
      'families were not told: 1 of 2, such as "Money was paid back to you"',
    ])
    expect(brokenMessages(story, [refunded])[0]).toContain('families were not told: 1 of 2')
    expect(brokenMessages(story, [])[0]).toContain('families were not told: 2 of 2')
  })
  test('a message of another id, as one that was written again would have', () =>
    expect(brokenMessages(story, [failed, refunded, { ...refunded, id: 'another' }])).toEqual([
      'messages that nothing caused: 1, such as "Money was paid back to you"',
    ]))
  test('credit is no payout that is told of', () => {
    const credit = { stream: 'refund-1', ...paidBack(1, 4550, 0, { method: 'credit' }) }
    expect(brokenMessages([credit], [])).toEqual([])
  })
})

describe('what the drill says of a restored school', () => {
  const there: SchoolContents = {
    events: ['one', 'two'],
    tables: { 'identity.students': ['{"id":1}', '{"id":2}'], 'books.settings': ['{"tpin":""}'] },
  }
  test('nothing where all is there', () => expect(restoredDiffers(there, there)).toEqual([]))
  test('a row that is missing from the archive, in whichever table', () => {
    const tables = { ...there.tables, 'identity.students': ['{"id":1}'] }
    expect(restoredDiffers(there, { ...there, tables })).toEqual([
      'identity.students: 1 were there and are not restored, such as {"id":2}',
    ])
    const { 'books.settings': _gone, ...others } = there.tables
    expect(restoredDiffers(there, { ...there, tables: others })).toHaveLength(1)
  })
  test('an event that is missing, and a row that is another one', () => {
    expect(restoredDiffers(there, { ...there, events: ['one'] })[0]).toContain('events: 1 were there')
    const tables = { ...there.tables, 'books.settings': ['{"tpin":"1"}'] }
    expect(restoredDiffers(there, { ...there, tables })).toHaveLength(2)
  })
})

describe('what the crash run says of plans', () => {
  const userId = 5
  const week = monday
  const dated = { mealDate: week, slot: { ...line.slot, studentId: 118 } }
  const planned = {
    week,
    dueAt: planHour.toISOString(),
    pay: { by: 'prompt' as const, network: 'airtel' as const },
    lines: [
      {
        menuItemId: 3,
        category: null,
        sideDish: null,
        studentId: 118,
        date: week,
        week: 1,
        day: 1,
        name: 'Pie',
        originalPrice: 2500,
        price: 2500,
      },
    ],
    left: [],
    credit: 0,
  }
  const minutes = (after: number) => new Date(planHour.getTime() + after * 60_000).toISOString()
  const on = (event: DomainEvent, of = `plan-${userId}`) => ({ stream: of, ...event })
  const told = (at = minutes(-10)) => on(planWeekAnnounced({ userId, at, ...planned }))
  const begun = (at = minutes(0)) => on(planWeekBegun({ userId, at, ...planned, number: 1 }))
  const turned = (state: 'ordered' | 'not_paid') =>
    on(planWeekTurned({ userId, at: minutes(3), week, state }))
  const chosen = { children: [], at: { day: 0, hour: 17, minute: 0 }, pay: planned.pay, weekLimit: null }
  const set = on(planSet({ userId, at: minutes(-30), plan: chosen, paused: false, fromWeek: week }))
  const lunch = (number = 1, attempt = planAttempt(userId, week, 1)) =>
    on(
      lunchOrdered({
        ...line,
        ...dated,
        orderId: orderIdOf({ studentId: 118, date: week }, number),
        attemptId: attempt,
        userId,
        paymentStatus: 'confirmed',
        byPlan: true,
        at: minutes(2),
      }),
      'mealSlot-118',
    )
  const asked = (prompts: number) => [{ userId, week, prompts }]
  const sms = {
    to: '+260976600001',
    message: 'At 17:00 your phone asks for your PIN.',
    username: '',
    from: null,
    apiKey: '',
  }
  const seen = { prompts: asked(1), sms: [sms] }
  const whole = [set, told(), begun(), lunch(), turned('ordered')]

  test('nothing of a week that was announced, asked for and ordered once', () => {
    expect(brokenPlans(whole, seen)).toEqual([])
    expect(brokenPlansAfterSettling(whole)).toEqual([])
    expect(weeksByState(whole)).toEqual({ ordered: 1 })
  })
  test('a week announced twice, in the history or by SMS', () => {
    expect(brokenPlans([set, told(), told(), begun()], seen)[0]).toContain('weeks announced twice: 1')
    expect(brokenPlans(whole, { ...seen, sms: [sms, sms] })[0]).toContain('sent twice by SMS: 1')
  })
  test('a week asked for without ten minutes of notice, or twice', () => {
    const unasked = 'weeks asked for without an announcement: 1'
    expect(brokenPlans([set, begun()], seen)[0]).toContain(unasked)
    expect(brokenPlans([set, told(minutes(-9)), begun()], seen)[0]).toContain(unasked)
    expect(brokenPlans(whole, { ...seen, prompts: asked(2) })[0]).toContain('weeks asked for twice: 1')
  })
  test('a lunch ordered twice', () => {
    const again = [...whole, lunch(2, planAttempt(userId, week, 2))]
    expect(brokenPlans(again, seen)[0]).toContain('lunches of a plan ordered twice: 1')
    expect(brokenPlansAfterSettling(again)[0]).toContain('meals of no week: 1')
  })
  test('a week that was lost, or has other meals than it says', () => {
    expect(openWeeks([set])).toEqual([`${week} of ${userId}`])
    expect(brokenPlansAfterSettling([set, told(), begun()])[0]).toContain('plans whose week was lost: 1')
    const other = 'weeks with other meals than were ordered: 1'
    expect(brokenPlansAfterSettling([set, told(), begun(), turned('ordered')])[0]).toContain(other)
    expect(brokenPlansAfterSettling([set, told(), begun(), lunch(), turned('not_paid')])[0]).toContain(other)
  })
})
