import { createMenuItem, updateMenuItem, setSoldOut } from '#contracts/catalogue'
import { getCredit } from '#contracts/credit'
import { moveStudent } from '#contracts/enrolment'
import { currentUser, type Student } from '#contracts/identity'
import { cancelOrder, listOrders, type Order, cancelOrders, substituteOrders } from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import { listRefunds } from '#contracts/refunds'
import { listMails } from '../../src/adapters/mail'
import type { Client } from '../../src/app/demo/client'
import { eventually } from '../support/eventually'
import { mailTo } from '../support/mails'
import { openCanteen, place, refused, type Canteen } from './canteen'

let canteen: Canteen
let historian: Client
beforeAll(async () => {
  canteen = await openCanteen()
  historian = await canteen.administrator('historian', 'history')
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

const ordersOf = async (parent: Client) => (await parent.call(listOrders, { query: {} })) as Order[]

/** Orders for stew that were paid for by card in one cart, each of a child on a day. */
const paidStews = async (parent: Client, ...meals: [Student, number][]): Promise<Order[]> => {
  const cartItems = meals.map(([child, day]) => canteen.stewFor(child, day))
  const body = { amount: 45.5 * meals.length, cartItems }
  const { TransToken } = await parent.call(createPayment, { body })
  await canteen.visitor().fetch(`/sandbox/pay/${TransToken}`, {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'pay', card: '4111111111111111' }),
  })
  await parent.call(verifyPayment, { params: { transactionId: TransToken } })
  return (await ordersOf(parent)).toSorted((one, other) => one.dayOfWeek - other.dayOfWeek)
}

test('orders are cancelled in one act: what was paid goes back as the office says, each family is told once', async () => {
  const paying = await canteen.payingFamily('chanda', '9')
  const mute = await canteen.family('bwalya', '3')
  const [child] = paying.children as [Student]
  const paid = await paidStews(paying.parent, [child, 2], [child, 3])
  const [free] = await place(mute.parent, [canteen.porridgeFor(mute.children[0]!, 2)])
  // Long after the first hour and on the day itself after its cutoff.
  canteen.setClock('2026-09-15T09:00:00+02:00')
  const act = {
    body: {
      orderIds: [...paid.map(({ id }) => id), free!.id, paid[0]!.id, '999.2026-09-15.1'],
      reason: 'The oven broke',
      remedy: 'credit' as const,
    },
    headers: { 'idempotency-key': 'oven' },
  }
  const answer = await historian.call(cancelOrders, act)
  expect(answer).toEqual({
    cancelled: 3,
    owed: 91,
    asCredit: 91,
    families: 2,
    notTold: 1,
    skipped: [{ orderId: '999.2026-09-15.1', code: 'order_not_found', message: 'Order not found' }],
  })
  expect(await historian.call(cancelOrders, act)).toEqual(answer)
  const other = { ...act, body: { ...act.body, remedy: 'refund' as const } }
  expect(await refused(historian.call(cancelOrders, other))).toMatchObject({
    status: 409,
    code: 'idempotency_key_reused',
  })
  expect((await ordersOf(paying.parent)).map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
  await eventually(async () => (await paying.parent.call(getCredit)).balance === 91)
  const mail = await mailTo(canteen, 'chanda@example.org', 'Cancelled by the school')
  // Their address is not confirmed, so the mail leaves out the reason that the office typed.
  expect(mail.text).not.toContain(act.body.reason)
  expect(mail.text).toContain('Confirm this address: ')
  expect(mail.text).toContain('- Tuesday, 15 September 2026: a meal, K45.50 goes to your credit')
  expect(mail.text).toContain('- Wednesday, 16 September 2026: a meal, K45.50 goes to your credit')
  const again = await historian.call(cancelOrders, { body: act.body })
  expect(again).toMatchObject({ cancelled: 0, owed: 0, families: 0 })
  expect(again.skipped.map(({ code }) => code)).toEqual([
    'already_cancelled',
    'already_cancelled',
    'already_cancelled',
    'order_not_found',
  ])
  const cancellations = (await listMails(canteen.dataDir)).filter(({ subject }) =>
    subject.includes('Cancelled'),
  )
  expect(cancellations).toHaveLength(1)
})

test('orders are given another meal at the price that was paid; the family may cancel it until the cutoff with all of it back', async () => {
  const paying = await canteen.payingFamily('mumba', '9', '10')
  const [one, other] = paying.children as [Student, Student]
  const [first, second] = (await paidStews(paying.parent, [one, 4], [other, 5])) as [Order, Order]
  const office = canteen.superadminClient
  const { id: _id, isArchived: _isArchived, ...fields } = canteen.items.stew
  const curry = { ...fields, name: 'Curry', price: '60', categories: ['beans'], portionLimit: 1 }
  const { id: menuItemId } = await office.call(createMenuItem, { body: curry })
  // On the day itself, after its cutoff, an administrator still may; the next day's order can be cancelled then.
  canteen.setClock('2026-09-17T09:00:00+02:00')
  const body = { orderIds: [first.id, second.id], menuItemId, category: 'beans', sideDish: null }
  const wrong = await historian.call(substituteOrders, { body: { ...body, category: 'beef' } })
  expect(wrong).toMatchObject({ updated: 0, families: 0, skipped: [{ code: 'protein_not_offered' }, {}] })
  const act = { body, headers: { 'idempotency-key': 'curry' } }
  const answer = await historian.call(substituteOrders, act)
  expect(answer).toEqual({ updated: 2, families: 1, notTold: 0, skipped: [] })
  expect(await historian.call(substituteOrders, act)).toEqual(answer)
  const mail = await mailTo(canteen, 'mumba@example.org', 'Changed by the school')
  expect(mail.text).toContain('- Thursday, 17 September 2026: a meal')
  const now = (await ordersOf(paying.parent)).filter(({ dayOfWeek }) => dayOfWeek > 3)
  expect(
    now.map(({ id, menuItem, discountedPrice, allowed }) => [
      id,
      menuItem.name,
      discountedPrice,
      allowed.cancel,
    ]),
  ).toEqual(
    expect.arrayContaining([
      [first.id, 'Curry', 45.5, false],
      [second.id, 'Curry', 45.5, true],
    ]),
  )
  await paying.parent.call(cancelOrder, { params: { id: second.id } })
  await eventually(async () =>
    (await office.call(listRefunds)).data.some(({ id, amount }) => id === second.id && amount === 45.5),
  )
})

test('a substitute is had as an order is: not without portions, sold out, or on the menu of another grade', async () => {
  const { parent, children } = await canteen.family('zulu', '3', '4')
  const orders = await place(
    parent,
    children.map((child) => canteen.porridgeFor(child, 3)),
  )
  const orderIds = orders.map(({ id }) => id)
  const office = canteen.superadminClient
  const { id: _id, isArchived: _isArchived, ...fields } = canteen.items.porridge
  const rice = { ...fields, name: 'Rice', portionLimit: 1 }
  const { id: menuItemId } = await office.call(createMenuItem, { body: rice })
  const params = { id: menuItemId }
  const body = { orderIds, menuItemId, category: 'chicken', sideDish: 'Bread' }
  const codesOf = async (asked: object = {}) =>
    (await historian.call(substituteOrders, { body: { ...body, ...asked } })).skipped.map(({ code }) => code)
  expect(await codesOf({ menuItemId: canteen.items.stew.id, category: 'beef' })).toEqual([
    'wrong_menu_for_grade',
    'wrong_menu_for_grade',
  ])
  await office.call(setSoldOut, { params, body: { date: '2026-09-16', soldOut: true } })
  expect(await codesOf()).toEqual(['sold_out', 'sold_out'])
  await office.call(setSoldOut, { params, body: { date: '2026-09-16', soldOut: false } })
  expect(await codesOf()).toEqual(['sold_out'])
  await office.call(updateMenuItem, { params, body: { ...rice, portionLimit: 2 } })
  expect(await codesOf()).toEqual([])
  expect((await ordersOf(parent)).map(({ menuItem, sideDish }) => [menuItem.name, sideDish])).toEqual([
    ['Rice', 'Bread'],
    ['Rice', 'Bread'],
  ])
  await historian.call(cancelOrders, {
    body: { orderIds: orderIds.slice(0, 1), reason: 'Power cut', remedy: 'refund' },
  })
  await place(parent, [canteen.porridgeFor(children[0]!, 3, { menuItemId })])
})

test('only who may set orders in the history cancels them', async () => {
  const cook = await canteen.administrator('only-kitchen', 'kitchen')
  const body = { orderIds: ['1.2026-09-15.1'], reason: 'The oven broke', remedy: 'refund' as const }
  expect(await refused(cook.call(cancelOrders, { body }))).toMatchObject({ status: 403 })
  expect(await refused(historian.call(cancelOrders, { body: { ...body, reason: 'no' } }))).toMatchObject({
    status: 422,
  })
})

test('an act that a crash cuts off is carried on, in the name of who wanted it, and each family is told once', async () => {
  const families = [await canteen.payingFamily('tembo', '9'), await canteen.payingFamily('sakala', '9')]
  const paid = (
    await Promise.all(families.map(({ parent, children }) => paidStews(parent, [children[0]!, 5])))
  ).flat()
  const act = {
    body: { orderIds: paid.map(({ id }) => id), reason: 'No gas', remedy: 'refund' as const },
    headers: { 'idempotency-key': 'gas' },
  }
  const { eventStore } = canteen.infrastructure
  const { append } = eventStore
  const dying = jest.spyOn(eventStore, 'append').mockImplementation(async (appends) => {
    await append(appends)
    throw new Error('The process died')
  })
  await expect(historian.call(cancelOrders, act)).rejects.toThrow()
  dying.mockRestore()
  const mails = async () =>
    (await listMails(canteen.dataDir)).filter(
      ({ to, subject }) => /tembo|sakala/.test(to) && subject.includes('Cancelled'),
    )
  expect(await mails()).toEqual([])
  canteen.setClock('2026-09-14T07:06:00+02:00')
  await canteen.sweep()
  await eventually(async () => (await mails()).length === 2)
  expect(await historian.call(cancelOrders, act)).toEqual({
    cancelled: 2,
    owed: 91,
    families: 2,
    notTold: 0,
    skipped: [],
  })
  expect(await mails()).toHaveLength(2)
})

test('the family to which a child has moved is told too, and of no money', async () => {
  const office = canteen.superadminClient
  const { parent, children } = await canteen.payingFamily('payer', '9')
  const [child] = children as [Student]
  const paid = await paidStews(parent, [child, 2], [child, 3])
  const stepfather = await canteen.parent('stepfather', { email: 'stepfather@example.org' })
  const { id: parentId } = await stepfather.call(currentUser)
  await office.call(moveStudent, { params: { id: child.id }, body: { parentId } })
  await historian.call(cancelOrders, {
    body: { orderIds: [paid[0]!.id], reason: 'The oven broke', remedy: 'refund' },
  })
  await mailTo(canteen, 'payer@example.org', 'Cancelled by the school')
  const { text } = await mailTo(canteen, 'stepfather@example.org', 'Cancelled by the school')
  expect(text).toContain('- Tuesday, 15 September')
  expect(text.split('Confirm this address')[0]).not.toMatch(/K\d|payer@/)
  const plain = await canteen.cooked('Plain stew', '45.5')
  await historian.call(substituteOrders, {
    body: { orderIds: [paid[1]!.id], menuItemId: plain, category: 'beef' },
  })
  const changed = await mailTo(canteen, 'stepfather@example.org', 'Changed by the school')
  expect(changed.text).toContain('- Wednesday, 16 September')
})
