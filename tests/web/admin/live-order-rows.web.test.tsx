import { screen, waitFor, within } from '@testing-library/react'
import { liveOrders } from '#contracts/payments-console'
import { type FakeServer, fakeServer } from './fake-server'
import { adminWith, openConsole } from './open-console'
import { liveAttempt, livePage } from './sample-payments'

const office = adminWith('live_orders')
let server: FakeServer
const serve = (...orders: Parameters<typeof livePage>[0]) => server.on(liveOrders, livePage(orders))
const table = async () => within(await screen.findByRole('table', { name: 'Payment attempts' }))

describe('a row of Live Orders', () => {
  beforeEach(() => {
    server = fakeServer()
  })

  test('a row names the parent and our reference', async () => {
    serve(liveAttempt('1', { transactionId: null, payBy: 'airtel' }), liveAttempt('2', { parentName: '' }))
    openConsole('/', office)
    const first = within((await table()).getByRole('row', { name: /LP-1/ }))
    expect(first.getByText('Mary Banda')).toBeInTheDocument()
    expect(first.queryByText('None')).not.toBeInTheDocument()
    const second = within((await table()).getByRole('row', { name: /LP-2/ }))
    expect(second.getByText('TOKEN-2')).toBeInTheDocument()
  })

  test('opened it says which phone paid', async () => {
    serve(liveAttempt('1', { payBy: 'airtel', paidFrom: { phone: '+260 97• ••• 456', own: false } }))
    const user = openConsole('/', office)
    await user.click(await screen.findByRole('button', { name: /^Show the lines/ }))
    expect(screen.getByText("Paid from +260 97• ••• 456, not the family's number")).toBeInTheDocument()
  })

  test.each([
    [{ state: 'unpaid', unpaid: 90 }, 'Not paid', 'Not paid yet', 'bg-accent-500'],
    [{ state: 'unpaid', unpaid: 45 }, 'Part paid', 'K45.00 not paid yet', 'bg-accent-500'],
    [{ state: 'cancelled', unpaid: 0 }, 'Cancelled', 'Cancelled, not paid', 'bg-sand-400'],
    [{ state: 'paid', unpaid: 0 }, 'Paid', null, 'bg-brand-600'],
  ] as const)(
    'of mobile money %j says "%s", opened "%s", and is green only when paid',
    async (transfer, word, words, dot) => {
      serve(liveAttempt('1', { kind: 'alternative', payBy: 'airtel', transactionId: null, transfer }))
      const user = openConsole('/', office)
      const status = (await table()).getByText(word)
      expect(status.parentElement!.querySelector('[aria-hidden]')).toHaveClass(dot)
      await user.click(screen.getByRole('button', { name: /^Show the lines/ }))
      expect(screen.getByText('Orders created successfully', { selector: 'span' })).toBeInTheDocument()
      if (words) expect((await table()).getByText(words)).toBeInTheDocument()
      else expect((await table()).queryByText(/not paid/i)).not.toBeInTheDocument()
    },
  )

  test.each([
    ['Payment Initiated', 'Started'],
    ['Processing Started', 'Processing'],
    ['Failed', 'Failed'],
    ['Payment Abandoned', 'Abandoned'],
  ] as const)('of %s the row says "%s", and the details the whole status', async (status, word) => {
    serve(liveAttempt('1', { status }))
    const user = openConsole('/', office)
    expect((await table()).getByText(word)).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: /^Show the lines/ }))
    expect((await table()).getByText(status, { selector: '.text-sm > span' })).toBeInTheDocument()
  })

  test('a failed one whose meals were paid since says with what, when it is opened', async () => {
    serve(
      liveAttempt('1', { status: 'Failed', paidWith: ['LP-7', 'LP-8'] }),
      liveAttempt('2', { status: 'Failed', paidWith: [] }),
    )
    const user = openConsole('/', office)
    expect((await table()).getAllByText('Paid since')).toHaveLength(2)
    for (const opener of screen.getAllByRole('button', { name: /^Show the lines/ })) await user.click(opener)
    expect((await table()).getByText('Paid since with LP-7, LP-8')).toBeInTheDocument()
    expect((await table()).getByText('Ordered again since')).toBeInTheDocument()
  })

  test('is asked for by what is not paid yet', async () => {
    serve()
    openConsole('/?status=Not+paid+yet', office)
    expect(await screen.findByLabelText('Status')).toHaveProperty('value', 'Not paid yet')
    await waitFor(() => expect(server.asked(liveOrders)[0]?.query.status).toBe('Not paid yet'))
  })
})
