import { createMenuItem } from '#contracts/catalogue'
import { saveAllergyRule, saveHealth } from '#contracts/health'
import { setOrderStatus } from '#contracts/kitchen'
import { listOrders, type Order, substituteOrders } from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import type { Client } from '../../src/app/demo/client'
import { openCanteen, place, type Canteen } from './canteen'

let canteen: Canteen
let historian: Client
beforeAll(async () => {
  canteen = await openCanteen()
  historian = await canteen.administrator('historian', 'history')
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

const set = (client: Client, id: string, status: 'pending' | 'cancelled') =>
  client.call(setOrderStatus, { body: { orderIds: [id], status } })

test('the history alone does not take back a lunch that was eaten; with refunds it does', async () => {
  const { parent, children } = await canteen.payingFamily('eater', '9')
  const body = { amount: 45.5, cartItems: [canteen.stewFor(children[0]!, 1)] }
  const { TransToken } = await parent.call(createPayment, { body })
  await canteen.visitor().fetch(`/sandbox/pay/${TransToken}`, {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'pay', card: '4111111111111111' }),
  })
  await parent.call(verifyPayment, { params: { transactionId: TransToken } })
  const [order] = (await parent.call(listOrders)) as Order[]
  await canteen.superadminClient.call(setOrderStatus, {
    body: { orderIds: [order!.id], status: 'completed' },
  })
  for (const day of ['2026-09-14T13:00:00+02:00', '2026-09-15T08:00:00+02:00']) {
    canteen.setClock(day)
    for (const status of ['cancelled', 'pending'] as const)
      expect(await set(historian, order!.id, status)).toMatchObject({
        updated: 0,
        skipped: [{ id: order!.id, code: 'already_completed' }],
      })
  }
  const bursar = await canteen.administrator('bursar', 'history', 'refunds')
  expect(await set(bursar, order!.id, 'cancelled')).toMatchObject({ updated: 1, skipped: [] })
})

test('the history alone does not learn what a child is allergic to', async () => {
  const office = canteen.superadminClient
  const { id: _id, isArchived: _isArchived, ...form } = canteen.items.porridge
  const nutty = await office.call(createMenuItem, {
    body: { ...form, name: 'Nutty porridge', allergens: ['Peanuts'] },
  })
  const { parent, children } = await canteen.payingFamily('allergic', '4', '5')
  await parent.call(saveHealth, {
    params: { id: children[0]!.id },
    body: { allergies: ['Peanuts'], diet: 'none', medicalNote: '', noteConsent: false },
  })
  const [order, other] = await place(
    parent,
    children.map((child) => canteen.porridgeFor(child, 3)),
  )
  const cook = await canteen.administrator('cook', 'history', 'kitchen')
  const meal = { menuItemId: nutty.id, category: 'chicken', sideDish: 'Banana' }
  const substitute = (client: Client, acknowledged?: boolean, orderId = order!.id) =>
    client.call(substituteOrders, { body: { ...meal, orderIds: [orderId], acknowledged } })
  for (const rule of ['block', 'warn'] as const) {
    await office.call(saveAllergyRule, { body: { rule } })
    for (const acknowledged of [undefined, true]) {
      const { updated, skipped } = await substitute(historian, acknowledged)
      expect([updated, skipped]).toEqual([
        0,
        [{ orderId: order!.id, code: 'item_unavailable', message: expect.stringContaining('allergens') }],
      ])
    }
    // A child without an allergy is skipped too: who is skipped tells nothing of the child.
    expect(await substitute(historian, undefined, other!.id)).toMatchObject({
      updated: 0,
      skipped: [{ orderId: other!.id, code: 'item_unavailable' }],
    })
    expect((await substitute(cook)).skipped).toMatchObject([
      { code: 'allergen_conflict', allergens: ['Peanuts'] },
    ])
  }
  expect((await substitute(cook, true)).updated).toBe(1)
  const plain = await office.call(createMenuItem, {
    body: { ...form, name: 'Plain porridge', allergens: [] },
  })
  const { updated } = await historian.call(substituteOrders, {
    body: { ...meal, menuItemId: plain.id, orderIds: [order!.id, other!.id] },
  })
  expect(updated).toBe(2)
})
