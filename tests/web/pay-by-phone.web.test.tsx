import { act, screen, waitFor } from '@testing-library/react'
import { getCredit } from '#contracts/credit'
import { updateProfile } from '#contracts/identity'
import { placeOrders } from '#contracts/ordering'
import {
  createPayment,
  getPaymentBypass,
  promptAgain,
  recordAttempt,
  verifyPayment,
} from '#contracts/payments'
import { redirectTo } from '../../web/features/cart/checkout/card-redirect'
import { type FakeServer, refusal } from './admin/fake-server'
import { created, freshTill, openCart, pay, said } from './card-cart'
import { freshPortal, messageOf, press, shownAddress } from './open-portal'
import { attempt, heading, mealOn, openPage, pass, pressNow, token, unpaid } from './payment-page'
import './admin/browser-gaps'
import { order, parent } from './sample-family'

jest.mock('../../web/features/cart/checkout/card-redirect', () => ({ redirectTo: jest.fn() }))

const noNumber = { name: '', number: '' }
const settings = {
  enabled: false,
  beside: true,
  prompt: true,
  unpaidUntil: 'never' as const,
  airtelMoney: { name: 'Tuckshop', number: '0971' },
  mtnMoney: noNumber,
  bankTransfer: { bankName: '', accountName: '', accountNumber: '12', branchName: '', swiftCode: '' },
}
const prompt = {
  phone: '+260 97• ••• 456',
  network: 'airtel' as const,
  instructions: 'Enter your PIN',
  expiresAt: new Date(Date.now() + 300_000).toISOString(),
  againAt: new Date(0).toISOString(),
}

describe('the cart', () => {
  let server: FakeServer
  beforeEach(() => {
    ;({ server } = freshTill())
    server.on(getPaymentBypass, settings)
    server.on(createPayment, { ...created, prompt })
  })
  const question = () => screen.findByRole('combobox', { name: 'How do you want to pay?' })
  const number = () => screen.findByRole('textbox', { name: 'Number to pay from' })

  test('offers both networks as paid at once, whatever their numbers, and the bank', async () => {
    await openCart()
    expect([...((await question()) as HTMLSelectElement).options].map(({ text }) => text)).toEqual([
      'Choose',
      'Card',
      'Airtel Money',
      'MTN Money',
      'Bank transfer',
    ])
  })

  test('asks for the number, refuses what is none, and leads to the waiting screen', async () => {
    const hands = await openCart()
    await hands.selectOptions(await question(), 'Airtel Money')
    const field = await number()
    await hands.clear(field)
    await hands.type(field, '0977 12')
    await pay(hands)
    expect(field).toHaveFocus()
    expect(messageOf(field)).toBe('Please enter a mobile number such as 0977 123 456')
    expect(server.asked(createPayment)).toHaveLength(0)
    await hands.type(field, '3 456')
    await pay(hands)
    await waitFor(() =>
      expect(redirectTo).toHaveBeenCalledWith(`http://localhost/payment/phone?TransID=${token}`),
    )
    expect(server.asked(createPayment)[0]?.body).toMatchObject({
      paymentMethod: 'airtel',
      customerPhone: '0977 123 456',
    })
    expect(server.asked(placeOrders)).toHaveLength(0)
  })

  test('needs no email address for it', async () => {
    const hands = await openCart([mealOn(1)], { ...parent, email: null, contactNeeded: 'email' })
    await hands.selectOptions(await question(), 'MTN Money')
    const field = await number()
    await hands.clear(field)
    await hands.type(field, '0966123456')
    await pay(hands)
    await waitFor(() => expect(server.asked(createPayment)).toHaveLength(1))
  })

  test('asks for one only after card or bank was chosen, in place of the number; Place Order saves it and goes on', async () => {
    server.on(createPayment, created)
    const nobody = { ...parent, email: null, contactNeeded: 'email' as const }
    const hands = await openCart([mealOn(1)], nobody)
    const email = () => screen.queryByRole('textbox', { name: 'Email Address' })
    await question()
    expect(email()).not.toBeInTheDocument()
    await pay(hands)
    expect(await question()).toHaveFocus()
    expect(screen.queryByText('Email Required')).not.toBeInTheDocument()
    await hands.selectOptions(await question(), 'Airtel Money')
    await number()
    expect(email()).not.toBeInTheDocument()
    await hands.selectOptions(await question(), 'Bank transfer')
    expect(email()).toBeInTheDocument()
    await hands.selectOptions(await question(), 'Card')
    await pay(hands)
    await waitFor(() => expect(messageOf(email()!)).toBe('Please enter a valid email address'))
    expect(email()).toHaveFocus()
    expect(email()).toHaveAccessibleDescription(/For the receipt/)
    await hands.type(email()!, 'mwila@example.com')
    server.on(updateProfile, ({ body }) => {
      if ((body as { currentPassword?: string }).currentPassword === 'secret') return parent
      const fields = { currentPassword: 'Current password is incorrect' }
      return refusal(400, 'wrong_current_password', fields.currentPassword, { fields })
    })
    await pay(hands)
    await hands.type(await screen.findByLabelText('Your password'), 'secret')
    await press(hands, 'Save')
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith(created.paymentUrl))
    expect(server.asked(updateProfile).at(-1)?.body).toMatchObject({ email: 'mwila@example.com' })
    expect(server.asked(createPayment)[0]?.body).toMatchObject({ customerEmail: 'mwila@example.com' })
  })

  test('asks for none where nothing is left to pay', async () => {
    const nobody = { ...parent, email: null, contactNeeded: 'email' as const }
    server.on(getCredit, { balance: 100, held: 0, entries: [] })
    server.on(createPayment, () => refusal(422, 'email_required', 'Please add an email address'))
    server.on(placeOrders, { orders: [order()], payment: null })
    const hands = await openCart([mealOn(1)], nobody)
    await said('Use K45.00 credit')
    expect(screen.queryByRole('textbox', { name: 'Email Address' })).not.toBeInTheDocument()
    await pay(hands)
    await said('Order placed')
  })

  test('says that the network cannot be reached, and keeps the cart', async () => {
    const text = 'Airtel Money cannot be reached at the moment. Choose another way to pay; nothing was taken.'
    server.on(createPayment, () => refusal(409, 'prompt_unavailable', text))
    const hands = await openCart()
    await hands.selectOptions(await question(), 'Airtel Money')
    const field = await number()
    await hands.clear(field)
    await hands.type(field, '0977123456')
    await pay(hands)
    await said('Choose another way to pay')
    await said(text)
  })
})

describe('the waiting screen', () => {
  let server: FakeServer
  beforeEach(() => {
    jest.useFakeTimers()
    server = freshPortal()
    server.on(recordAttempt, { ...attempt('initiated'), payBy: 'airtel', prompt })
    server.on(verifyPayment, unpaid('initiated', '900'))
  })
  afterEach(() => jest.useRealTimers())
  const open = () => openPage(`/payment/phone?TransID=${token}`)

  test('says what to do, to which number, how much and how long', async () => {
    await open()
    expect(heading()).toBe('Look at your phone and enter your PIN')
    for (const text of ['K45.00', '+260 97• ••• 456', 'Enter your PIN'])
      expect(screen.getByText(text)).toBeInTheDocument()
    expect(screen.getByRole('timer')).toHaveTextContent(/^\d:\d\d$/)
    expect(screen.queryByText('Open the phone of this demonstration')).not.toBeInTheDocument()
  })

  test('asks every 4 s, then slower, and not while the page is hidden', async () => {
    await open()
    const before = server.asked(verifyPayment).length
    await pass(12_000)
    const quick = server.asked(verifyPayment).length - before
    expect(quick).toBeGreaterThanOrEqual(2)
    await pass(180_000)
    const late = server.asked(verifyPayment).length
    await pass(12_000)
    expect(server.asked(verifyPayment).length - late).toBeLessThan(quick)
    const visible = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    const hidden = server.asked(verifyPayment).length
    await pass(120_000)
    expect(server.asked(verifyPayment).length).toBe(hidden)
    visible.mockRestore()
  })

  test('goes on as a paid card does', async () => {
    await open()
    server.on(verifyPayment, { success: true, message: 'Transaction Paid', attention: [] })
    await pass(5_000)
    expect(shownAddress()).toContain('/payment/success')
  })

  test.each([
    ['901', 'Declined by the customer', 'You did not approve the payment. Nothing was taken.'],
    ['901', 'Wrong PIN', 'The PIN was wrong. Nothing was taken.'],
    ['901', 'Insufficient funds', 'There was not enough money on this number. Nothing was taken.'],
    ['903', '', 'The time to answer ran out. Nothing was taken.'],
    ['904', '', 'The payment was cancelled. Nothing was taken.'],
  ])('%s %s is said at once', async (Result, ResultExplanation, text) => {
    server.on(verifyPayment, { ...unpaid('failed', Result, Result === '901'), ResultExplanation })
    await open()
    expect(heading()).toBe('Not paid yet')
    expect(screen.getByText(text)).toBeInTheDocument()
    const asked = server.asked(verifyPayment).length
    await pass(60_000)
    expect(server.asked(verifyPayment)).toHaveLength(asked)
  })

  test('sends it again', async () => {
    server.on(verifyPayment, unpaid('failed', '901', true))
    await open()
    const reply = { ...unpaid('initiated', '900'), prompt }
    server.on(promptAgain, reply)
    server.on(verifyPayment, unpaid('initiated', '900'))
    await pressNow('Send again')
    await pass(100)
    expect(server.asked(promptAgain)).toHaveLength(1)
    expect(heading()).toBe('Look at your phone and enter your PIN')
  })

  test('counts down while another would be refused', async () => {
    const againAt = new Date(Date.now() + 5_000).toISOString()
    server.on(recordAttempt, { ...attempt('initiated'), payBy: 'airtel', prompt: { ...prompt, againAt } })
    await open()
    expect(screen.getByRole('button', { name: /^Send again in [45] s$/ })).toBeDisabled()
    await pass(6_000)
    expect(screen.getByRole('button', { name: 'Send again' })).toBeEnabled()
  })

  test('says why it was not sent again', async () => {
    const text =
      'A prompt is waiting on the phone. Answer it there, or wait a minute before another one is sent.'
    server.on(promptAgain, () => refusal(409, 'prompt_waiting', text))
    await open()
    await pressNow('Send again')
    await pass(100)
    expect(screen.getByRole('alert')).toHaveTextContent(text)
  })

  test('leads to the cart for another way', async () => {
    await open()
    await pressNow('Choose another way to pay')
    expect(shownAddress()).toBe('/?tab=cart')
  })

  test('without a payment', async () => {
    await openPage('/payment/phone')
    expect(heading()).toBe('Missing transaction ID')
  })
})
