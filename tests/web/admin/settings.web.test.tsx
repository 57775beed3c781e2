import { screen, waitFor } from '@testing-library/react'
import { getBooksSettings, saveBooksSettings, type BooksSettings } from '#contracts/books'
import { listDiscountCodes } from '#contracts/order-reports'
import { getPaymentBypass, savePaymentBypass, type PaymentBypass } from '#contracts/payments'
import { fakeServer, FakeRefusal, refusal, type FakeServer } from './fake-server'
import { onePage } from './sample-settings'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'

const office = adminWith('settings')
let server: FakeServer

const off: PaymentBypass = {
  enabled: false,
  beside: false,
  unpaidUntil: 'never',
  airtelMoney: { name: '', number: '' },
  mtnMoney: { name: '', number: '' },
  bankTransfer: { bankName: '', accountName: '', accountNumber: '', branchName: '', swiftCode: '' },
}
const on: PaymentBypass = {
  ...off,
  enabled: true,
  beside: false,
  unpaidUntil: 'never',
  airtelMoney: { name: 'School', number: '0977 1' },
}

const books: BooksSettings = {
  tpin: '',
  address: '',
  vatPercent: null,
  refundApprovalAbove: null,
  cardRefunds: false,
}

beforeEach(() => {
  server = fakeServer()
  server.on(getPaymentBypass, off)
  server.on(getBooksSettings, books)
  server.on(saveBooksSettings, ({ body }) => body as BooksSettings)
  server.on(listDiscountCodes, { data: [], metadata: { ...onePage, total: 0 } })
  server.on(savePaymentBypass, ({ body }) => body as PaymentBypass)
})
afterEach(forgetToasts)

const openPayments = () => openConsole('/settings?tab=payment-settings', office)
const save = async (user: ReturnType<typeof openConsole>) =>
  user.click(await screen.findByRole('button', { name: 'Save Payment Settings' }))

describe('the tabs', () => {
  test.each(['/settings', '/?section=settings'])('at %s start with the discount codes', async (address) => {
    openConsole(address, office)
    expect(await screen.findByText('No discount codes yet')).toBeInTheDocument()
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'Discount Codes',
      'Order Settings',
      'Payment Settings',
      'Communication',
      'Messages',
      'Security',
    ])
  })

  test('the chosen one is in the address', async () => {
    const user = openConsole('/settings', office)
    await user.click(await screen.findByRole('tab', { name: 'Payment Settings' }))
    expect(await screen.findByRole('switch', { name: 'Alternative payments' })).toBeInTheDocument()
    expect(shownAddress()).toBe('/settings?tab=payment-settings')
    await user.click(screen.getByRole('tab', { name: 'Discount Codes' }))
    expect(shownAddress()).toBe('/settings')
  })
})

describe('alternative payments', () => {
  test('details are shown only when enabled', async () => {
    const user = openPayments()
    const toggle = await screen.findByRole('switch', { name: 'Alternative payments' })
    expect(toggle).toHaveAttribute('aria-checked', 'false')
    expect(screen.queryByText('Airtel Money')).not.toBeInTheDocument()
    await user.click(toggle)
    for (const title of ['Airtel Money', 'MTN Money', 'Bank Transfer'])
      expect(screen.getByRole('group', { name: title })).toBeInTheDocument()
    for (const label of ['Bank name', 'Account number', 'Branch name', 'SWIFT code'])
      expect(screen.getByLabelText(label)).toBeInTheDocument()
  })

  test('are switched on and saved with what was typed', async () => {
    const user = openPayments()
    await user.click(await screen.findByRole('switch', { name: 'Alternative payments' }))
    await user.type(screen.getAllByLabelText('Number')[1]!, ' 0966 1 ')
    await user.type(screen.getByLabelText('SWIFT code'), 'ZNCO')
    await save(user)
    expect(await screen.findByText('Payment bypass settings saved successfully')).toBeInTheDocument()
    expect(server.asked(savePaymentBypass)[0]?.body).toEqual({
      ...off,
      enabled: true,
      mtnMoney: { name: '', number: '0966 1' },
      bankTransfer: { ...off.bankTransfer, swiftCode: 'ZNCO' },
    })
  })

  test('stand beside the card, with the same details', async () => {
    const user = openPayments()
    await user.click(await screen.findByRole('switch', { name: 'Mobile money and bank beside the card' }))
    expect(screen.getByText('Families choose in their cart how they want to pay')).toBeInTheDocument()
    await user.type(screen.getAllByLabelText('Number')[0]!, '0977 1')
    await save(user)
    await waitFor(() =>
      expect(server.asked(savePaymentBypass)[0]?.body).toEqual({
        ...off,
        beside: true,
        airtelMoney: { name: '', number: '0977 1' },
      }),
    )
  })

  test('may let unpaid meals lapse, and keep them again', async () => {
    const user = openPayments()
    await user.click(await screen.findByRole('switch', { name: 'Mobile money and bank beside the card' }))
    const lapsing = screen.getByRole('switch', { name: 'Cancel unpaid meals at the cutoff of their day' })
    await user.click(lapsing)
    expect(screen.getByText(/Its family is told a day before/)).toBeInTheDocument()
    await save(user)
    await waitFor(() =>
      expect(server.asked(savePaymentBypass)[0]?.body).toEqual({
        ...off,
        beside: true,
        unpaidUntil: 'cutoff',
      }),
    )
    await user.click(screen.getByRole('switch', { name: 'Cancel unpaid meals at the cutoff of their day' }))
    await save(user)
    await waitFor(() => expect(server.asked(savePaymentBypass)[1]?.body).toEqual({ ...off, beside: true }))
  })

  test('that are off show lapsing only while it is still on', async () => {
    server.on(getPaymentBypass, { ...off, unpaidUntil: 'cutoff' })
    const user = openPayments()
    await user.click(
      await screen.findByRole('switch', { name: 'Cancel unpaid meals at the cutoff of their day' }),
    )
    expect(
      screen.queryByRole('switch', { name: 'Cancel unpaid meals at the cutoff of their day' }),
    ).not.toBeInTheDocument()
  })

  test('switched off, their details are kept', async () => {
    server.on(getPaymentBypass, on)
    const user = openPayments()
    expect(await screen.findByDisplayValue('0977 1')).toBeInTheDocument()
    await user.click(screen.getByRole('switch', { name: 'Alternative payments' }))
    await save(user)
    await waitFor(() => expect(server.asked(savePaymentBypass)[0]?.body).toEqual({ ...on, enabled: false }))
  })

  test('without any number to pay to, a warning says so', async () => {
    server.on(getPaymentBypass, { ...on, airtelMoney: { name: 'School', number: '' } })
    const user = openPayments()
    expect(await screen.findByText('No number to pay to')).toBeInTheDocument()
    await user.type(screen.getByLabelText('Account number'), '1')
    expect(screen.queryByText('No number to pay to')).not.toBeInTheDocument()
  })

  test('that could not be read say so', async () => {
    server.on(getPaymentBypass, () => refusal(503, 'unavailable', 'The database is away'))
    openPayments()
    expect(await screen.findByText('Failed to fetch payment bypass settings')).toBeInTheDocument()
  })

  test.each([
    [
      'the words of the server',
      () => refusal(503, 'unavailable', 'The database is away'),
      'The database is away',
    ],
    [
      'its own words without them',
      () => {
        throw new FakeRefusal(502, null)
      },
      'Failed to save payment bypass settings',
    ],
  ])('that could not be saved show %s', async (_name, answer, text) => {
    server.on(getPaymentBypass, on)
    server.on(savePaymentBypass, answer)
    const user = openPayments()
    await save(user)
    expect(await screen.findByText(text)).toBeInTheDocument()
    expect(screen.getByText('Error', { selector: '[data-state] p' })).toBeInTheDocument()
  })
})

describe('receipts and refunds', () => {
  test('have what stands on receipts and how money goes back; an empty number is none', async () => {
    const hands = openPayments()
    await hands.type(await screen.findByLabelText('TPIN'), '1001234567')
    await hands.type(screen.getByLabelText('Address'), 'Church Road')
    await hands.type(screen.getByLabelText('VAT included in prices (%)'), '16')
    await hands.click(screen.getByRole('switch', { name: 'Refunds can be sent back to the card' }))
    await hands.click(screen.getByRole('button', { name: 'Save Receipts and Refunds' }))
    const saved = { ...books, tpin: '1001234567', address: 'Church Road', vatPercent: 16, cardRefunds: true }
    await waitFor(() => expect(server.asked(saveBooksSettings)[0]?.body).toEqual(saved))
    expect(await screen.findByText('Receipts and refunds saved successfully')).toBeInTheDocument()
  })

  test('say what is wrong with a number', async () => {
    const hands = openPayments()
    await hands.type(await screen.findByLabelText('VAT included in prices (%)'), '101')
    await hands.click(screen.getByRole('button', { name: 'Save Receipts and Refunds' }))
    expect(await screen.findByText(/VAT must be a percentage above 0 and up to 100/)).toBeInTheDocument()
    expect(server.asked(saveBooksSettings)).toEqual([])
  })
})
