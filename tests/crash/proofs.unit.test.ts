import { v5 } from 'uuid'
import { paymentExpired } from '#modules/payments/attempt/events'
import { attemptId, happened, iso } from '../payments/attempt-words'
import { paidBack, payoutId } from '../refunds/refund-words'
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
