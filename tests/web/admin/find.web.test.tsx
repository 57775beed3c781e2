import { screen, waitFor, within } from '@testing-library/react'
import { listParents } from '#contracts/accounts'
import { getParentCredit } from '#contracts/credit'
import type { ReplyOf } from '#contracts/endpoint'
import { getFamily, type FamilyMessage, type FamilyPage, find } from '#contracts/find'
import { liveOrders } from '#contracts/payments-console'
import { listPayouts } from '#contracts/refunds'
import { verifyPending } from '#contracts/transfers'
import { fakeServer, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { livePage } from './sample-payments'

const nobody = { total: 0, page: 1, pageSize: 50, totalPages: 1, hasNextPage: false, hasPreviousPage: false }
let server: FakeServer

beforeEach(() => {
  server = fakeServer()
  server.on(listParents, { data: [], metadata: nobody })
  server.on(liveOrders, livePage([]))
  server.on(getFamily, family)
  server.on(find, found)
})
afterEach(forgetToasts)

const nothing: ReplyOf<typeof find> = { families: [], payments: [], orders: [], statementRows: [] }
const found: ReplyOf<typeof find> = {
  families: [
    {
      id: 7,
      username: 'mutinta.moyo',
      name: 'Mutinta Moyo',
      email: null,
      phone: '0977 123 456',
      role: 'parent',
      students: [{ id: 1, name: 'Chipo', grade: '9' }],
      unpaid: 120,
    },
  ],
  payments: [
    {
      id: 'a',
      at: '2026-09-16T04:39:00.000Z',
      username: 'mutinta.moyo',
      familyId: 7,
      reference: 'LP-7K3QW9',
      transactionId: null,
      kind: 'alternative',
      payBy: 'airtel',
      paidFrom: { phone: '+260 97• ••• 456', own: false },
      status: 'Orders created successfully',
      state: 'fulfilled',
      amount: 120,
      receivedAmount: null,
      unpaid: 120,
    },
  ],
  orders: [
    {
      id: '1.2026-09-17.1',
      at: '2026-09-16T04:39:00.000Z',
      username: 'mutinta.moyo',
      familyId: 7,
      reference: 'LP-7K3QW9',
      student: { name: 'Chipo', grade: '9' },
      menuItem: { name: 'Stew' },
      mealDate: '2026-09-17',
      price: 40,
      status: 'pending',
      paymentStatus: 'pending',
      payBy: 'airtel',
    },
  ],
  statementRows: [
    {
      id: '5d0c8a5e-6a53-4d0c-9f0e-3b6f2a1c7e94',
      statementId: 3,
      at: '2026-09-16T05:00:00.000Z',
      amount: 120,
      payer: 'M MOYO',
      phone: null,
      text: 'lunch',
      transactionId: 'MP123',
      state: 'open',
    },
  ],
}

const mailed = (
  to: string,
  subject: string,
  more: Pick<FamilyMessage, 'state' | 'tries'>,
): FamilyMessage => ({
  channel: 'mail',
  at: '2026-09-16T04:40:00.000Z',
  to,
  subject,
  endedAt: '2026-09-16T04:40:10.000Z',
  failure: null,
  ...more,
})

const family: FamilyPage = {
  parent: {
    id: 7,
    username: 'mutinta.moyo',
    name: 'Mutinta Moyo',
    email: null,
    phone: '0977 123 456',
    role: 'parent',
  },
  children: [{ id: 1, name: 'Chipo', grade: '9', guardians: [{ userId: 8, name: 'Bwalya', first: false }] }],
  status: ['Declined at 06:39, nothing was taken', 'Paid K120.00 by Airtel, 3 meals'],
  upcoming: [
    {
      id: '1.2026-09-17.1',
      mealDate: '2026-09-17',
      student: { name: 'Chipo', grade: '9' },
      menuItem: { name: 'Stew' },
      price: 40,
      status: 'pending',
      paymentStatus: 'pending',
      payBy: 'airtel',
      absent: false,
      reference: 'LP-7K3QW9',
      lapsesAt: null,
    },
  ],
  money: {
    unpaid: 120,
    owedBack: 35,
    help: { what: 'verify', about: 'LP-7K3QW9' },
    payments: [
      {
        ...found.payments[0]!,
        inWords: 'Paid K120.00 by Airtel, 3 meals',
        receipts: ['R-2026-000012'],
        unpaidOrders: [
          { id: '1.2026-09-17.1', amount: 80 },
          { id: '1.2026-09-18.1', amount: 40 },
        ],
      },
    ],
    refunds: [
      {
        id: '1.2026-09-14.1',
        student: { name: 'Chipo' },
        menuItem: { name: 'Porridge' },
        amount: 35,
        owed: 35,
        dueSince: '2026-09-16T07:12:00.000Z',
        doneAt: null,
        asCredit: false,
      },
    ],
  },
  credit: { balance: 12.5, held: 0, entries: [] },
  plan: null,
  weeks: [],
  messages: [
    mailed('mutinta@example.org', 'How to pay', { state: 'sent', tries: 0 }),
    mailed('old@example.org', 'Your order', { state: 'given_up', tries: 9 }),
  ],
  reachedBy: [],
  history: [
    {
      at: '2026-09-16T04:39:00.000Z',
      schoolTime: '2026-09-16 06:39',
      who: 'mutinta.moyo',
      what: 'Ordered Stew for Chipo',
      amount: 40,
      details: { Grade: '9' },
    },
  ],
}

const office = adminWith('parents_students', 'pending_payments')
const dialog = async () => within(await screen.findByRole('dialog'))

describe('the search', () => {
  test('opens by the key /, shows what was found by kind, and leads to the family', async () => {
    const user = openConsole('/', office)
    await screen.findByRole('button', { name: 'Find' })
    await user.keyboard('/')
    const inside = await dialog()
    await waitFor(() => expect(inside.getByLabelText('What to look for')).toHaveFocus())
    await user.keyboard('LP-7K')
    const groups = await Promise.all(
      ['Families', 'Payments', 'Orders', 'Statements'].map((name) => inside.findByRole('region', { name })),
    )
    expect(groups.map((group) => within(group).getByRole('link').textContent)).toEqual([
      expect.stringContaining('Mutinta Moyo (mutinta.moyo)'),
      expect.stringContaining('LP-7K3QW9'),
      expect.stringContaining('Stew for Chipo'),
      expect.stringContaining('MP123'),
    ])
    expect(server.asked(find).map(({ query }) => query)).toEqual([{ q: 'LP-7K' }])
    await user.click(within(groups[1]!).getByRole('link'))
    expect(shownAddress()).toBe('/families/7')
    expect(await screen.findByText('Declined at 06:39, nothing was taken')).toBeInTheDocument()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('is walked with the arrow keys, and Enter opens the first result, also before it is there', async () => {
    const user = openConsole('/', office)
    await user.click(await screen.findByRole('button', { name: 'Find' }))
    const inside = await dialog()
    const field = inside.getByLabelText('What to look for')
    await user.type(field, 'LP-7K')
    await inside.findByRole('region', { name: 'Families' })
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(inside.getAllByRole('link')[1]).toHaveFocus()
    await user.keyboard('{ArrowUp}{ArrowUp}')
    expect(field).toHaveFocus()
    await user.type(field, '3Q{Enter}')
    await waitFor(() => expect(shownAddress()).toBe('/families/7'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('a / that is written into a field is a character', async () => {
    const user = openConsole('/?section=parents_students', office)
    await user.type(await screen.findByRole('searchbox'), 'a/b')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByRole('searchbox')).toHaveValue('a/b')
  })

  test('who may not search has no search', async () => {
    const user = openConsole('/', adminWith())
    await screen.findByText('No sections yet')
    await user.keyboard('/')
    expect(screen.queryByRole('button', { name: 'Find' })).toBeNull()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('nothing is asked for two characters; what is not there is said', async () => {
    server.on(find, nothing)
    const user = openConsole('/', office)
    await user.click(await screen.findByRole('button', { name: 'Find' }))
    const inside = await dialog()
    await user.type(inside.getByLabelText('What to look for'), 'mo')
    expect(inside.getByText('Type at least 3 characters.')).toBeInTheDocument()
    await user.type(inside.getByLabelText('What to look for'), 'y')
    expect(await inside.findByText('No results found')).toBeInTheDocument()
    expect(server.asked(find)).toHaveLength(1)
  })

  test('who may not open families is led to the section with the payment', async () => {
    server.on(find, { ...nothing, payments: found.payments.map((row) => ({ ...row, familyId: null })) })
    const user = openConsole('/', adminWith('live_orders'))
    await user.click(await screen.findByRole('button', { name: 'Find' }))
    const inside = await dialog()
    await user.type(inside.getByLabelText('What to look for'), 'LP-7K')
    expect(await inside.findByRole('link')).toHaveAttribute(
      'href',
      '/?section=live_orders&transactionId=LP-7K3QW9',
    )
  })
})

const phone = "Paid from +260 97• ••• 456, not the family's number"

test('a payment that was found says which phone paid', async () => {
  const user = openConsole('/', office)
  await user.click(await screen.findByRole('button', { name: 'Find' }))
  const inside = await dialog()
  await user.type(inside.getByLabelText('What to look for'), 'LP-7K')
  const payments = within(await inside.findByRole('region', { name: 'Payments' }))
  expect(payments.getByRole('link')).toHaveTextContent(phone)
})

describe('the page of a family', () => {
  test('says which phone paid', async () => {
    openConsole('/families/7', office)
    expect(await screen.findByRole('region', { name: 'Payments' })).toHaveTextContent(phone)
  })

  test('says first what is the matter and what helps, then children, meals, money, credit and messages', async () => {
    const user = openConsole('/families/7', office)
    expect(await screen.findByRole('link', { name: 'Verify the payment' })).toHaveAttribute(
      'href',
      '/?section=pending_payments&text=LP-7K3QW9',
    )
    const said = within(screen.getByRole('list', { name: 'What is the matter' })).getAllByRole('listitem')
    expect(said.map(({ textContent }) => textContent)).toEqual(family.status)
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Mutinta Moyo',
      'At the counter',
      'Money',
      'Children',
      'Upcoming meals',
      'Messages',
      expect.stringContaining('Technical history'),
    ])
    expect(screen.getByText('Did not arrive')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Bwalya' })).toHaveAttribute('href', '/families/8')
    expect(screen.getByText('K12.50')).toBeInTheDocument()
    expect(screen.queryByText('Ordered Stew for Chipo')).toBeNull()
    await user.click(screen.getByRole('button', { name: /Technical history/ }))
    expect(screen.getByText('Ordered Stew for Chipo')).toBeInTheDocument()
  })

  test('has the acts of money where the money is', async () => {
    server.on(getParentCredit, family.credit)
    server.on(listPayouts, { data: [] })
    server.on(verifyPending, { message: '2 orders verified', updated: 2 })
    const user = openConsole('/families/7', adminWith('pending_payments', 'refunds'))
    expect(await screen.findByRole('link', { name: 'Receipt R-2026-000012' })).toHaveAttribute(
      'href',
      '/receipts/R-2026-000012',
    )
    expect(screen.getByRole('link', { name: 'Pay back K35.00' })).toHaveAttribute(
      'href',
      '/?section=refunds&text=1.2026-09-14.1',
    )
    expect(await screen.findByRole('button', { name: 'Give Credit' })).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Pay Out' })).toBeInTheDocument()
    await user.click(await screen.findByRole('button', { name: 'Confirm payment LP-7K3QW9' }))
    const inside = await dialog()
    expect(inside.getByText('Mark 2 orders, K120.00, as paid?')).toBeInTheDocument()
    await user.click(inside.getByRole('button', { name: 'Yes, They Are Paid' }))
    await waitFor(() =>
      expect(server.asked(verifyPending).map(({ body }) => body)).toEqual([
        { orderIds: ['1.2026-09-17.1', '1.2026-09-18.1'] },
      ]),
    )
  })

  test('has no acts that its reader may not do', async () => {
    openConsole('/families/7', adminWith('parents_students'))
    await screen.findByText('Money')
    expect(screen.queryByRole('link', { name: /Receipt|Pay back/ })).toBeNull()
    expect(screen.queryByRole('button', { name: /Confirm|Give Credit|Pay Out/ })).toBeNull()
  })

  test('what another has to do is said', async () => {
    openConsole('/families/7', adminWith('parents_students'))
    expect(await screen.findByText('Verify the payment: ask another administrator')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Allergies and diet: Chipo' })).toBeInTheDocument()
  })

  test('it is not opened without one of its sections', async () => {
    openConsole('/families/7', adminWith('live_orders'))
    expect(await screen.findByText('Families are not open to you')).toBeInTheDocument()
    await waitFor(() => expect(server.asked(getFamily)).toEqual([]))
  })
})
