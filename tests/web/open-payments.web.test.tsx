import { screen, waitFor, within } from '@testing-library/react'
import { openPayments, type OpenPayment } from '#contracts/payments'
import { refusal, type FakeServer } from './admin/fake-server'
import { freshPortal, openPortal } from './open-portal'
import { order, parent } from './sample-family'

const payment = (more: Partial<OpenPayment> = {}): OpenPayment => ({
  reference: 'LP-7K3QW9',
  amount: 45.5,
  payBy: 'airtel',
  placedAt: '2026-09-14T06:05:00.000Z',
  lapsesAt: null,
  orders: [order({ payBy: 'airtel', paymentStatus: 'pending' })],
  instructions: {
    message: 'Pay with Airtel Money and give the reference.',
    airtelMoney: { name: 'Lusaka Test School', number: '0970 000 001' },
  },
  ...more,
})

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
  server.on(openPayments, { data: [payment()] })
})

const region = async () => within(await screen.findByRole('region', { name: 'Still to be paid' }))

test('the home says what is still to be paid, how, and until when', async () => {
  openPortal('/', parent)
  const banner = await region()
  for (const text of ['1 meal still to be paid', 'K45.50', 'LP-7K3QW9', 'Airtel Money', '0970 000 001'])
    expect(banner.getByText(text)).toBeInTheDocument()
  expect(banner.getByText(/This stays here until we have seen it/)).toBeInTheDocument()
})

test('one press copies the reference', async () => {
  const hands = openPortal('/', parent)
  await hands.click((await region()).getByRole('button', { name: 'Copy the reference LP-7K3QW9' }))
  await screen.findByText('The reference LP-7K3QW9 can be pasted now.')
  expect(await navigator.clipboard.readText()).toBe('LP-7K3QW9')
})

test('Order History begins with it, and names the meals', async () => {
  server.on(openPayments, {
    data: [
      payment(),
      payment({
        reference: 'LP-2345AB',
        payBy: 'bank',
        lapsesAt: '2026-09-15T06:00:00.000Z',
        instructions: {
          message: 'Pay',
          bankTransfer: {
            bankName: 'Zanaco',
            accountName: 'Tuckshop',
            accountNumber: '0012345',
            branchName: '',
            swiftCode: '',
          },
        },
      }),
    ],
  })
  openPortal('/?tab=orders', parent)
  const heading = await screen.findByRole('heading', { name: 'Still to be paid' })
  const card = within(heading.closest('.card') as HTMLElement)
  expect(card.getAllByText(/Stew for Chanda/)).toHaveLength(2)
  expect(card.getByText('0012345')).toBeInTheDocument()
  expect(card.getByText('Tuckshop, Zanaco')).toBeInTheDocument()
  expect(card.getByText(/To be paid until .*08:00/)).toBeInTheDocument()
})

test.each([
  ['where nothing is open', { data: [] }],
  ['where nobody answers', () => refusal(503, 'unavailable', 'Away')],
])('%s there is no banner', async (_name, answer) => {
  server.on(openPayments, answer as { data: [] })
  openPortal('/', parent)
  await waitFor(() => expect(server.asked(openPayments).length).toBeGreaterThan(0))
  expect(screen.queryByText(/still to be paid/i)).not.toBeInTheDocument()
})
