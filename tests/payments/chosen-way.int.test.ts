import { type CartLine, listOrders, type Order, type PayWay, placeOrders } from '#contracts/ordering'
import { createPayment, getPaymentBypass, savePaymentBypass, type PaymentBypass } from '#contracts/payments'
import { liveOrders } from '#contracts/payments-console'
import { pendingPayments } from '#contracts/transfers'
import { addStudent } from '#contracts/identity'
import type { Client } from '../../src/app/demo/client'
import { refused } from '../ordering/canteen'
import { mailTo } from '../support/mails'
import { superadminPassword } from '../support/school'
import { openAlternativeCanteen, type AlternativeCanteen } from './alternative-canteen'
import { airtelAndBank } from './alternative-words'

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
  expect(await parent.call(getPaymentBypass)).toEqual({ ...airtelAndBank, enabled: false, beside: true })
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
    message: 'The school does not take this way to pay. Please choose another one.',
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
        body: { ...airtelAndBank, mtnMoney: { name: 'M', number: '1' }, currentPassword: superadminPassword },
      }),
    ),
  ).toMatchObject({ code: 'wrong_current_password' })
})
