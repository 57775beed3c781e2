import { addStudent } from '#contracts/identity'
import { openPayments } from '#contracts/payments'
import { cancelOrder, type CartLine, placeOrders } from '#contracts/ordering'
import type { Client } from '../../src/app/demo/client'
import { refused } from '../ordering/canteen'
import { mailTo } from '../support/mails'
import { openAlternativeCanteen, order, type AlternativeCanteen } from './alternative-canteen'

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = await openAlternativeCanteen()
})
afterAll(() => canteen.close())
beforeEach(() => canteen.set({ enabled: false, beside: true }))

const open = async (client: Client) => (await client.call(openPayments)).data
const payByAirtel = (client: Client, cartItems: CartLine[]) =>
  client.call(placeOrders, { body: { cartItems, payBy: 'airtel' } })

test('what a family has yet to pay is there with reference, amount and number, as in its mail, until it is verified', async () => {
  const parent = await canteen.parent('mwila', { email: 'mwila@example.com' })
  const child = await parent.call(addStudent, { body: { name: 'mwila', grade: '9' } })
  expect(await open(parent)).toEqual([])
  const { orders, payment } = await payByAirtel(
    parent,
    [2, 3].map((day) => canteen.stewFor(child, day)),
  )
  const [shown, ...others] = await open(parent)
  expect(others).toEqual([])
  expect(shown).toMatchObject({
    reference: payment!.reference,
    amount: 91,
    payBy: 'airtel',
    placedAt: orders[0]!.orderDate,
    lapsesAt: null,
    orders: orders.map(({ id }) => ({ id, payBy: 'airtel', paymentStatus: 'pending' })),
    instructions: payment!.instructions,
  })
  const { text } = await mailTo(canteen, 'mwila@example.com', 'How to pay')
  for (const said of [shown!.reference, 'K91.00', shown!.instructions.airtelMoney!.number])
    expect(text).toContain(said)
  await canteen.verify([orders[0]!.id])
  expect(await open(parent)).toMatchObject([{ amount: 45.5, orders: [{ id: orders[1]!.id }] }])
  await canteen.verify([orders[1]!.id])
  expect(await open(parent)).toEqual([])
})

test('each checkout stands by itself, the oldest first; what is cancelled is not to be paid', async () => {
  const { parent, children } = await canteen.family('grace', '9')
  const first = await payByAirtel(parent, [canteen.stewFor(children[0]!, 2)])
  await canteen.set({ enabled: true, beside: false })
  const second = await order(parent, [canteen.stewFor(children[0]!, 3)])
  await canteen.set({ enabled: false, beside: false })
  expect((await open(parent)).map(({ reference, payBy }) => [reference, payBy])).toEqual([
    [first.payment!.reference, 'airtel'],
    [second.payment!.reference, 'other'],
  ])
  expect((await open(parent))[1]!.instructions).toMatchObject({ airtelMoney: {}, bankTransfer: {} })
  await parent.call(cancelOrder, { params: { id: first.orders[0]!.id } })
  expect((await open(parent)).map(({ reference }) => reference)).toEqual([second.payment!.reference])
})

test('nobody sees what another family has to pay, and an administrator has a list of their own', async () => {
  const { parent, children } = await canteen.family('chola', '9')
  await payByAirtel(parent, [canteen.stewFor(children[0]!, 4)])
  const { parent: other } = await canteen.family('luyando')
  expect(await open(other)).toEqual([])
  expect(await refused(canteen.superadminClient.call(openPayments))).toMatchObject({ status: 403 })
})
