import { screen, waitFor, within } from '@testing-library/react'
import { listPayouts, payOutCredit } from '#contracts/refunds'
import { type Credit, getParentCredit, giveCredit } from '#contracts/credit'
import { listParents } from '#contracts/accounts'
import { fakeServer, FakeRefusal, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
import { mwila, parentList } from './sample-parents'

let server: FakeServer
const entry = (n: number): Credit['entries'][number] => ({
  at: `2026-09-1${n}T08:00:00.000Z`,
  kind: n % 2 === 0 ? 'spent' : 'gift',
  amount: n % 2 === 0 ? -n : n,
  balanceAfter: 10 + n,
  about: {},
  text: n % 2 === 0 ? `Spent on meal ${n}` : `Gift ${n}`,
})
const credit: Credit = { balance: 12.5, held: 0, entries: [6, 5, 4, 3, 2, 1].map(entry) }

beforeEach(() => {
  server = fakeServer()
  server.on(listPayouts, { data: [] })
  server.on(listParents, parentList([mwila]))
  server.on(getParentCredit, credit)
})
afterEach(forgetToasts)

type Hands = ReturnType<typeof openConsole>
const press = async (user: Hands, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }))
const opened = async (
  user = openConsole('/?section=parents_students', adminWith('parents_students', 'refunds')),
) => {
  await press(user, /^Mwila Banda/)
  return user
}
const pressIn = (user: Hands, name: string) =>
  user.click(within(screen.getByRole('dialog')).getByRole('button', { name }))

describe('the credit of a family', () => {
  test('is its balance with the entries, the newest first, and all of them on request', async () => {
    const user = await opened()
    const part = within(await screen.findByRole('region', { name: 'Credit of mwila.banda' }))
    expect(await part.findByText('K12.50')).toBeInTheDocument()
    const rows = part.getAllByRole('listitem')
    expect(rows).toHaveLength(5)
    expect(rows[0]).toHaveTextContent('Spent on meal 6')
    expect(rows[0]).toHaveTextContent('−K6.00')
    expect(rows[0]).toHaveTextContent('then K16.00')
    expect(rows[0]).toHaveTextContent('16 September 2026 at 10:00')
    expect(rows[1]).toHaveTextContent('+K5.00')
    await press(user, 'Show all 6 entries')
    expect(part.getAllByRole('listitem')).toHaveLength(6)
    expect(server.asked(getParentCredit)[0]?.params).toEqual({ id: 7 })
  })

  test('is not shown to who does not manage refunds', async () => {
    await opened(openConsole('/', adminWith('parents_students')))
    expect(await screen.findByText('Chipo Banda')).toBeInTheDocument()
    expect(screen.queryByRole('region', { name: 'Credit of mwila.banda' })).not.toBeInTheDocument()
    expect(server.asked(getParentCredit)).toEqual([])
  })

  test('that could not be read says so', async () => {
    server.on(getParentCredit, () => refusal(503, 'unavailable', 'The database is away'))
    await opened()
    expect(await screen.findByText('Failed to fetch credit')).toBeInTheDocument()
  })

  test('says what payments under way hold', async () => {
    server.on(getParentCredit, { ...credit, held: 7.5 })
    await opened()
    expect(await screen.findByText('K7.50 is held by a payment under way')).toBeInTheDocument()
  })

  test('without a balance nothing can be paid out', async () => {
    server.on(getParentCredit, { balance: 0, held: 0, entries: [] })
    await opened()
    expect(await screen.findByRole('button', { name: 'Give Credit' })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Pay Out' })).not.toBeInTheDocument()
  })
})

describe('a gift', () => {
  test('has an amount and a reason', async () => {
    server.on(giveCredit, () => {
      server.on(getParentCredit, { ...credit, balance: 32.5 })
      return { ...credit, balance: 32.5 }
    })
    const user = await opened()
    await press(user, 'Give Credit')
    await user.type(await screen.findByLabelText('Amount (K)'), '0')
    await pressIn(user, 'Give Credit')
    expect(await screen.findByText('Amount must be above zero')).toBeInTheDocument()
    await user.clear(screen.getByLabelText('Amount (K)'))
    await user.type(screen.getByLabelText('Amount (K)'), '20')
    await user.type(screen.getByLabelText('Reason'), 'Sports day')
    await pressIn(user, 'Give Credit')
    expect(await screen.findByText('Credit given')).toBeInTheDocument()
    expect(server.asked(giveCredit)[0]).toMatchObject({
      params: { id: 7 },
      body: { amount: 20, reason: 'Sports day' },
    })
    expect(await screen.findByText('K32.50')).toBeInTheDocument()
  })

  test('that failed says so and keeps what was typed', async () => {
    server.on(giveCredit, () => {
      throw new FakeRefusal(502, null)
    })
    const user = await opened()
    await press(user, 'Give Credit')
    await user.type(await screen.findByLabelText('Amount (K)'), '20')
    await user.type(screen.getByLabelText('Reason'), 'Sports day')
    await pressIn(user, 'Give Credit')
    expect(await screen.findByText('Failed to give credit')).toBeInTheDocument()
    expect(screen.getByLabelText('Reason')).toHaveValue('Sports day')
  })
})

describe('a payout', () => {
  test('is the whole balance unless less is typed, never more', async () => {
    server.on(payOutCredit, { balance: 2.5, held: 0, entries: [] })
    const user = await opened()
    await press(user, 'Pay Out')
    const amount = await screen.findByLabelText('Amount (K)')
    expect(amount).toHaveValue('12.50')
    await user.clear(amount)
    await user.type(amount, '12.51')
    await pressIn(user, 'Pay Out')
    expect(await screen.findByText('At most K12.50 can be paid out')).toBeInTheDocument()
    await user.clear(amount)
    await user.type(amount, '10')
    await user.selectOptions(screen.getByLabelText('Method'), 'Cash')
    await user.type(screen.getByLabelText('Reference (optional)'), 'Till 3')
    await pressIn(user, 'Pay Out')
    expect(await screen.findByText('Credit paid out')).toBeInTheDocument()
    expect(server.asked(payOutCredit)[0]).toMatchObject({
      params: { id: 7 },
      body: { amount: 10, method: 'cash', reference: 'Till 3' },
    })
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  test('that the server refuses says why', async () => {
    server.on(payOutCredit, () => refusal(409, 'credit_short', 'Only K5.00 is left'))
    const user = await opened()
    await press(user, 'Pay Out')
    await pressIn(user, 'Pay Out')
    expect(await screen.findByText('Only K5.00 is left')).toBeInTheDocument()
  })
})
