import { mergeStudent } from '#contracts/enrolment'
import { type Student, addStudent, saveSecurity } from '#contracts/identity'
import {
  type CartLine,
  type Order,
  type PayWay,
  listOrders,
  placeOrders,
  cancelOrder,
} from '#contracts/ordering'
import { type PaymentBypass, createPayment, getPaymentBypass, savePaymentBypass } from '#contracts/payments'
import { liveOrders } from '#contracts/payments-console'
import { pendingPayments } from '#contracts/transfers'
import { type Client, CallRefused } from '../../src/app/demo/client'
import { refused, place } from '../ordering/canteen'
import { mailTo } from '../support/mails'
import { superadminPassword } from '../support/school'
import { type AlternativeCanteen, openAlternativeCanteen, order, airtelAndBank } from './alternative-canteen'

describe('chosen way', () => {
  let canteen: AlternativeCanteen
  beforeAll(async () => {
    canteen = await openAlternativeCanteen()
  })
  afterAll(() => canteen.close())
  beforeEach(() => canteen.set({ enabled: false, beside: true }))

  const payWith = (client: Client, payBy: PayWay | undefined, cartItems: CartLine[], useCredit = false) =>
    client.call(placeOrders, { body: { cartItems, useCredit, ...(payBy && { payBy }) } })

  /** A parent who can pay by card, and a child in grade 9. */
  const written = async (username: string) => {
    const parent = await canteen.parent(username, { email: `${username}@example.com` })
    const child = await parent.call(addStudent, { body: { name: username, grade: '9' } })
    return { parent, child }
  }

  test('beside the card the details are shown, and a chosen way stands wherever the payment is shown', async () => {
    const { parent, child } = await written('mwila')
    expect(await parent.call(getPaymentBypass)).toMatchObject({
      ...airtelAndBank,
      enabled: false,
      beside: true,
    })
    const { orders, payment } = await payWith(parent, 'airtel', [canteen.stewFor(child, 2)])
    expect(orders).toMatchObject([{ paymentStatus: 'pending', payBy: 'airtel' }])
    expect(payment).toEqual({
      reference: expect.stringMatching(/^LP-/),
      amount: 45.5,
      instructions: {
        message: 'Pay with Airtel Money and give the reference.',
        airtelMoney: { name: 'Lusaka Test School', number: '0970 000 001' },
      },
    })
    expect(await parent.call(listOrders)).toMatchObject([{ payBy: 'airtel' }])
    const office = canteen.superadminClient
    const pending = await office.call(pendingPayments, { query: { text: 'mwila' } })
    expect(pending.data).toMatchObject([{ orders: [{ payBy: 'airtel', reference: payment!.reference }] }])
    const live = await office.call(liveOrders, { query: { parent: 'mwila' } })
    expect(live.data).toMatchObject([{ kind: 'alternative', payBy: 'airtel' }])
    const mail = await mailTo(canteen, 'mwila@example.com', 'How to pay')
    expect(mail.text).toContain('Airtel Money')
    expect(mail.text).not.toContain('Zanaco')
  })

  test('a way without a number, and any while the card stands alone, is refused with a sentence', async () => {
    const { parent, child } = await written('grace')
    const lines = [canteen.stewFor(child, 2)]
    const refusal = {
      status: 409,
      code: 'way_not_offered',
      message: 'The school does not take this way of paying. Please choose another.',
    }
    expect(await refused(payWith(parent, 'mtn', lines))).toMatchObject(refusal)
    await canteen.set({ enabled: false, beside: false })
    expect(await refused(payWith(parent, 'airtel', lines))).toMatchObject(refusal)
    expect(await refused(payWith(parent, undefined, lines))).toMatchObject({ code: 'payment_required' })
    expect(await parent.call(listOrders)).toEqual([])
  })

  test('an open card payment of the same day is given up for it, and neither way is taken twice', async () => {
    const { parent, child } = await written('joseph')
    const cartItems = [canteen.stewFor(child, 3)]
    const card = () => parent.call(createPayment, { body: { amount: 45.5, cartItems } })
    await card()
    const { orders } = await payWith(parent, 'bank', cartItems)
    expect(orders).toMatchObject([{ payBy: 'bank' }])
    expect(await refused(card())).toMatchObject({ code: 'lines_refused' })
    const live = await canteen.superadminClient.call(liveOrders, { query: { parent: 'joseph' } })
    expect(live.data.map(({ payBy, status }) => [payBy, status])).toEqual([
      ['bank', 'Orders created successfully'],
      ['card', 'Payment Abandoned'],
    ])
  })

  test('card and bank pressed at once end in one lunch at most, whichever was quicker', async () => {
    const { parent, child } = await written('bwalya')
    const cartItems = [canteen.stewFor(child, 4)]
    const answers = await Promise.allSettled([
      parent.call(createPayment, { body: { amount: 45.5, cartItems } }),
      payWith(parent, 'bank', cartItems),
      payWith(parent, 'airtel', cartItems),
    ])
    expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect(((await parent.call(listOrders)) as Order[]).length).toBeLessThanOrEqual(1)
  })

  test('without a way the bypass answers as ever, and its orders are paid for otherwise', async () => {
    await canteen.set({ enabled: true, beside: true })
    const { parent, child } = await written('chola')
    const { orders, payment } = await payWith(parent, undefined, [canteen.stewFor(child, 2)])
    expect(orders).toMatchObject([{ payBy: 'other' }])
    expect(payment!.instructions).toMatchObject({ airtelMoney: {}, bankTransfer: {} })
    const chosen = await payWith(parent, 'bank', [canteen.stewFor(child, 3)])
    expect(Object.keys(chosen.payment!.instructions)).toEqual(['message', 'bankTransfer'])
  })

  test('what is not sent is off, switching needs no password', async () => {
    const clerk = await canteen.administrator('clerk', 'settings')
    const { beside: _, unpaidUntil: __, ...before } = airtelAndBank
    const save = (more: object) =>
      clerk.call(savePaymentBypass, { body: { ...before, ...more } as PaymentBypass })
    expect(await save({ enabled: false })).toMatchObject({ beside: false, unpaidUntil: 'never' })
    expect(await save({ enabled: false, beside: true })).toMatchObject({ beside: true })
    expect(await save({ unpaidUntil: 'cutoff' })).toMatchObject({ unpaidUntil: 'cutoff' })
    expect(await refused(save({ unpaidUntil: 'friday' }))).toMatchObject({ status: 422 })
    expect(
      await refused(
        clerk.call(savePaymentBypass, {
          body: {
            ...airtelAndBank,
            mtnMoney: { name: 'M', number: '1' },
            currentPassword: superadminPassword,
          },
        }),
      ),
    ).toMatchObject({ code: 'wrong_current_password' })
  })
})

describe('unpaid meals', () => {
  let canteen: AlternativeCanteen
  /** Hundreds of meals, of which no job has to hear. */
  beforeAll(async () => {
    canteen = await openAlternativeCanteen({ ROLE: 'web' })
  })
  afterAll(() => canteen.close())
  beforeEach(async () => {
    await canteen.set({ enabled: true })
    await setMost(2)
  })

  const setMost = (maxUnpaidMeals: number) =>
    canteen.superadminClient.call(saveSecurity, {
      body: { requireSecondFactor: false, maxChildren: 12, maxUnpaidMeals },
    })
  /** Stews for a child on this many days of the cycle, of which Wednesday of week 2 is blocked. */
  const stews = (child: Student, count: number, from = 1) =>
    openDays.slice(from, from + count).map(([weekNumber, day]) => canteen.stewFor(child, day, { weekNumber }))
  const openDays = [1, 2, 3, 4]
    .flatMap((week) => [1, 2, 3, 4, 5].map((day): [number, number] => [week, day]))
    .filter(([week, day]) => week !== 2 || day !== 3)

  const tooMany = (message: string) => ({ status: 409, code: 'too_many_unpaid_meals', message })
  const pay = (parent: Client, lines: CartLine[]) =>
    parent.call(createPayment, { body: { amount: lines.length * 45.5, cartItems: lines } })

  test('a child has no more unpaid meals than the school allows, whoever is ordered for beside', async () => {
    const { parent, children } = await canteen.family('mwila', '9', '10')
    const [one, other] = children
    await order(parent, [canteen.stewFor(one!, 2), canteen.stewFor(other!, 2)])
    const answer = await refused(
      order(
        parent,
        [3, 4].map((day) => canteen.stewFor(one!, day)),
      ),
    )
    expect(answer).toMatchObject(
      tooMany(
        `${one!.name} would have 3 meals waiting for payment, and at most 2 may wait. ` +
          'Please pay for earlier meals or cancel some, or order fewer now.',
      ),
    )
    expect(await parent.call(listOrders)).toHaveLength(2)
    await order(parent, [canteen.stewFor(one!, 3), canteen.stewFor(other!, 3)])
  })

  test('what was paid for, cancelled or is free does not wait', async () => {
    const { parent, children } = await canteen.family('bupe', '9', '2')
    const [big, small] = children
    const { orders } = await order(
      parent,
      [2, 3].map((day) => canteen.stewFor(big!, day)),
    )
    expect(await refused(order(parent, [canteen.stewFor(big!, 4)]))).toMatchObject({ status: 409 })
    await canteen.verify([orders[0]!.id])
    await order(parent, [canteen.stewFor(big!, 4)])
    await parent.call(cancelOrder, { params: { id: orders[1]!.id } })
    await order(parent, [canteen.stewFor(big!, 5)])
    expect(
      await place(
        parent,
        [2, 3, 4].map((day) => canteen.porridgeFor(small!, day)),
      ),
    ).toHaveLength(3)
  })

  test('meals on the card provider’s page wait too; the same cart again does not count twice', async () => {
    const { parent, children } = await canteen.payingFamily('chola', '9')
    const stew = (day: number) => canteen.stewFor(children[0]!, day)
    await order(parent, [stew(2)])
    await canteen.set({ enabled: false })
    await pay(parent, [stew(3)])
    await pay(parent, [stew(3)])
    expect(await refused(pay(parent, [stew(4)]))).toMatchObject(tooMany(expect.stringContaining('3 meals')))
    await canteen.set({ enabled: true })
    expect(await refused(order(parent, [stew(4)]))).toMatchObject(tooMany(expect.stringContaining('3 meals')))
  })

  test('an earlier payment of the same day, which is given up for the new one, does not wait', async () => {
    const { parent, children } = await canteen.payingFamily('grace', '9')
    const stew = (day: number, more: Partial<CartLine> = {}) => canteen.stewFor(children[0]!, day, more)
    await canteen.set({ enabled: false })
    await pay(parent, [stew(2), stew(3)])
    await pay(parent, [stew(2, { comments: 'no salt' }), stew(3)])
    expect(await refused(pay(parent, [stew(4)]))).toMatchObject(tooMany(expect.stringContaining('3 meals')))
  })

  test('a child that was entered twice is one child', async () => {
    const { parent, children } = await canteen.family('limbani', '9', '9')
    const [twice, stays] = children
    await order(parent, [...stews(twice!, 1, 1), ...stews(stays!, 1, 2)])
    await canteen.superadminClient.call(mergeStudent, {
      params: { id: twice!.id },
      body: { intoId: stays!.id },
    })
    expect(await refused(order(parent, stews(stays!, 1, 3)))).toMatchObject(
      tooMany(expect.stringContaining('3 meals')),
    )
  })

  test('an account has at most 40 unpaid meals, whoever of its children they are for', async () => {
    await setMost(1000)
    const { parent, children } = await canteen.family('mutale', '9', '10', '11')
    const [one, two, three] = children
    const { orders } = await order(parent, [...stews(one!, 15), ...stews(two!, 15)])
    const message =
      'Your account has 30 unpaid meals, and would have 41 with these. At most 40 may wait. ' +
      'Please pay for earlier meals or cancel some, or order fewer now.'
    expect(await refused(order(parent, stews(three!, 11)))).toMatchObject(tooMany(message))
    await order(parent, stews(three!, 10))
    expect(await refused(order(parent, stews(three!, 1, 15)))).toMatchObject(
      tooMany(expect.stringContaining('has 40 unpaid meals')),
    )
    await canteen.verify([orders[0]!.id])
    await order(parent, stews(three!, 1, 15))
  })

  test('a cart of 41 is refused by itself; what is free or paid by card does not count for the account', async () => {
    await setMost(1000)
    const { parent, children } = await canteen.payingFamily('natasha', '9', '10', '11', '2')
    const [one, two, three, small] = children
    const cart = [...stews(one!, 15), ...stews(two!, 15), ...stews(three!, 11)]
    expect(await refused(order(parent, cart))).toMatchObject(tooMany(expect.stringContaining('have 41')))
    await order(parent, [...cart.slice(0, 40), canteen.porridgeFor(small!, 2)])
    await canteen.set({ enabled: false })
    await pay(parent, stews(three!, 1, 15))
  })

  test('checkouts of one account at the same moment have no more together', async () => {
    await setMost(1000)
    const { parent, children } = await canteen.family('thandi', '9', '10', '11')
    await order(parent, [...stews(children[0]!, 15), ...stews(children[1]!, 15)])
    const atOnce = await Promise.all(
      [1, 5, 9].map((from) => order(parent, stews(children[2]!, 4, from)).catch((error: unknown) => error)),
    )
    expect(atOnce.filter((answer) => answer instanceof CallRefused)).toMatchObject([
      { status: 409, body: { code: 'too_many_unpaid_meals' } },
    ])
    expect(await parent.call(listOrders)).toHaveLength(38)
  })
})
