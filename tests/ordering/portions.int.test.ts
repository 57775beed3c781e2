import {
  createMenuItem,
  updateMenuItem,
  type MenuItemFields,
  listPortions,
  setSoldOut,
} from '#contracts/catalogue'
import type { Student } from '#contracts/identity'
import { setOrderStatus } from '#contracts/kitchen'
import { cancelOrder, listOrders, placeOrders, type Order } from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import { failedOrders } from '#contracts/payments-console'
import { CallRefused, type Client } from '../../src/app/demo/client'
import { everyEvent } from '../support/every-event'
import { openCanteen, place, refused, type Canteen } from './canteen'

let canteen: Canteen
beforeAll(async () => {
  // Payments are settled when a test says so.
  canteen = await openCanteen({ ROLE: 'web' })
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

const fieldsOf = ({
  id: _id,
  isArchived: _isArchived,
  ...fields
}: Canteen['items']['stew']): MenuItemFields => fields as MenuItemFields

const limited = (item: 'porridge' | 'stew', portionLimit: number | null) =>
  canteen.superadminClient.call(updateMenuItem, {
    params: { id: canteen.items[item].id },
    body: { ...fieldsOf(canteen.items[item]), portionLimit },
  })

/** What the menu tells of an item on a day of the first week. */
const leftOf = async (parent: Client, item: 'porridge' | 'stew', day: number) => {
  const date = `2026-09-${13 + day}`
  const { data } = await parent.call(listPortions, { query: { from: date, to: date } })
  return data.find(({ menuItemId }) => menuItemId === canteen.items[item].id)?.left ?? null
}

const portionEvents = async (item: 'porridge' | 'stew', day: number) =>
  (await everyEvent(canteen.infrastructure.eventStore))
    .filter(({ stream }) => stream === `portions-${canteen.items[item].id}.2026-09-${13 + day}`)
    .map(({ type }) => type.split('.')[1])

const soldOut = (left = 0) => ({ status: 409, lines: [{ code: 'sold_out', left }] })

const pay = (parent: Client, child: Student, day: number) =>
  parent.call(createPayment, { body: { amount: 45.5, cartItems: [canteen.stewFor(child, day)] } })

/** Paid by card; neither the bank nor the browser tells us at once. */
const payOnPage = (token: string) =>
  canteen.visitor().fetch(`/sandbox/pay/${token}`, {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'slow', push: 'off', card: '4111111111111111' }),
  })

const verify = (parent: Client, transactionId: string) =>
  parent.call(verifyPayment, { params: { transactionId } })

test('the last portion is sold once, is given back when its order is cancelled, and sold again', async () => {
  const { parent, children } = await canteen.family('chanda', '3', '4')
  const [one, other] = children as [Student, Student]
  await limited('porridge', 1)
  const [order] = await place(parent, [canteen.porridgeFor(one, 2)])
  expect(await leftOf(parent, 'porridge', 2)).toBe(0)
  expect(await refused(place(parent, [canteen.porridgeFor(other, 2)]))).toMatchObject(soldOut())
  await place(parent, [canteen.porridgeFor(other, 3)])
  await parent.call(cancelOrder, { params: { id: order!.id } })
  expect(await leftOf(parent, 'porridge', 2)).toBe(1)
  const [second] = await place(parent, [canteen.porridgeFor(other, 2)])
  const office = canteen.superadminClient
  const reopen = { orderIds: [order!.id], status: 'pending' as const }
  expect((await office.call(setOrderStatus, { body: reopen })).skipped).toMatchObject([{ code: 'sold_out' }])
  await office.call(setOrderStatus, { body: { orderIds: [second!.id], status: 'cancelled' } })
  expect(await office.call(setOrderStatus, { body: reopen })).toMatchObject({ updated: 1, skipped: [] })
  expect(await leftOf(parent, 'porridge', 2)).toBe(0)
  expect(await portionEvents('porridge', 2)).toEqual([
    'portion-ordered',
    'portion-released',
    'portion-ordered',
    'portion-released',
    'portion-ordered',
  ])
  await limited('porridge', null)
})

test('two children in one cart need two portions', async () => {
  const { parent, children } = await canteen.family('mumba', '3', '4')
  await limited('porridge', 1)
  const cart = children.map((child) => canteen.porridgeFor(child, 4))
  expect(await refused(place(parent, cart))).toMatchObject({
    status: 409,
    lines: [{ index: 1, code: 'sold_out', left: 1 }],
  })
  await limited('porridge', 2)
  expect(await place(parent, cart)).toHaveLength(2)
  await limited('porridge', null)
})

test('without a limit nothing is counted; a limit set later counts the orders that stand', async () => {
  const { parent, children } = await canteen.family('tembo', '3', '4', '5')
  const [one, other, third] = children as [Student, Student, Student]
  const [order] = await place(parent, [canteen.porridgeFor(one, 5)])
  await place(parent, [canteen.porridgeFor(other, 5)])
  expect(await portionEvents('porridge', 5)).toEqual([])
  expect(await leftOf(parent, 'porridge', 5)).toBeNull()
  await limited('porridge', 2)
  expect(await leftOf(parent, 'porridge', 5)).toBe(0)
  expect(await refused(place(parent, [canteen.porridgeFor(third, 5)]))).toMatchObject(soldOut())
  await parent.call(cancelOrder, { params: { id: order!.id } })
  await place(parent, [canteen.porridgeFor(third, 5)])
  await limited('porridge', 1)
  expect(await refused(place(parent, [canteen.porridgeFor(one, 5)]))).toMatchObject(soldOut())
  await limited('porridge', null)
})

test('a payment under way holds its portion until the reservation lapses; paid after that, the money waits as sold out', async () => {
  await limited('stew', 1)
  const slow = await canteen.payingFamily('phiri', '9')
  const quick = await canteen.payingFamily('banda', '9')
  const { TransToken } = await pay(slow.parent, slow.children[0]!, 2)
  expect(await leftOf(quick.parent, 'stew', 2)).toBe(0)
  expect(await refused(pay(quick.parent, quick.children[0]!, 2))).toMatchObject(soldOut())
  canteen.setClock('2026-09-14T07:09:00+02:00')
  await payOnPage(TransToken)
  canteen.setClock('2026-09-14T07:10:00+02:00')
  expect(await leftOf(quick.parent, 'stew', 2)).toBe(1)
  const paid = await pay(quick.parent, quick.children[0]!, 2)
  await payOnPage(paid.TransToken)
  canteen.setClock('2026-09-14T07:14:00+02:00')
  expect(await verify(slow.parent, TransToken)).toMatchObject({
    success: true,
    attention: [expect.stringContaining('sold out')],
  })
  expect(await verify(quick.parent, paid.TransToken)).toMatchObject({ success: true, attention: [] })
  const recovery = JSON.stringify(await canteen.superadminClient.call(failedOrders))
  expect(recovery).toContain('This meal was sold out on this day when the payment came')
  await limited('stew', null)
})

/** Stew on a day of the second week, which no other test sells. */
const onDay = (child: Student, day: number) => canteen.stewFor(child, day - 7, { weekNumber: 2 })

test('an account holds two portions of a limited dish on card pages, for ten minutes', async () => {
  await limited('stew', 3)
  const many = await canteen.payingFamily('mulenga', '9', '9', '9', '9')
  const other = await canteen.payingFamily('daka', '9', '9', '9')
  const [one, two, three, four] = many.children as [Student, Student, Student, Student]
  const cartItems = [one, two, three].map((child) => onDay(child, 8))
  await many.parent.call(createPayment, { body: { amount: 136.5, cartItems } })
  await many.parent.call(createPayment, { body: { amount: 45.5, cartItems: [onDay(four, 8)] } })
  expect(await leftOf(other.parent, 'stew', 8)).toBe(1)
  canteen.setClock('2026-09-14T07:09:59+02:00')
  const forTwo = other.children.slice(0, 2).map((child) => onDay(child, 8))
  const paying = () => other.parent.call(createPayment, { body: { amount: 91, cartItems: forTwo } })
  expect(await refused(paying())).toMatchObject({ lines: [{ index: 1, code: 'sold_out', left: 1 }] })
  canteen.setClock('2026-09-14T07:10:00+02:00')
  expect(await leftOf(other.parent, 'stew', 8)).toBe(3)
  await payOnPage((await paying()).TransToken)
  await limited('stew', null)
})

test('a third portion on a card page is had where it is left when the money comes', async () => {
  await limited('stew', 3)
  const { parent, children } = await canteen.payingFamily('siame', '9', '9', '9')
  const cartItems = children.map((child) => onDay(child, 9))
  const { TransToken } = await parent.call(createPayment, { body: { amount: 136.5, cartItems } })
  await payOnPage(TransToken)
  canteen.setClock('2026-09-14T07:05:00+02:00')
  expect(await verify(parent, TransToken)).toMatchObject({ success: true, attention: [] })
  expect(await leftOf(parent, 'stew', 9)).toBe(0)
  await limited('stew', null)
})

test('a paid line that cannot be had for another reason leaves the last portion to the next line', async () => {
  const office = canteen.superadminClient
  const free = { ...fieldsOf(canteen.items.stew), name: 'Fritters', price: '0' }
  const fritters = await office.call(createMenuItem, { body: free })
  await limited('stew', 2)
  const { parent, children } = await canteen.payingFamily('mwape', '9', '9')
  const [one, other] = children as [Student, Student]
  const cartItems = [one, other].map((child) => canteen.stewFor(child, 3))
  const { TransToken } = await parent.call(createPayment, { body: { amount: 91, cartItems } })
  canteen.setClock('2026-09-14T07:09:00+02:00')
  await payOnPage(TransToken)
  canteen.setClock('2026-09-14T07:25:00+02:00')
  await limited('stew', 1)
  const instead = { menuItemId: fritters.id, originalPrice: 0, discountedPrice: 0 }
  await place(parent, [canteen.stewFor(one, 3, instead)])
  canteen.setClock('2026-09-14T07:29:00+02:00')
  await verify(parent, TransToken)
  const orders = (await parent.call(listOrders)) as Order[]
  expect(orders.map(({ studentId, menuItem }) => [studentId, menuItem.name]).toSorted()).toEqual([
    [one.id, 'Fritters'],
    [other.id, canteen.items.stew.name],
  ])
  await limited('stew', null)
})

test('portions are told of 1 to 62 days', async () => {
  const from = '2026-09-14'
  const asked = (to: string) => canteen.superadminClient.call(listPortions, { query: { from, to } })
  expect(await asked('2026-11-14')).toEqual({ data: expect.any(Array) })
  for (const to of ['2026-11-15', '2026-09-13'])
    expect(await refused(asked(to))).toMatchObject({
      status: 422,
      fields: { to: 'Please choose at most 62 days, from the first to the last' },
    })
})

test('an item that is sold out by hand is not ordered on that date, and is on others', async () => {
  const { parent, children } = await canteen.family('zulu', '3')
  const child = children[0]!
  const office = canteen.superadminClient
  const params = { id: canteen.items.porridge.id }
  const date = '2026-09-16'
  await office.call(setSoldOut, { params, body: { date, soldOut: true } })
  expect(await refused(place(parent, [canteen.porridgeFor(child, 3)]))).toMatchObject(soldOut())
  await place(parent, [canteen.porridgeFor(child, 4)])
  await office.call(setSoldOut, { params, body: { date, soldOut: false } })
  await place(parent, [canteen.porridgeFor(child, 3)])
  expect(await office.call(setSoldOut, { params, body: { date, soldOut: true } })).toEqual({
    orders: expect.any(Number),
  })
  await office.call(setSoldOut, { params, body: { date, soldOut: false } })
})

describe('in a rush', () => {
  /** Two families of five children have their meals free, five of two children pay. */
  let buyers: { parent: Client; child: Student; free: boolean }[]
  beforeAll(async () => {
    const families = await Promise.all(
      [5, 5, 2, 2, 2, 2, 2].map(async (many, index) => {
        const grades = Array<'9'>(many).fill('9')
        const { parent, userId, children } = await canteen.payingFamily(`buyer${index}`, ...grades)
        const free = many === 5
        if (free) await canteen.discount(userId, 100)
        return children.map((child) => ({ parent, child, free }))
      }),
    )
    buyers = families.flat()
  })

  test.each([1, 10])(
    'twenty buyers by card and free at once, of %i portions: exactly so many get one',
    async (portions) => {
      const day = portions === 1 ? 4 : 5
      await limited('stew', portions)
      const racing = buyers.map(({ parent, child, free }) =>
        free ? parent.call(placeOrders, { body: [canteen.stewFor(child, day)] }) : pay(parent, child, day),
      )
      const answers = (await Promise.allSettled(racing)).map((one) => {
        if (one.status === 'fulfilled') return 'sold'
        if (!(one.reason instanceof CallRefused)) throw one.reason
        const { code, lines } = one.reason.body as { code: string; lines?: { code: string; left: number }[] }
        return lines ? `${lines[0]!.code} ${lines[0]!.left}` : code
      })
      expect(answers.filter((answer) => answer === 'sold')).toHaveLength(portions)
      expect(new Set(answers)).toEqual(new Set(['sold', 'sold_out 0']))
      expect(await leftOf(buyers[0]!.parent, 'stew', day)).toBe(0)
      await limited('stew', null)
    },
  )
})
