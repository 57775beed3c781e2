import { listOrders, placeOrders } from '#contracts/ordering'
import { getPaymentBypass } from '#contracts/payments'
import { openCanteen, place, refused, type Canteen } from '../ordering/canteen'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen()
})
afterAll(() => canteen.close())

const linesOf = (answer: Record<string, unknown>) =>
  (answer.lines as { index: number; code: string; message: string }[]).map(({ index, code }) => [index, code])

test('a free cart for two children over several days is placed and seen at once', async () => {
  const { parent, children } = await canteen.family('mwila', '3', 'K')
  const [big, small] = children
  const cart = [2, 3, 4].map((day) => canteen.porridgeFor(big!, day)).concat(canteen.porridgeFor(small!, 2))
  const orders = await place(parent, cart)
  expect(orders.map(({ studentId, dayOfWeek, mealDate }) => [studentId, dayOfWeek, mealDate])).toEqual([
    [big!.id, 2, '2026-09-15'],
    [big!.id, 3, '2026-09-16'],
    [big!.id, 4, '2026-09-17'],
    [small!.id, 2, '2026-09-15'],
  ])
  const seen = await parent.call(listOrders, { query: { unpaginated: 'true', includeAll: 'true' } })
  expect(seen).toEqual({ data: expect.arrayContaining(orders) })
  expect((seen as { data: unknown[] }).data).toHaveLength(4)
  expect(await parent.call(listOrders)).toEqual((seen as { data: unknown[] }).data)
})

test('a discount code of 100 percent makes a dear meal free', async () => {
  const { parent, children, userId } = await canteen.family('natasha', '9')
  const cart = [canteen.stewFor(children[0]!, 2)]
  expect(await refused(place(parent, cart))).toMatchObject({ status: 402, code: 'payment_required' })
  await canteen.discount(userId, 100)
  const claimed = [{ ...cart[0]!, discountedPrice: 0, discountPercentage: 100 }]
  expect(await place(parent, claimed)).toMatchObject([
    { originalPrice: 45.5, discountedPrice: 0, discountPercentage: 100, paymentStatus: 'confirmed' },
  ])
})

test('refused lines are named, and none of the cart is ordered', async () => {
  const { parent, children } = await canteen.family('kelvin', '2')
  const { children: foreign } = await canteen.family('grace', '2')
  const cart = [
    canteen.porridgeFor(children[0]!, 2),
    canteen.porridgeFor(foreign[0]!, 2),
    canteen.porridgeFor(children[0]!, 3, { weekNumber: 2 }),
    canteen.stewFor(children[0]!, 4),
  ]
  const answer = await refused(place(parent, cart))
  expect(answer).toMatchObject({ status: 422, code: 'lines_refused', error: answer.message })
  expect(linesOf(answer)).toEqual([
    [1, 'student_not_found'],
    [2, 'day_blocked'],
    [3, 'wrong_menu_for_grade'],
  ])
  expect(await parent.call(listOrders)).toEqual([])
})

test('comments of more than 500 characters are no order', async () => {
  const { parent, children } = await canteen.family('joseph', '2')
  const long = canteen.porridgeFor(children[0]!, 2, { comments: 'x'.repeat(501) })
  expect((await refused(place(parent, [long]))).status).toBe(422)
  expect(await place(parent, [{ ...long, comments: 'x'.repeat(500) }])).toHaveLength(1)
})

test('twenty clients at once for one child and day: exactly one order', async () => {
  const { children } = await canteen.family('luyando', '4')
  const clients = await Promise.all(
    Array.from({ length: 20 }, () => canteen.signIn('luyando', 'parent-password')),
  )
  const outcomes = await Promise.all(
    clients.map((client) =>
      place(client, [canteen.porridgeFor(children[0]!, 3)]).catch((error: unknown) =>
        refused(Promise.reject(error)),
      ),
    ),
  )
  const placed = outcomes.filter((outcome) => Array.isArray(outcome))
  expect(placed).toHaveLength(1)
  const answers = outcomes.flatMap((outcome) => (Array.isArray(outcome) ? [] : [outcome]))
  expect(answers).toHaveLength(19)
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 409, code: 'lines_refused' })
    expect(linesOf(answer)).toEqual([[0, 'already_ordered']])
  }
  expect(await clients[0]!.call(listOrders)).toEqual(placed[0])
})

describe('Idempotency-Key', () => {
  test('twenty times one request is one order and twenty equal answers', async () => {
    const { parent, children } = await canteen.family('mutinta', '4')
    const cart = [canteen.porridgeFor(children[0]!, 2), canteen.porridgeFor(children[0]!, 3)]
    const answers = await Promise.all(Array.from({ length: 20 }, () => place(parent, cart, 'mutinta-1')))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(await parent.call(listOrders)).toHaveLength(2)
  })

  test('with another cart is 409; of another user it is another key', async () => {
    const { parent, children } = await canteen.family('chola', '4')
    const { parent: other, children: others } = await canteen.family('bupe', '4')
    await place(parent, [canteen.porridgeFor(children[0]!, 2)], 'key')
    expect(await refused(place(parent, [canteen.porridgeFor(children[0]!, 3)], 'key'))).toMatchObject({
      status: 409,
      code: 'idempotency_key_reused',
    })
    expect(await place(other, [canteen.porridgeFor(others[0]!, 2)], 'key')).toHaveLength(1)
  })
})

test('an administrator and a stranger place nothing', async () => {
  const { children } = await canteen.family('thandiwe', '4')
  const body = [canteen.porridgeFor(children[0]!, 2)]
  expect((await refused(canteen.superadminClient.call(placeOrders, { body }))).status).toBe(403)
  expect((await refused(canteen.visitor().call(placeOrders, { body }))).status).toBe(401)
})

test('alternative payments are off until somebody sets them', async () => {
  const { parent } = await canteen.family('mapalo')
  expect(await parent.call(getPaymentBypass)).toEqual({
    enabled: false,
    beside: false,
    unpaidUntil: 'never',
    airtelMoney: { name: '', number: '' },
    mtnMoney: { name: '', number: '' },
    bankTransfer: { bankName: '', accountName: '', accountNumber: '', branchName: '', swiftCode: '' },
  })
  expect((await refused(canteen.visitor().call(getPaymentBypass))).status).toBe(401)
})
