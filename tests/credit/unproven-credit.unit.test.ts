import {
  creditGiven,
  creditHeld,
  creditPaidOut,
  creditReleased,
  creditTakenBack,
} from '#modules/credit/family-credit'
import { proofOfPayout, unprovenIn } from '#modules/credit/unproven-credit.decide'
import { mary } from '../ordering/lunches'

const at = '2026-09-15T06:00:00.000Z'
const attemptId = '0199c0de-0000-7000-8000-0000000000a1'
const transferId = '0199a000-0000-7000-8000-000000000020'
const about = { orderId: null, reference: null }
const change = { userId: mary, about, text: 'A meal', at }

const given = (entryId: string, amount: number, balanceAfter: number, more: object = {}) =>
  creditGiven({ ...change, entryId, kind: 'cancelled', amount, attemptId: null, balanceAfter, ...more })
const byWord = { proof: 'not on any statement' as const, transferId }
const unseen = given('order/1/1', 3600, 3600, byWord)
const lines = [{ index: 0, amount: 3600 }]
const held = creditHeld({ ...change, attemptId, lines, amount: 3600, balanceAfter: 0 })

describe('credit whose money nobody has proved', () => {
  test('is all of what an unproven meal gave, until its transfer stands on a statement', () => {
    expect(unprovenIn([unseen])).toBe(3600)
    expect(unprovenIn([unseen], new Set([transferId]))).toBe(0)
  })

  test('is paid out last', () => {
    const both = [unseen, given('order/2/1', 1000, 4600, { proof: 'till' as const })]
    expect(proofOfPayout(both, { balance: 4600, amount: 1000, proven: new Set() })).toBe('till')
    expect(proofOfPayout(both, { balance: 4600, amount: 1001, proven: new Set() })).toBe(
      'not on any statement',
    )
    const paid = creditPaidOut({
      userId: mary,
      payoutId: attemptId,
      amount: 1000,
      method: 'cash',
      reference: null,
      by: 5,
      balanceAfter: 3600,
      at,
    })
    expect(unprovenIn([...both, paid])).toBe(3600)
  })

  test('buys meals, and comes back with them as it was', () => {
    const eaten = [unseen, held]
    expect(unprovenIn(eaten)).toBe(0)
    expect(unprovenIn([...eaten, given('order/3/1', 3600, 3600, { proof: 'statement' as const })])).toBe(0)
    expect(unprovenIn([...eaten, given('order/4/1', 3600, 3600, { attemptId })])).toBe(3600)
    const released = creditReleased({ ...change, attemptId, lines, amount: 3600, balanceAfter: 3600 })
    expect(unprovenIn([...eaten, released])).toBe(3600)
  })

  test('is not washed by cancelling and ordering again', () => {
    const back = given('order/4/1', 3600, 3600, { attemptId })
    const again = creditTakenBack({
      ...change,
      entryId: 'order/4/1',
      attemptId,
      amount: 3600,
      balanceAfter: 0,
    })
    expect(unprovenIn([unseen, held, back, again])).toBe(0)
    expect(unprovenIn([unseen, held, back, again, given('order/4/2', 3600, 3600, { attemptId })])).toBe(3600)
  })
})
