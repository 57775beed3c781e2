import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { openPayments, type OpenPayment } from '#contracts/payments'
import { type FakeServer, refusal } from './admin/fake-server'
import { freshPortal, openPortal } from './open-portal'
import { order, parent } from './sample-family'

describe('open payments', () => {
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

  const openHow = async (address = '/') => {
    const hands = openPortal(address, parent)
    await hands.click((await region()).getByRole('button', { name: /to pay/ }))
    return { hands, dialog: within(await screen.findByRole('dialog', { name: 'How to pay' })) }
  }
  const bank = payment({
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
  })

  test('the home says in one line how much is still to be paid, and until when', async () => {
    openPortal('/', parent)
    expect((await region()).getByRole('button', { name: 'K45.50 to pay for 1 meal' })).toBeInTheDocument()
    cleanup()
    server.on(openPayments, { data: [payment(), bank] })
    openPortal('/', parent)
    const line = (await region()).getByRole('button')
    expect(line).toHaveAccessibleName(/^K91\.00 to pay until Tue 15 Sept?, 08:00$/)
  })

  test('a press says how: amount, reference, number, meals and deadline of each payment', async () => {
    server.on(openPayments, { data: [payment(), bank] })
    const { dialog } = await openHow('/?tab=orders')
    expect(dialog.getAllByText(/Stew for Chanda/)).toHaveLength(2)
    for (const text of ['LP-7K3QW9', '0970 000 001', 'Lusaka Test School', '0012345', 'Tuckshop, Zanaco'])
      expect(dialog.getByText(text)).toBeInTheDocument()
    expect(
      dialog.getByText('This stays on your home page until we have seen your payment.'),
    ).toBeInTheDocument()
    expect(dialog.getByText(/^Pay until .*08:00\. A meal that is not paid for by then/)).toBeInTheDocument()
  })

  test.each([
    ['the reference LP-7K3QW9', 'LP-7K3QW9'],
    ['the Airtel Money number 0970 000 001', '0970 000 001'],
  ])('one press copies %s', async (what, value) => {
    const { hands, dialog } = await openHow()
    await hands.click(dialog.getByRole('button', { name: `Copy ${what}` }))
    await screen.findByText(`You can paste ${what} now.`)
    expect(await navigator.clipboard.readText()).toBe(value)
  })

  test('the menu waits until it is known, so that nothing jumps', async () => {
    let answer: (reply: { data: OpenPayment[] }) => void = () => undefined
    server.on(openPayments, () => new Promise((resolve) => (answer = resolve)))
    openPortal('/', parent)
    await waitFor(() => expect(server.asked(openPayments)).toHaveLength(1))
    expect(screen.queryByRole('heading', { name: /Monday/ })).not.toBeInTheDocument()
    act(() => answer({ data: [payment()] }))
    expect(await screen.findByRole('heading', { name: /Monday 14/ })).toBeInTheDocument()
    expect(screen.getByRole('region', { name: 'Still to be paid' })).toBeInTheDocument()
  })

  test.each([
    ['where nothing is open', { data: [] }],
    ['where nobody answers', () => refusal(503, 'unavailable', 'Away')],
  ])('%s there is no banner', async (_name, answer) => {
    server.on(openPayments, answer as { data: [] })
    openPortal('/', parent)
    await waitFor(() => expect(server.asked(openPayments).length).toBeGreaterThan(0))
    expect(await screen.findByRole('heading', { name: /Monday 14/ })).toBeInTheDocument()
    expect(screen.queryByRole('region', { name: 'Still to be paid' })).not.toBeInTheDocument()
  })
})
