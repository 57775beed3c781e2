import { getCredit, giveCredit } from '#contracts/credit'
import { deleteDiscountCode } from '#contracts/order-reports'
import {
  cancelOrder,
  changeOrder,
  listOrders,
  placeOrders,
  setAbsence,
  type CartLine,
  type Order,
  getOrderingRules,
  saveOrderingRules,
  type OrderingRules,
} from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import { listRefunds } from '#contracts/refunds'
import { ordersCharged, ordersGivenCredit } from '#modules/credit/credit.view'
import { orderIdsWhere } from '#modules/ordering/orders/orders-where.rows'
import type { Client } from '../../src/app/demo/client'
import { openAlternativeCanteen, type AlternativeCanteen } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { sweeping } from '../support/school'
import { auditFindings, nothingWrong } from './audit-findings'

let canteen: AlternativeCanteen
const items: Record<'soup' | 'steak', number> = { soup: 0, steak: 0 }
beforeAll(async () => {
  canteen = await openAlternativeCanteen({}, sweeping)
  await rules({ cancelUntil: 'cutoff', absence: 'credit', absencePercent: 50 })
  items.soup = await canteen.cooked('Soup', '15')
  items.steak = await canteen.cooked('Steak', '60.50')
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

const rules = async (changed: Partial<OrderingRules>) => {
  const { superadminClient: office } = canteen
  await office.call(saveOrderingRules, { body: { ...(await office.call(getOrderingRules)), ...changed } })
}

const hows = ['free', 'card', 'alternative', 'unpaid', 'paid after it was changed'] as const
type How = (typeof hows)[number]
const prices = { soup: 15, steak: 60.5 }

/** A family with a stew for K45.50 on Wednesday, of which credit may have paid K20.00, and K200.00 of credit left. */
const withStew = async (username: string, how: How, credit: 0 | 20) => {
  const family = await canteen.payingFamily(username, '9')
  const line = canteen.stewFor(family.children[0]!, 3)
  const code = how === 'free' ? await canteen.discount(family.userId, 100) : null
  if (credit > 0) await gift(family.userId, credit)
  const cartItems = [code ? { ...line, discountedPrice: 0 } : line]
  if (how === 'card') await payByCard(family.parent, cartItems)
  else await family.parent.call(placeOrders, { body: { cartItems, useCredit: true } })
  const { id } = await eventually(async () => {
    const [ordered] = (await family.parent.call(listOrders)) as Order[]
    return ordered ?? false
  })
  if (code) await canteen.superadminClient.call(deleteDiscountCode, { params: { id: code.id } })
  if (how === 'alternative') await canteen.verify([id])
  await gift(family.userId, 200)
  return { ...family, id }
}
type Family = Awaited<ReturnType<typeof withStew>>

const gift = (userId: number, amount: number) =>
  canteen.superadminClient.call(giveCredit, { params: { id: userId }, body: { amount, reason: 'Fête' } })

const payByCard = async (parent: Client, cartItems: CartLine[]) => {
  await canteen.set({ enabled: false })
  const body = { amount: 45.5, cartItems, useCredit: true }
  const { TransToken } = await parent.call(createPayment, { body })
  await canteen.visitor().fetch(`/sandbox/pay/${TransToken}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ outcome: 'pay', card: '4111111111111111' }).toString(),
  })
  await parent.call(verifyPayment, { params: { transactionId: TransToken } })
  await canteen.set({})
}

const change = ({ parent, id }: Family, to: 'soup' | 'steak') =>
  parent.call(changeOrder, {
    params: { id },
    body: {
      menuItemId: items[to],
      discountedPrice: prices[to],
      category: 'beef',
      sideDish: null,
      comments: '',
    },
  })
const cancel = ({ parent, id }: Family) => parent.call(cancelOrder, { params: { id } })
const absent = ({ parent, id }: Family, isAbsent = true) =>
  parent.call(setAbsence, { params: { id }, body: { absent: isAbsent } })
const balanceOf = async ({ parent }: Family) => (await parent.call(getCredit)).balance
const refundOf = async ({ id }: Family) =>
  (await canteen.superadminClient.call(listRefunds)).data.find((refund) => refund.id === id)?.amount ?? 0
/** What the family has is this, a moment later. */
const has = (family: Family, credit: number, refund: number) =>
  eventually(async () => [await balanceOf(family), await refundOf(family)].join() === [credit, refund].join())

const findings = () => auditFindings(canteen)

const ends = ['stands', 'cancelled at once', 'cancelled late', 'absent', 'absent taken back'] as const

describe.each(hows)('the books of a meal that is %s', (how) => {
  test.each([
    ['soup', 20],
    ['steak', 0],
  ] as const)('balance when it was changed to %s and credit had paid K%d of it', async (to, part) => {
    const name = `${how.replaceAll(' ', '')}${to}${part}`
    const families: [(typeof ends)[number], Family][] = []
    for (const [place, end] of ends.entries()) {
      const family = await withStew(`${name}${place}`, how, part)
      families.push([end, family])
      await change(family, to)
      if (how === 'paid after it was changed') await canteen.verify([family.id])
    }
    const familyThat = (end: (typeof ends)[number]) => families.find(([one]) => one === end)![1]
    await cancel(familyThat('cancelled at once'))
    canteen.setClock('2026-09-14T09:00:00+02:00')
    await cancel(familyThat('cancelled late'))
    canteen.setClock('2026-09-16T09:00:00+02:00')
    await absent(familyThat('absent'))
    await absent(familyThat('absent taken back'))

    const credit = how === 'free' ? 0 : part
    const price = prices[to]
    const money = {
      free: 0,
      card: 45.5 - credit,
      alternative: 45.5 - credit,
      unpaid: 0,
      'paid after it was changed': Math.max(0, price - credit),
    }[how]
    const kept = how === 'unpaid' ? Math.min(credit, price) : price
    const left = 200 + part + money - kept
    const half = how === 'unpaid' ? 0 : Math.round(price * 50) / 100
    const refund = Math.min(money, price)
    await has(familyThat('absent'), left + half, 0)
    await has(familyThat('absent taken back'), left + half, 0)
    await absent(familyThat('absent taken back'), false)
    await has(familyThat('absent taken back'), left, 0)
    const { knex, pool } = canteen.infrastructure.database
    const isGiven = how !== 'unpaid'
    const { id: absentId } = familyThat('absent')
    expect((await orderIdsWhere(pool, { state: 'paid-absent' })).includes(absentId)).toBe(isGiven)
    expect((await ordersGivenCredit(knex)('absence')).includes(absentId)).toBe(isGiven)
    const { id: backId } = familyThat('absent taken back')
    expect([
      ...(await orderIdsWhere(pool, { state: 'paid-absent' })),
      ...(await ordersGivenCredit(knex)('absence')),
    ]).not.toContain(backId)
    await has(familyThat('stands'), left, 0)
    await has(familyThat('cancelled at once'), 200 + part + money - refund, refund)
    await has(familyThat('cancelled late'), 200 + part + money, 0)
    const { id: cancelledId } = familyThat('cancelled at once')
    const charged = await ordersCharged(knex)()
    expect(charged.includes(cancelledId)).toBe(how === 'free' || (to === 'steak' && money === 45.5))
    expect((await orderIdsWhere(pool, { state: 'ended', ids: charged })).includes(cancelledId)).toBe(
      charged.includes(cancelledId),
    )
    expect(await findings()).toEqual(nothingWrong)
  })
})
