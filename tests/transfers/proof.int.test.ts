import { dayEnd } from '#contracts/books'
import { closeDays } from '#contracts/closures'
import { getCredit } from '#contracts/credit'
import type { BodyOf } from '#contracts/endpoint'
import { getFamily } from '#contracts/find'
import {
  cancelOrder,
  cancelOrders,
  changeOrder,
  listOrders,
  type Order,
  orderForFamily,
} from '#contracts/ordering'
import { completeRefund, listPayouts, listRefunds, payOutCredit } from '#contracts/refunds'
import { confirmStatement, countIn } from '#contracts/transfers'
import type { Client } from '../../src/app/demo/client'
import { type AlternativeCanteen, openAlternativeCanteen } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { mailTo } from '../support/mails'
import { airtelFile, uploaded } from '../support/upload-statement'

let canteen: AlternativeCanteen
let soup: number
beforeAll(async () => {
  canteen = await openAlternativeCanteen()
  soup = await canteen.cooked('Soup', '30')
})
afterAll(() => canteen.close())

const office = () => canteen.superadminClient

type Paid = Partial<BodyOf<typeof orderForFamily>>

/** A meal that the office ordered for a family whose money is here. */
const atCounter = async (username: string, dayOfWeek: number, paid: Paid = {}) => {
  const family = await canteen.payingFamily(username, '9')
  const { orders } = await office().call(orderForFamily, {
    params: { parentId: family.userId },
    body: {
      cartItems: [canteen.stewFor(family.children[0]!, dayOfWeek, { weekNumber: 2 })],
      payBy: 'cash',
      received: true,
      ...paid,
    },
  })
  return { ...family, id: orders[0]!.id }
}

/** Changes the stew for K45.50 to a soup for K30. */
const changeToSoup = async ({ parent, id }: Awaited<ReturnType<typeof atCounter>>) => {
  const body = { menuItemId: soup, discountedPrice: 30, category: 'beef', sideDish: null, comments: '' }
  await parent.call(changeOrder, { params: { id }, body })
}

const refundOf = async (id: string) =>
  (await office().call(listRefunds, { query: { status: 'all', text: id } })).data[0]

/** Dates of the second week's Monday to Friday. */
const dateOf = (dayOfWeek: number) => `2026-09-${20 + dayOfWeek}`

describe('cash goes back as cash', () => {
  const causes: [string, number, (meal: Awaited<ReturnType<typeof atCounter>>) => Promise<unknown>][] = [
    ['the family', 1, ({ parent, id }) => parent.call(cancelOrder, { params: { id } })],
    [
      'the office',
      2,
      ({ id }) =>
        office().call(cancelOrders, { body: { orderIds: [id], reason: 'No gas', remedy: 'refund' } }),
    ],
    [
      'a closure',
      4,
      () =>
        office().call(closeDays, {
          params: { id: canteen.cycle.id },
          body: { dates: [dateOf(4)], reason: 'No water', remedy: 'refund' },
        }),
    ],
  ]
  test.each(causes)('that %s cancels', async (cause, day, cancel) => {
    const username = `cash${day}`
    const meal = await atCounter(username, day)
    await cancel(meal)
    await eventually(async () =>
      expect(await refundOf(meal.id)).toMatchObject({
        status: 'cancelled',
        amount: 45.5,
        payBy: 'cash',
        proof: 'till',
      }),
    )
    expect(await meal.parent.call(getCredit, {})).toMatchObject({ balance: 0 })
    if (cause !== 'the family') {
      const { text } = await mailTo(canteen, `${username}@example.org`, 'Cancelled')
      expect(text).toContain('K45.50 will be refunded')
    }
    const query = { from: '2026-09-14', to: '2026-09-14' }
    const tillOut = async () => (await office().call(dayEnd, { query })).days[0]!.till.out
    const before = await tillOut()
    await office().call(completeRefund, { params: { id: meal.id }, body: { method: 'cash' } })
    expect(await tillOut()).toBe(before + 45.5)
  })

  test('is not called confirmed by hand', async () => {
    const { userId, parent } = await atCounter('cash-told', 5)
    const [shown] = (await parent.call(listOrders)) as Order[]
    expect(shown!.allowed).toMatchObject({ cancel: true, asPaidForMs: expect.any(Number) })
    expect(shown!.allowed).not.toHaveProperty('asCredit')
    const { money } = await office().call(getFamily, { params: { id: userId } })
    expect(money.payments[0]!.inWords).not.toContain('by hand')
  })

  test('what a cheaper meal leaves over is credit, one person pays it out, and the rest is owed', async () => {
    const meal = await atCounter('cash-cheaper', 5)
    await changeToSoup(meal)
    await meal.parent.call(cancelOrder, { params: { id: meal.id } })
    await eventually(async () =>
      expect(await refundOf(meal.id)).toMatchObject({ amount: 30, payBy: 'cash', proof: 'till' }),
    )
    const body = { amount: 15.5, method: 'cash' as const }
    expect(await office().call(payOutCredit, { params: { id: meal.userId }, body })).toMatchObject({
      balance: 0,
    })
  })
})

describe('money that nobody proved', () => {
  const balanceOf = async ({ parent }: { parent: Client }) => (await parent.call(getCredit, {})).balance
  const payOut = ({ userId }: { userId: number }) =>
    office().call(payOutCredit, { params: { id: userId }, body: { amount: 45.5, method: 'cash' } })

  test.each([
    ['airtel', { payBy: 'airtel', transactionId: 'SEEN 1' }],
    ['mtn without an id', { payBy: 'mtn' }],
    ['a bank', { payBy: 'bank', transactionId: 'SEEN 3' }],
    ['anything else', { payBy: 'other' }],
  ] satisfies [string, Paid][])('by %s goes back as credit, and out by two persons', async (_what, paid) => {
    const meal = await atCounter(`unseen-${paid.payBy}`, 2, paid)
    const [shown] = (await meal.parent.call(listOrders)) as Order[]
    expect(shown!.allowed).toMatchObject({ cancel: true, asCredit: true })
    expect(shown!.allowed).not.toHaveProperty('asPaidForMs')
    const told = await office().call(cancelOrders, {
      body: { orderIds: [meal.id], reason: 'No gas', remedy: 'refund' },
    })
    expect(told).toMatchObject({ owed: 45.5, asCredit: 45.5 })
    const { text } = await mailTo(canteen, `unseen-${paid.payBy}@example.org`, 'Cancelled')
    expect(text).toContain('K45.50 goes to your credit')
    await eventually(async () => expect(await balanceOf(meal)).toBe(45.5))
    expect(await refundOf(meal.id)).toBeUndefined()
    expect(await payOut(meal)).toMatchObject({ state: 'approval', proof: 'not on any statement' })
    const waiting = await office().call(listPayouts, { query: { parentId: meal.userId } })
    expect(waiting.data).toMatchObject([{ amount: 45.5, proof: 'not on any statement' }])
    expect(await balanceOf(meal)).toBe(45.5)
  })

  test('stays unproven in what a cheaper meal leaves over', async () => {
    const meal = await atCounter('unseen-cheaper', 5, { payBy: 'mtn' })
    await changeToSoup(meal)
    const body = { amount: 15.5, method: 'cash' as const }
    expect(await office().call(payOutCredit, { params: { id: meal.userId }, body })).toMatchObject({
      state: 'approval',
      proof: 'not on any statement',
    })
  })

  /** The school's payment to a supplier, called an open payment by somebody. */
  const countedIn = async (supplier: string, transactionId?: string) => {
    const { id } = await uploaded(office(), {
      bytes: `Posted,Words,Sum,Who\n13/09/2026,bread,-45.50,${supplier}`,
      source: 'bank',
      mapping: { at: 'Posted', text: 'Words', amount: 'Sum', payer: 'Who' },
    })
    return { id, ...(await office().call(countIn, { params: { id }, body: { row: 2, transactionId } })) }
  }

  test('is not proven by a row that somebody counted in', async () => {
    const meal = await atCounter('counted-in', 5, { payBy: 'bank', transactionId: 'COUNT 1' })
    await countedIn('BAKER', 'COUNT1')
    await canteen.prove()
    await meal.parent.call(cancelOrder, { params: { id: meal.id } })
    await eventually(async () => expect(await balanceOf(meal)).toBe(45.5))
    expect(await payOut(meal)).toMatchObject({ state: 'approval' })
  })

  test('came by a row that somebody counted in', async () => {
    const meal = await atCounter('row-counted', 5, { payBy: 'bank', received: false })
    const { id, rowId } = await countedIn('MILLER')
    const rows = [{ rowId, orderIds: [meal.id] }]
    const paid = await office().call(confirmStatement, { params: { id }, body: { rows } })
    expect(paid).toMatchObject({ confirmed: 1 })
    await meal.parent.call(cancelOrder, { params: { id: meal.id } })
    await eventually(async () => expect(await balanceOf(meal)).toBe(45.5), 5000)
    expect(await payOut(meal)).toMatchObject({ state: 'approval' })
  })

  test('is proven by a job soon after a statement has its id', async () => {
    const { parent } = await atCounter('by-job', 1, { payBy: 'airtel', transactionId: 'JOB 5' })
    await uploaded(office(), {
      bytes: airtelFile('JOB5,14/09/2026 06:39:12,0977111111,SEEN,45.50,lunch,Transaction Success'),
    })
    await eventually(async () =>
      expect(((await parent.call(listOrders)) as Order[])[0]!.allowed).not.toHaveProperty('asCredit'),
    )
  })

  test('once its id stands on a statement it is money again', async () => {
    const credited = await atCounter('standing', 2, { payBy: 'airtel', transactionId: 'STAND 1' })
    await credited.parent.call(cancelOrder, { params: { id: credited.id } })
    await eventually(async () => expect(await balanceOf(credited)).toBe(45.5))
    const kept = await atCounter('standing-too', 2, { payBy: 'airtel', transactionId: 'STAND 2' })
    const short = await atCounter('standing-short', 2, { payBy: 'airtel', transactionId: 'STAND 3' })
    const row = (id: string, amount: string) =>
      `${id},14/09/2026 06:39:12,0977111111,SEEN,${amount},lunch,Transaction Success`
    const bytes = airtelFile(row('STAND1', '45.50'), row('STAND2', '45.50'), row('STAND3', '10.00'))
    await uploaded(office(), { bytes })
    await canteen.prove()
    expect(await payOut(credited)).toMatchObject({ balance: 0 })
    await kept.parent.call(cancelOrder, { params: { id: kept.id } })
    await eventually(async () =>
      expect(await refundOf(kept.id)).toMatchObject({ amount: 45.5, proof: 'statement' }),
    )
    await short.parent.call(cancelOrder, { params: { id: short.id } })
    await eventually(async () => expect(await balanceOf(short)).toBe(45.5))
    expect(await payOut(short)).toMatchObject({ state: 'approval' })
  })
})
