import { getCredit, giveCredit } from '#contracts/credit'
import { cancelOrder, changeOrder, listOrders, type Order } from '#contracts/ordering'
import { listRefunds } from '#contracts/refunds'
import { openAlternativeCanteen, order, type AlternativeCanteen } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { sweeping } from '../support/school'

let canteen: AlternativeCanteen
const meals = { soup: { id: 0, price: 30 }, steak: { id: 0, price: 60.5 } }
beforeAll(async () => {
  canteen = await openAlternativeCanteen({}, sweeping)
  meals.soup.id = await canteen.cooked('Soup', '30')
  meals.steak.id = await canteen.cooked('Steak', '60.50')
})
afterAll(() => canteen.close())

/** A paid stew for K45.50 and K20.00 of credit; a change of it dies when the credit is appended and the order is not. */
const diedChanging = async (username: string, to: 'soup' | 'steak') => {
  const { parent, userId, children } = await canteen.family(username, '9')
  const [{ id }] = (await order(parent, [canteen.stewFor(children[0]!, 3)])).orders as [Order]
  await canteen.verify([id])
  const gift = { amount: 20, reason: 'Fête' }
  await canteen.superadminClient.call(giveCredit, { params: { id: userId }, body: gift })
  const meal = meals[to]
  const change = () =>
    parent.call(changeOrder, {
      params: { id },
      body: {
        menuItemId: meal.id,
        discountedPrice: meal.price,
        category: 'beef',
        sideDish: null,
        comments: '',
      },
      headers: { 'idempotency-key': 'change-1' },
    })
  const { eventStore } = canteen.infrastructure
  const { append } = eventStore
  const dying = jest.spyOn(eventStore, 'append').mockImplementation(async (appends) => {
    const slot = appends.findIndex(({ stream }) => stream.startsWith('mealSlot-'))
    if (slot < 1) return append(appends)
    await append(appends.slice(0, slot))
    throw new Error('The process died')
  })
  await expect(change()).rejects.toThrow()
  dying.mockRestore()
  expect(await parent.call(listOrders)).toMatchObject([{ discountedPrice: 45.5 }])
  const balance = async () => (await parent.call(getCredit)).balance
  return { parent, id, change, balance }
}
const settled = { soup: 35.5, steak: 5 }

test.each(['soup', 'steak'] as const)(
  'a change to %s that died is carried on once by its key',
  async (to) => {
    const { parent, change, balance } = await diedChanging(`again${to}`, to)
    await eventually(async () => (await balance()) === settled[to])
    await change()
    await change()
    expect(await parent.call(listOrders)).toMatchObject([{ discountedPrice: meals[to].price }])
    expect(await balance()).toBe(settled[to])
  },
)

test.each(['soup', 'steak'] as const)(
  'an order whose change to %s died owes what was paid for it when it is cancelled, no more and no less',
  async (to) => {
    const { parent, id, balance } = await diedChanging(`gone${to}`, to)
    await parent.call(cancelOrder, { params: { id } })
    await eventually(async () => {
      const { data } = await canteen.superadminClient.call(listRefunds)
      const refund = data.find((one) => one.id === id)?.amount
      return refund !== undefined && refund + (await balance()) === 65.5
    })
  },
)

test.each(['soup', 'steak'] as const)(
  'a change to %s that died and is not asked for again is undone by the sweep, two minutes later',
  async (to) => {
    const { parent, balance } = await diedChanging(`undone${to}`, to)
    await eventually(async () => (await balance()) === settled[to])
    await canteen.sweepNamed('settle-credit')
    expect(await balance()).toBe(settled[to])
    canteen.setClock(new Date(canteen.now().getTime() + 180_000))
    await canteen.sweepNamed('settle-credit')
    expect(await balance()).toBe(20)
    expect(await parent.call(listOrders)).toMatchObject([{ discountedPrice: 45.5 }])
  },
)
