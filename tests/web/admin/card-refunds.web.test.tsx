import { screen, within } from '@testing-library/react'
import {
  listPayouts,
  checkCardRefund,
  listRefunds,
  refundToCard,
  type ListedRefund,
} from '#contracts/refunds'
import { fakeServer, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
import { mayComplete, mayNothing, ofMary } from './sample-payments'
import { onePage } from './sample-settings'

const office = adminWith('refunds')
let server: FakeServer

const free = { ...mayComplete, card: true }
const held = mayNothing

const owed = (more: Partial<ListedRefund> = {}): ListedRefund => ({
  id: '11.2026-09-16.1',
  orderDate: '2026-09-14T07:00:00.000Z',
  student: { name: 'Anna', grade: '4' },
  menuItem: { name: 'Beef Stew' },
  amount: 45.5,
  status: 'cancelled',
  reason: 'Order cancelled',
  dueSince: '2026-09-15T07:00:00.000Z',
  ...ofMary,
  payBy: 'card',
  allowed: free,
  ...more,
})
const shows = (refund: ListedRefund) =>
  server.on(listRefunds, { data: [refund], metadata: { ...onePage, total: 1 } })

beforeEach(() => {
  server = fakeServer()
  server.on(listPayouts, { data: [] })
})
afterEach(forgetToasts)

type Hands = ReturnType<typeof openConsole>
const press = async (user: Hands, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }))
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

describe('a refund to the card', () => {
  test.each([
    ['pending', 'Somebody at the card provider has to release it.', 'Back to the card: under way'],
    ['failed', 'The card provider refused it: Refund failed (999)', 'Not back on the card'],
    ['done', null, 'Back on the card'],
  ] as const)('is asked for once more, and told as %s', async (state, reason, title) => {
    shows(owed())
    server.on(refundToCard, { state, reason })
    const user = openConsole('/', office)
    await press(user, 'Back to the Card: Beef Stew for Anna')
    const asking = await dialog('Back to the card?')
    expect(asking.getByText(/^K45\.50 for Beef Stew, ordered for Anna, goes back/)).toBeInTheDocument()
    await user.click(asking.getByRole('button', { name: 'Back to the Card' }))
    expect(await screen.findByText(title)).toBeInTheDocument()
    if (reason) expect(screen.getByText(reason)).toBeInTheDocument()
    expect(server.asked(refundToCard)).toMatchObject([{ params: { id: '11.2026-09-16.1' } }])
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  test('of mobile money says that all of the payment goes back', async () => {
    shows(owed({ payBy: 'airtel' }))
    server.on(refundToCard, { state: 'done', reason: null })
    const user = openConsole('/', office)
    await press(user, /^Back to the Phone:/)
    const asking = await dialog('Back to the phone?')
    expect(asking.getByText(/goes back by Airtel Money with all else of its payment/)).toBeInTheDocument()
    await user.click(asking.getByRole('button', { name: 'Back to the Phone' }))
    expect(server.asked(refundToCard)).toHaveLength(1)
  })

  test('that the server refuses says why', async () => {
    shows(owed())
    server.on(refundToCard, () => refusal(503, 'card_provider_silent', 'The card provider does not answer'))
    const user = openConsole('/', office)
    await press(user, /^Back to the Card:/)
    await user.click((await dialog('Back to the card?')).getByRole('button', { name: 'Back to the Card' }))
    expect(await screen.findByText('The card provider does not answer')).toBeInTheDocument()
  })

  test('is the main act where it is possible, else the record of it is', async () => {
    const main = async () =>
      (await screen.findAllByRole('button', { name: /: Beef Stew for Anna$/ }))
        .filter((button) => button.classList.contains('btn-primary'))
        .map((button) => button.textContent)
    const byHand = owed({ id: '12.2026-09-16.1', allowed: { ...free, card: false } })
    server.on(listRefunds, { data: [owed(), byHand], metadata: { ...onePage, total: 2 } })
    openConsole('/', office)
    expect(await main()).toEqual(['Back to the Card', 'Mark as Refunded'])
  })

  test('is offered only where it is allowed', async () => {
    shows(owed({ allowed: { ...free, card: false } }))
    openConsole('/', office)
    expect(await screen.findByRole('button', { name: /^Mark as Refunded:/ })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: /^Back to the Card:/ })).not.toBeInTheDocument()
  })

  test('that is under way is told in words, and nothing can be pressed', async () => {
    shows(
      owed({ card: { state: 'requested', reason: 'The card provider has not said yet.' }, allowed: held }),
    )
    openConsole('/', office)
    expect(await screen.findByText('Back to the card: not known yet')).toBeInTheDocument()
    expect(screen.getByText('The card provider has not said yet.')).toBeInTheDocument()
    for (const name of [/^Mark as Refunded/, /^Back to the Card/, /^Turn into Credit/])
      expect(screen.queryByRole('button', { name })).not.toBeInTheDocument()
  })
})

test('a refund that went back names its credit note', async () => {
  shows(owed({ status: 'refunded', creditNote: 'CN2026-000012', allowed: held }))
  openConsole('/', office)
  expect(await screen.findByText('Credit note CN2026-000012')).toBeInTheDocument()
})

describe('one that stayed unclear', () => {
  test.each([
    ['Refunded', 'Was it refunded?', 'done', 'Refund completed'],
    ['Not Refunded', 'Was it not refunded?', 'failed', 'Owed again'],
  ] as const)('is ended by a person: %s', async (button, title, outcome, told) => {
    const card = { state: 'check', reason: 'Look in its portal.' } as const
    shows(owed({ card, allowed: { ...held, check: true } }))
    server.on(checkCardRefund, { state: outcome, reason: null })
    const user = openConsole('/', office)
    await press(user, `${button}: Beef Stew for Anna`)
    const asking = await dialog(title)
    await user.type(asking.getByLabelText('Note (optional)'), 'Seen')
    await user.click(asking.getByRole('button', { name: button }))
    expect(await screen.findByText(told)).toBeInTheDocument()
    expect(server.asked(checkCardRefund)).toMatchObject([{ body: { outcome, note: 'Seen' } }])
  })
})
