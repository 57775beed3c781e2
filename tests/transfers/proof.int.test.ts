import { dayEnd } from '#contracts/books'
import { closeDays } from '#contracts/closures'
import { getCredit } from '#contracts/credit'
import type { BodyOf } from '#contracts/endpoint'
import { cancelOrder, cancelOrders, orderForFamily } from '#contracts/ordering'
import { completeRefund, listRefunds } from '#contracts/refunds'
import { type AlternativeCanteen, openAlternativeCanteen } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { mailTo } from '../support/mails'

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = await openAlternativeCanteen()
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
      expect(await refundOf(meal.id)).toMatchObject({ status: 'cancelled', amount: 45.5, payBy: 'cash' }),
    )
    expect(await meal.parent.call(getCredit, {})).toMatchObject({ balance: 0 })
    if (cause !== 'the family') {
      const { text } = await mailTo(canteen, `${username}@example.org`, 'cancelled')
      expect(text).toContain('K45.50 will be refunded')
    }
    const query = { from: '2026-09-14', to: '2026-09-14' }
    const tillOut = async () => (await office().call(dayEnd, { query })).days[0]!.till.out
    const before = await tillOut()
    await office().call(completeRefund, { params: { id: meal.id }, body: { method: 'cash' } })
    expect(await tillOut()).toBe(before + 45.5)
  })
})
