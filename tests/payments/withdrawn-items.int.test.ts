import { setArchived, setAvailability } from '#contracts/catalogue'
import { addStudent } from '#contracts/identity'
import { listOrders } from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import { liveOrders, retryAttempt, waiveRemainder, listFailedOrders } from '#contracts/payments-console'
import { listRefunds } from '#contracts/refunds'
import { eventually } from '../support/eventually'
import { openCanteen, type Canteen } from '../ordering/canteen'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen({ WITHDRAWN_ITEMS: 'hold' })
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

const withdrawn = 'This meal was taken off the menu after it was paid for'
const offer = async (isAvailable: boolean) => {
  const params = { id: canteen.items.stew.id }
  await canteen.superadminClient.call(setAvailability, { params, body: { isAvailable } })
  await canteen.superadminClient.call(setArchived, { params, body: { isArchived: !isAvailable } })
}

/** Stew for Tuesday, paid on the provider's page; before anybody knows the stew is taken off the menu. */
const paidAndWithdrawn = async (username: string) => {
  const parent = await canteen.parent(username, { email: `${username}@example.org` })
  const child = await parent.call(addStudent, { body: { name: `Child of ${username}`, grade: '9' } })
  const body = { amount: 45.5, cartItems: [canteen.stewFor(child, 2)] }
  const { TransToken } = await parent.call(createPayment, { body })
  await canteen.visitor().fetch(`/sandbox/pay/${TransToken}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'outcome=slow&card=4111111111111111',
  })
  await offer(false)
  canteen.setClock('2026-09-14T07:03:00+02:00')
  const told = await parent.call(verifyPayment, { params: { transactionId: TransToken } })
  const { data } = await canteen.superadminClient.call(liveOrders, { query: { transactionId: TransToken } })
  return { parent, told, params: { id: data[0]!.id } }
}

test('a withdrawn meal waits under Order Recovery, and is ordered once an administrator retries', async () => {
  const { parent, told, params } = await paidAndWithdrawn('mutale')
  expect(told).toMatchObject({ success: true, attention: [expect.stringContaining(withdrawn)] })
  expect(await parent.call(listOrders)).toEqual([])
  const office = await canteen.administrator('recovery', 'order_recovery')
  const { data } = await office.call(listFailedOrders, { query: {} })
  expect(data).toMatchObject([
    {
      id: params.id,
      status: 'Failed to create orders during recovery',
      error: withdrawn,
      cartItems: [{ reason: withdrawn, orderId: null }],
      allowed: { retry: true, waive: true },
    },
  ])
  expect(await office.call(retryAttempt, { params })).toMatchObject({ success: true })
  expect(await parent.call(listOrders)).toMatchObject([{ dayOfWeek: 2, discountedPrice: 45.5 }])
  await offer(true)
})

test('or its money goes back', async () => {
  const { params } = await paidAndWithdrawn('bwalya')
  const waived = await canteen.superadminClient.call(waiveRemainder, {
    params,
    body: { reason: 'The stew is gone' },
  })
  expect(waived).toEqual({ message: 'Refund of K45.50 due' })
  await eventually(async () => {
    const { data } = await canteen.superadminClient.call(listRefunds, { query: {} })
    expect(data.map(({ amount }) => amount)).toEqual([45.5])
  })
  await offer(true)
})
