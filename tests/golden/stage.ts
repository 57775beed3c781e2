import { getBooksSettings, saveBooksSettings, type BooksSettings } from '#contracts/books'
import { createMenuItem, type MenuItemFields } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import { addStudent, createAdmin, currentUser, type FeatureName, type Student } from '#contracts/identity'
import { listOrders, placeOrders, type CartLine, type Order } from '#contracts/ordering'
import { createPayment, savePaymentBypass, verifyPayment, type PaymentBypass } from '#contracts/payments'
import { liveOrders } from '#contracts/payments-console'
import { listRefunds } from '#contracts/refunds'
import { registerParent, staySignedIn, type Client } from '../../src/app/demo/client'
import { airtelAndBank } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import type { School } from '../support/school'

export const goldenPassword = 'golden-password'
const password = goldenPassword

const everyDay: Omit<MenuItemFields, 'name' | 'price'> = {
  type: 'secondary',
  categories: ['beef', 'chicken'],
  sideDishes: [],
  weekNumbers: [1, 2, 3, 4],
  daysOfWeek: [1, 2, 3, 4, 5],
  allergens: [],
  proteinDescriptions: {},
  isAvailable: true,
  imageUrl: null,
  description: null,
}

const ways: PaymentBypass = {
  ...airtelAndBank,
  enabled: false,
  beside: true,
  airtelMoney: { name: 'School', number: '0970 000 001' },
  mtnMoney: { name: 'School', number: '0960 000 001' },
}

export type Family = { parent: Client; userId: number; child: Student }
export type Stage = Awaited<ReturnType<typeof openStage>>
type Meal = { id: number; price: number }

const line = (
  { child }: Family,
  { id, price }: Meal,
  weekNumber: number,
  dayOfWeek: number,
  more: Partial<CartLine> = {},
): CartLine => ({
  menuItemId: id,
  studentId: child.id,
  weekNumber,
  dayOfWeek,
  category: 'beef',
  comments: '',
  originalPrice: price,
  ...more,
})

const begin = async ({ parent }: Family, cartItems: CartLine[], useCredit = false): Promise<string> => {
  const amount = cartItems.reduce((sum, { originalPrice }) => sum + originalPrice, 0)
  return (await parent.call(createPayment, { body: { amount, cartItems, useCredit } })).TransToken
}

const verify = ({ parent }: Family, token: string) =>
  parent.call(verifyPayment, { params: { transactionId: token } })

/** All orders of a family, by the day of the meal. */
const ordersOf = async ({ parent }: Family): Promise<Order[]> => {
  const orders = (await parent.call(listOrders, { query: { includeAll: 'true' } })) as Order[]
  return orders.toSorted((one, other) => (one.mealDate < other.mealDate ? -1 : 1))
}

/**
 * The people of the golden days: on top of a school with a cycle from Monday 14 September 2026, meals of known prices, an
 * office in which two have to approve, and families that pay by card or in another way.
 */
export const openStage = async (school: School, superadminPassword: string) => {
  /** Who does one thing a second, so that no two things are of one moment. */
  const signIn = async (username: string, secret: string): Promise<Client> => {
    const client = await staySignedIn(school.url, username, secret)
    const call: Client['call'] = async (endpoint, input) => {
      school.setClock(new Date(school.now().getTime() + 1_000))
      return client.call(endpoint, input)
    }
    return { ...client, call }
  }
  const office = await signIn('superadmin', superadminPassword)
  const meal = async (name: string, price: number, portionLimit: number | null = null): Promise<Meal> => {
    const body = { ...everyDay, name, price: price.toFixed(2), portionLimit }
    return { id: (await office.call(createMenuItem, { body })).id, price }
  }
  const administrator = async (username: string, ...allowedFeatures: FeatureName[]) => {
    await office.call(createAdmin, { body: { username, password, allowedFeatures } })
    return signIn(username, password)
  }
  const family = async (name: string, grade: '9' | '2' = '9'): Promise<Family> => {
    const username = `golden.${name}`
    const account = { username, password, name: `Golden ${name}`, email: `${username}@example.org` }
    await registerParent(school.url, { ...account, phone: '+260977123456' })
    const parent = await signIn(username, password)
    const child = await parent.call(addStudent, { body: { name: `${name} Golden`, grade } })
    return { parent, userId: (await parent.call(currentUser)).id, child }
  }
  const script = async (token: string, tag: string) => {
    await school.infrastructure.database.pool.query(
      `update payments.sandbox_transactions set state = jsonb_set(state, '{tag}', to_jsonb($2::text)) where token = $1`,
      [token, tag],
    )
  }
  const press = (token: string, outcome: string) =>
    school.visitor().fetch(`/sandbox/pay/${token}`, {
      method: 'POST',
      body: new URLSearchParams({ outcome, card: '4111111111111111' }),
    })

  return {
    school,
    superadminPassword,
    office,
    cycleId: (await office.call(listCycles)).find(({ isActive }) => isActive)!.id,
    stew: await meal('Golden stew', 45.5),
    steak: await meal('Golden steak', 60.5),
    soup: await meal('Golden soup', 30),
    cake: await meal('Golden cake', 35),
    pie: await meal('Golden pie', 40, 3),
    bursar: await administrator('golden.bursar', 'refunds'),
    head: await administrator('golden.head', 'refunds'),
    tablet: await administrator('golden.tablet', 'kitchen'),
    phone: await administrator('golden.phone', 'kitchen'),
    family,
    line,
    begin,
    script,
    press,
    verify,
    ordersOf,
    /** Pays by card; answers the token. */
    pay: async (who: Family, lines: CartLine[], useCredit = false): Promise<string> => {
      const token = await begin(who, lines, useCredit)
      await press(token, 'pay')
      await verify(who, token)
      const made = lines.length
      await eventually(async () => (await ordersOf(who)).length >= made)
      return token
    },
    /** Orders that are paid for in another way, later. */
    order: async ({ parent }: Family, cartItems: CartLine[], payBy: 'airtel' | 'bank' = 'airtel') =>
      (await parent.call(placeOrders, { body: { cartItems, payBy } })).orders.map(({ id }) => id),
    attemptOf: async (transactionId: string) =>
      (await office.call(liveOrders, { query: { transactionId } })).data[0]!.id,
    /** Waits until money is owed back for this order. */
    owed: (id: string) =>
      eventually(async () => {
        const { data } = await office.call(listRefunds, { query: { status: 'all', text: id } })
        return data.find((refund) => refund.id === id) ?? false
      }),
    books: async (change: Partial<BooksSettings>) => {
      const before = await office.call(getBooksSettings)
      await office.call(saveBooksSettings, {
        body: { ...before, ...change, currentPassword: superadminPassword },
      })
    },
    otherWays: (change: Partial<PaymentBypass> = {}) =>
      office.call(savePaymentBypass, {
        body: { ...ways, ...change, currentPassword: superadminPassword },
      }),
    sweep: async (...names: string[]) => {
      const all = school.modules.flatMap(({ sweeps }) => sweeps)
      for (const { name, run } of all) if (names.length === 0 || names.includes(name)) await run()
    },
  }
}
