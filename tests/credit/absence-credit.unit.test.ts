import { EventEmitter, once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { owedOf } from '#modules/refunds/refund'
import { refundOffice } from '../refunds/refund-office'

const first = '118.2026-09-15.1'

/** A paid meal of a child who is ill, for which half of its price was given. */
const absent = async () => {
  const office = refundOffice()
  await office.place(0)
  await office.absent(first, true)
  await office.settleCredit(first)
  expect(await office.credit()).toMatchObject({ balance: 2275 })
  return office
}

describe('an order whose child is absent', () => {
  test('cancelled with a refund owes what the absence did not give', async () => {
    const office = await absent()
    await office.cancel(first, 'refund')
    await office.settleCredit(first)
    await office.settle(first)
    expect(await office.refund(first)).toMatchObject({ status: 'due', due: { amount: 2275 } })
    expect(await office.credit()).toMatchObject({ balance: 2275 })
  })

  test('cancelled with credit gives what the absence did not', async () => {
    const office = await absent()
    await office.cancel(first, 'credit')
    await office.settle(first)
    await office.settleCredit(first)
    await office.settleCredit(first)
    expect(await office.refund(first)).toEqual({ status: 'none' })
    expect(await office.credit()).toMatchObject({ balance: 4550 })
  })

  test.each(['refund', 'credit'] as const)(
    'cancelled with %s before the absence was settled owes all of it, and once',
    async (remedy) => {
      const office = refundOffice()
      await office.place(0)
      await office.absent(first, true)
      await office.cancel(first, remedy)
      for (let times = 0; times < 2; times += 1) {
        await office.settleCredit(first)
        await office.settle(first)
      }
      const refund = await office.refund(first)
      const due = 'due' in refund ? refund.due.amount : 0
      expect([due, (await office.credit()).balance]).toEqual(remedy === 'refund' ? [4550, 0] : [0, 4550])
    },
  )

  test('cooked after all it keeps what the absence gave, and gives back the rest', async () => {
    const office = await absent()
    await office.cancel(first, 'credit')
    await office.settleCredit(first)
    expect(await office.change(first, 'pending')).toEqual([])
    await office.settleCredit(first)
    expect(await office.credit()).toMatchObject({ balance: 2275 })
  })
})

/** The job has read that the order stands; what it gives is appended once `given` is called. */
const overtaken = async () => {
  const door = new EventEmitter()
  const gate = once(door, 'open')
  const office = refundOffice(({ read, append }) => ({
    read,
    append: async (appends) => {
      if (appends.some(({ stream }) => stream.startsWith('familyCredit-'))) await gate
      return append(appends)
    },
  }))
  await office.place(0)
  await office.absent(first, true)
  const giving = office.settleCredit(first)
  await setImmediate()
  await office.cancel(first, 'refund')
  await office.settle(first)
  expect(await office.refund(first)).toMatchObject({ status: 'due', due: { amount: 4550 } })
  const given = () => {
    door.emit('open')
    return giving
  }
  /** What the jobs do that hear of it, more often than they must. */
  const drainQueues = async () => {
    for (let times = 0; times < 2; times += 1) {
      await office.settle(first)
      await office.settleRefundAsCredit(first)
      await office.settleCredit(first)
    }
  }
  return { office, given, drainQueues }
}

describe('an order that is cancelled, and its refund opened in full, while a job gives for the absence', () => {
  test('owes what the absence did not give', async () => {
    const { office, given, drainQueues } = await overtaken()
    await given()
    await drainQueues()
    expect(await office.refund(first)).toMatchObject({ status: 'due', due: { amount: 2275 }, payouts: [] })
    expect(await office.credit()).toMatchObject({ balance: 2275 })
  })

  test.each([
    ['all of it went back', null, 0],
    ['a part of it went back', 1000, 3550],
  ])('takes back what the absence gave when %s already', async (_what, amount, stillOwed) => {
    const { office, given, drainQueues } = await overtaken()
    await office.payBack(first, { amount })
    await given()
    await drainQueues()
    expect(owedOf(await office.refund(first))).toBe(stillOwed)
    expect(await office.credit()).toMatchObject({ balance: 0 })
  })

  test('takes back what the absence gave when all of it became credit already', async () => {
    const { office, given, drainQueues } = await overtaken()
    const turning = office.turnIntoCredit(first)
    await given()
    await turning
    await drainQueues()
    expect(await office.credit()).toMatchObject({ balance: 4550 })
  })
})
