import { saveBooksSettings, getReceipt } from '#contracts/books'
import { giveCredit } from '#contracts/credit'
import { cancelOrder, listOrders, type CartLine, type Order } from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import { undoVerified } from '#contracts/transfers'
import { completeRefund } from '#contracts/refunds'
import type { Client } from '../../src/app/demo/client'
import { refused } from '../ordering/canteen'
import { openAlternativeCanteen, order, type AlternativeCanteen } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { mailTo } from '../support/mails'

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = await openAlternativeCanteen()
  await canteen.superadminClient.call(saveBooksSettings, {
    body: {
      tpin: '1001234567',
      address: 'Church Road\nLusaka',
      vatPercent: null,
      refundApprovalAbove: null,
      cardRefunds: false,
    },
  })
})
afterAll(() => canteen.close())

const receiptOf = (client: Client, number: string) => client.call(getReceipt, { params: { number } })

const payByCard = async (parent: Client, lines: CartLine[], amount: number) => {
  await canteen.set({ enabled: false })
  const started = await parent.call(createPayment, { body: { amount, cartItems: lines } })
  await canteen.visitor().fetch(`/sandbox/pay/${started.TransToken}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ outcome: 'pay', card: '4111111111111111' }).toString(),
  })
  await parent.call(verifyPayment, { params: { transactionId: started.TransToken } })
  return started.companyRef
}

test('a card payment has a receipt with everything that was paid; what goes back of it a credit note', async () => {
  const { parent, userId, children } = await canteen.payingFamily('rose', '9')
  await canteen.discount(userId, 10)
  await canteen.superadminClient.call(giveCredit, {
    params: { id: userId },
    body: { amount: 10, reason: 'Sports day' },
    headers: { 'idempotency-key': 'gift' },
  })
  const lines = [2, 3].map((day) =>
    canteen.stewFor(children[0]!, day, { discountedPrice: 40.95, discountPercentage: 10 }),
  )
  const reference = await payByCard(parent, lines, 81.9)
  const receipt = await eventually(() => receiptOf(parent, '2026-000001'))
  expect(receipt).toMatchObject({
    number: '2026-000001',
    kind: 'receipt',
    at: '2026-09-14T05:00:00.000Z',
    date: '2026-09-14',
    corrects: null,
    creditNotes: [],
    school: { name: 'Lusaka Test School', tpin: '1001234567', address: 'Church Road\nLusaka' },
    payer: 'rose',
    method: 'card',
    references: [reference],
    providerReference: expect.any(String),
    discount: 9.1,
    creditUsed: 0,
    surplus: 0,
    missing: 0,
    amount: 81.9,
    vat: null,
  })
  expect(receipt.lines).toEqual(
    ['2026-09-15', '2026-09-16'].map((mealDate) => ({
      mealDate,
      student: 'rose 9',
      item: 'Stew',
      category: 'beef',
      sideDish: null,
      originalPrice: 45.5,
      price: 40.95,
      credit: 0,
    })),
  )
  const { text: mail } = await mailTo(canteen, 'rose@example.org', 'Your meals are ordered')
  expect(mail).toContain(`Receipt 2026-000001: ${canteen.config.publicUrl}/receipts/2026-000001`)
  expect(mail).toMatch(/K81\.90[^]*A meal on Tuesday, 15 September 2026: K40\.95/)
  const ordered = (await parent.call(listOrders)) as Order[]
  expect(ordered.map(({ receiptNumber }) => receiptNumber)).toEqual(['2026-000001', '2026-000001'])
  const [first] = ordered
  await parent.call(cancelOrder, { params: { id: first!.id } })
  const complete = () =>
    canteen.superadminClient.call(completeRefund, {
      params: { id: first!.id },
      body: { method: 'cash', reference: 'SLIP-7' },
      headers: { 'idempotency-key': 'back' },
    })
  await eventually(() =>
    complete().then(
      () => true,
      () => false,
    ),
  )
  const note = await eventually(() => receiptOf(parent, 'CN2026-000001'))
  expect(note).toMatchObject({
    kind: 'credit_note',
    corrects: '2026-000001',
    method: 'card',
    references: [reference],
    providerReference: 'SLIP-7',
    amount: 40.95,
    surplus: 0,
    missing: 0,
  })
  expect(note.lines).toEqual([expect.objectContaining({ price: 40.95, item: 'Stew' })])
  expect((await receiptOf(parent, '2026-000001')).creditNotes).toEqual(['CN2026-000001'])
})

test('a payment that was verified has a receipt in the way that was chosen, with the VAT of its time', async () => {
  const settings = {
    tpin: '1001234567',
    address: '',
    refundApprovalAbove: null,
    cardRefunds: false,
  }
  await canteen.superadminClient.call(saveBooksSettings, { body: { ...settings, vatPercent: 16 } })
  await canteen.set({ enabled: true })
  const { parent, children } = await canteen.payingFamily('violet', '9')
  const { orders } = await order(parent, [canteen.stewFor(children[0]!, 2)])
  await canteen.verify(orders.map(({ id }) => id))
  const receipt = await eventually(() => receiptOf(parent, '2026-000002'))
  expect(receipt.method).toBe('other')
  expect(receipt.references).toEqual([expect.stringMatching(/^LP-/)])
  // 16/116 of K45.50 is K6.2758…
  expect(receipt).toMatchObject({ amount: 45.5, vat: { percent: 16, amount: 6.28 } })
  await canteen.superadminClient.call(saveBooksSettings, { body: { ...settings, vatPercent: null } })
  canteen.setClock('2026-09-14T07:00:01+02:00')
  await canteen.superadminClient.call(saveBooksSettings, { body: { ...settings, vatPercent: 20 } })
  expect((await receiptOf(parent, '2026-000002')).vat).toEqual(null)
})

test('meals that are verified together have one receipt and one mail; undone they have a credit note', async () => {
  const { parent, children } = await canteen.payingFamily('iris', '9')
  const { orders } = await order(parent, [canteen.stewFor(children[0]!, 2), canteen.stewFor(children[0]!, 3)])
  const orderIds = orders.map(({ id }) => id)
  await canteen.verify(orderIds)
  const numbers = async () =>
    new Set(((await parent.call(listOrders)) as Order[]).map(({ receiptNumber }) => receiptNumber))
  const [number] = await eventually(async () => {
    const found = await numbers()
    return found.size === 1 && !found.has(null) && found
  })
  const receipt = await receiptOf(parent, number!)
  expect(receipt).toMatchObject({ method: 'other', amount: 91, surplus: 0, missing: 0 })
  expect(receipt.lines.map(({ mealDate }) => mealDate)).toEqual(['2026-09-15', '2026-09-16'])
  const { text } = await mailTo(canteen, 'iris@example.org', 'Your payment has arrived')
  expect(text).toContain('We received your payment of K91.00.')
  expect(text).toContain(`/receipts/${number}`)
  await canteen.superadminClient.call(undoVerified, {
    body: { orderIds },
    headers: { 'idempotency-key': 'undone' },
  })
  const { creditNotes } = await eventually(async () => {
    const now = await receiptOf(parent, number!)
    return now.creditNotes.length > 0 && now
  })
  expect(await receiptOf(parent, creditNotes[0]!)).toMatchObject({
    corrects: number,
    amount: 91,
    method: 'other',
  })
  expect(await numbers()).toEqual(new Set([null]))
})

test('a receipt is there for its family and for Refunds, Live Orders and Pending Payments; for nobody else', async () => {
  const { parent } = await canteen.payingFamily('lily', '9')
  const cook = await canteen.administrator('receiptcook', 'kitchen', 'parents_students', 'settings')
  for (const stranger of [parent, cook])
    expect(await refused(receiptOf(stranger, '2026-000001'))).toMatchObject({
      status: 404,
      code: 'receipt_not_found',
    })
  expect((await refused(receiptOf(canteen.visitor(), '2026-000001'))).status).toBe(401)
  for (const feature of ['refunds', 'live_orders', 'pending_payments'] as const) {
    const office = await canteen.administrator(`receipts-${feature}`, feature)
    expect((await receiptOf(office, '2026-000001')).payer).toBe('rose')
    for (const none of ['2026-000999', 'CN2027-000001', '2026-1', 'x'])
      expect((await refused(receiptOf(office, none))).status).toBe(404)
  }
})
