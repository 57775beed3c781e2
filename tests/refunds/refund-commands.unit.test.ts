import { Refusal } from '#kernel/refusal'
import type { EventStore } from '#platform/event-store/event-store'
import { refundOffice } from './refund-office'

const [first, second] = ['118.2026-09-15.1', '118.2026-09-15.2']
const refused = (code: string) => expect.objectContaining({ constructor: Refusal, code })

const owing = async (through?: (store: EventStore) => Pick<EventStore, 'read' | 'append'>) => {
  const office = refundOffice(through)
  await office.place(0)
  await office.change(first, 'cancelled')
  await office.settle(first)
  return office
}

const nothing = async () => {}

describe('an order and what is owed for it', () => {
  test('a cancelled order that was paid for is owed back', async () => {
    const office = refundOffice()
    await office.place(0)
    await office.settle(first)
    expect(await office.refund(first)).toEqual({ status: 'none' })
    await office.change(first, 'cancelled')
    await office.settle(first)
    await office.settle(first)
    expect(await office.refund(first)).toMatchObject({
      status: 'due',
      payouts: [],
      due: { orderId: first, amount: 4550, reason: 'order_cancelled', item: { name: 'Nshima with relish' } },
    })
  })

  test('a free one and one that was never paid for are not', async () => {
    const office = refundOffice()
    await office.place(0, 'confirmed', 0)
    await office.change(first, 'cancelled')
    await office.settle(first)
    expect(await office.refund(first)).toEqual({ status: 'none' })
    await office.place(1, 'pending')
    await office.change(second, 'cancelled')
    await office.settle(second)
    expect(await office.refund(second)).toEqual({ status: 'none' })
  })

  test('where money was missing and a person accepted that, no more is owed back than came in', async () => {
    const office = refundOffice()
    office.received.set(0, 4450).set(1, 0)
    await office.place(0)
    await office.change(first, 'cancelled')
    await office.settle(first)
    expect(await office.refund(first)).toMatchObject({ status: 'due', due: { amount: 4450 } })
    await office.place(1)
    await office.change(second, 'cancelled')
    await office.settle(second)
    expect(await office.refund(second)).toEqual({ status: 'none' })
  })

  test('what is no order is owed nothing', async () => {
    const office = refundOffice()
    await office.settle('118.2026-09-15.9')
    expect(await office.refund('118.2026-09-15.9')).toEqual({ status: 'none' })
  })

  test('an order that is cooked after all is owed nothing, and cancelled again it is', async () => {
    const office = refundOffice()
    await office.place(0)
    await office.change(first, 'cancelled')
    await office.settle(first)
    await office.change(first, 'pending')
    await office.settle(first)
    expect(await office.refund(first)).toMatchObject({ status: 'withdrawn' })
    await office.change(first, 'cancelled')
    await office.settle(first)
    expect(await office.refund(first)).toMatchObject({ status: 'due' })
  })

  test('an order that changes while its refund is written is looked at again', async () => {
    let meanwhile: () => Promise<void> = nothing
    const office = refundOffice((store) => ({
      read: store.read,
      append: async (appends) => {
        if (appends.some(({ stream }) => stream === `refund-${first}`)) {
          const now = meanwhile
          meanwhile = nothing
          await now()
        }
        return store.append(appends)
      },
    }))
    await office.place(0)
    await office.change(first, 'cancelled')
    meanwhile = async () => void (await office.change(first, 'pending'))
    await office.settle(first)
    expect(await office.refund(first)).toMatchObject({ status: 'withdrawn' })
  })
})

describe('money goes back', () => {
  test('and the order is refunded, for good', async () => {
    const office = await owing()
    expect(await office.payBack(first)).toMatchObject({ status: 'paid_back', payouts: [{ amount: 4550 }] })
    expect(await office.orderOf(first)).toMatchObject({ status: 'refunded' })
    expect(await office.change(first, 'pending')).toEqual(['already_refunded'])
    await office.settle(first)
    expect(await office.refund(first)).toMatchObject({ status: 'paid_back' })
  })

  test('in part closes the order too, the rest stays owed', async () => {
    const office = await owing()
    await office.payBack(first, { amount: 1000 }, 'key-1')
    expect(await office.payBack(first, { amount: 1000 }, 'key-1')).toMatchObject({ status: 'due' })
    expect(await office.change(first, 'pending')).toEqual(['refund_under_way'])
    expect(await office.orderOf(first)).toMatchObject({ status: 'cancelled' })
    await office.settle(first)
    expect(await office.payBack(first)).toMatchObject({
      status: 'paid_back',
      payouts: [
        { amount: 1000, stillOwed: 3550 },
        { amount: 3550, stillOwed: 0 },
      ],
    })
  })

  test('not for an order that was reopened before its refund was withdrawn', async () => {
    const office = await owing()
    await office.change(first, 'pending')
    await expect(office.payBack(first)).rejects.toEqual(refused('not_cancelled'))
    expect(await office.refund(first)).toMatchObject({ status: 'due', payouts: [] })
    await office.settle(first)
    await expect(office.payBack(first)).rejects.toEqual(refused('refund_withdrawn'))
  })

  test('not for what is owed nothing, and a wrong amount leaves the order as it was', async () => {
    const office = await owing()
    await expect(office.payBack(second)).rejects.toEqual(refused('refund_not_found'))
    await expect(office.payBack(first, { amount: 4551 })).rejects.toEqual(refused('refund_exceeds_due'))
    expect(await office.orderOf(first)).toMatchObject({ status: 'cancelled' })
  })

  test('a crash leaves order and refund as they were, and doing it again completes it', async () => {
    let dies = false
    const office = await owing((store) => ({
      read: store.read,
      append: async (appends) => {
        if (dies && appends.some(({ stream }) => stream.startsWith('refund-'))) throw new Error('crash')
        return store.append(appends)
      },
    }))
    dies = true
    await expect(office.payBack(first, {}, 'key-1')).rejects.toThrow('crash')
    dies = false
    await office.settle(first)
    expect(await office.refund(first)).toMatchObject({ status: 'due', payouts: [] })
    expect(await office.orderOf(first)).toMatchObject({ status: 'cancelled' })
    expect(await office.payBack(first, {}, 'key-1')).toMatchObject({ status: 'paid_back' })
    expect(await office.orderOf(first)).toMatchObject({ status: 'refunded' })
  })

  test('once when two administrators complete it at once', async () => {
    const office = await owing()
    const both = await Promise.all([office.payBack(first), office.payBack(first)])
    for (const refund of both) expect(refund).toMatchObject({ status: 'paid_back' })
    expect(await office.refund(first)).toMatchObject({ payouts: [{ amount: 4550 }] })
  })
})
