import { screen, waitFor, within, fireEvent } from '@testing-library/react'
import { listParents, searchUsers } from '#contracts/accounts'
import { type Credit, getParentCredit, giveCredit } from '#contracts/credit'
import {
  type DiscountCode,
  createDiscountCode,
  deleteDiscountCode,
  listDiscountCodes,
  updateDiscountCode,
} from '#contracts/order-reports'
import { listPayouts, payOutCredit } from '#contracts/refunds'
import { type FakeServer, fakeServer, FakeRefusal, refusal } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { mwila, parentList, onePage, welcome } from './sample-settings'

let server: FakeServer
afterEach(forgetToasts)

describe('family credit', () => {
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
})

describe('discount codes', () => {
  const codes = (data: DiscountCode[], totalPages = 1) => ({
    data,
    metadata: { ...onePage, total: data.length, totalPages },
  })
  const ofChipo: DiscountCode = {
    ...welcome,
    id: 4,
    code: 'ROTARY-1',
    studentId: 31,
    student: { name: 'Chipo Banda', grade: '4', class: null },
    sponsor: 'Rotary',
  }
  const unanswered = () => {
    throw new FakeRefusal(502, null)
  }

  beforeEach(() => {
    server = fakeServer()
    server.on(listDiscountCodes, codes([welcome]))
    server.on(searchUsers, {
      users: [{ id: 7, username: 'mwila.banda', children: [{ id: 31, name: 'Chipo Banda' }] }],
    })
  })

  const open = () => openConsole('/settings', adminWith('settings'))
  const create = () => screen.getByRole('button', { name: 'Create Discount Code' })

  /** Types the user's name and waits for the search, which begins when 300 ms were quiet. */
  const findUser = async (typed: string) => {
    const box = await screen.findByRole('combobox', { name: 'User' })
    fireEvent.focus(box)
    fireEvent.change(box, { target: { value: typed } })
  }

  const remove = async () => {
    const user = open()
    await user.click(await screen.findByRole('button', { name: 'Delete WELCOME' }))
    expect(await screen.findByText(/mwila\.banda pays without it from now on/)).toBeInTheDocument()
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }))
  }

  const head = (name: string) => screen.findByRole('columnheader', { name })

  describe('the list', () => {
    test('has code, user and discount, and is searched by the address', async () => {
      const user = open()
      const table = within(await screen.findByRole('table', { name: 'Discount codes' }))
      for (const text of ['WELCOME', 'mwila.banda', '12.5%'])
        expect(table.getByText(text)).toBeInTheDocument()
      server.on(listDiscountCodes, codes([]))
      await user.type(screen.getByLabelText('Search codes and usernames'), 'x')
      expect(await screen.findByText('No results found')).toBeInTheDocument()
      expect(shownAddress()).toBe('/settings?search=x')
      expect(server.asked(listDiscountCodes).at(-1)?.query).toEqual({ page: 1, search: 'x' })
    })

    test('is sorted by its heads and narrowed to what is active, by the server and in the address', async () => {
      server.on(listDiscountCodes, codes([welcome], 3))
      const user = openConsole('/settings?page=2', adminWith('settings'))
      await user.click(within(await head('User')).getByRole('button'))
      expect(shownAddress()).toBe('/settings?sort=user')
      expect(await head('User')).toHaveAttribute('aria-sort', 'ascending')
      await user.click(within(await head('User')).getByRole('button'))
      expect(shownAddress()).toBe('/settings?sort=user&direction=desc')
      expect(await head('User')).toHaveAttribute('aria-sort', 'descending')
      await user.selectOptions(screen.getByLabelText('Codes'), 'Inactive Only')
      expect(shownAddress()).toBe('/settings?sort=user&direction=desc&active=false')
      await waitFor(() =>
        expect(server.asked(listDiscountCodes).at(-1)?.query).toEqual({
          page: 1,
          sort: 'user',
          direction: 'desc',
          active: false,
        }),
      )
      await user.selectOptions(screen.getByLabelText('Sort by'), 'Highest discount first')
      expect(await head('Discount')).toHaveAttribute('aria-sort', 'descending')
      await user.selectOptions(screen.getByLabelText('Sort by'), 'Newest first')
      expect(shownAddress()).toBe('/settings?active=false')
    })

    test('of a page that is no more leads to the last', async () => {
      server.on(listDiscountCodes, ({ query }) => ({
        data: query.page === 1 ? [welcome] : [],
        metadata: onePage,
      }))
      const user = openConsole('/settings?page=4', adminWith('settings'))
      await user.click(await screen.findByRole('button', { name: 'Go to the first page' }))
      expect(await screen.findByText('WELCOME')).toBeInTheDocument()
      expect(shownAddress()).toBe('/settings')
    })

    test('goes page by page', async () => {
      server.on(listDiscountCodes, ({ query }) => codes([{ ...welcome, code: `PAGE${query.page}` }], 2))
      const user = open()
      await user.click(await screen.findByRole('button', { name: 'Next' }))
      expect(await screen.findByText('PAGE2')).toBeInTheDocument()
      expect(shownAddress()).toBe('/settings?page=2')
    })

    test('names the child and its sponsor', async () => {
      server.on(
        listDiscountCodes,
        codes([ofChipo, { ...ofChipo, id: 5, code: 'WAITS', userId: null, user: null }]),
      )
      open()
      const rows = await screen.findAllByRole('row', { name: /Chipo Banda/ })
      expect(rows[0]).toHaveTextContent('mwila.banda · Rotary')
      expect(rows[1]).toHaveTextContent('No account yet · Rotary')
    })

    test('that could not be read says so', async () => {
      server.on(listDiscountCodes, unanswered)
      open()
      expect(await screen.findByText('Failed to fetch discount codes')).toBeInTheDocument()
    })
  })

  describe('a new code', () => {
    test('is for a user who is found by 2 letters; 10 percent and active unless said otherwise', async () => {
      server.on(createDiscountCode, welcome)
      const user = open()
      await user.type(await screen.findByLabelText('Code'), 'WELCOME')
      await findUser('m')
      await findUser('mw')
      await user.click(await screen.findByRole('option', { name: 'mwila.banda' }))
      await user.click(create())
      expect(await screen.findByText('Discount code created successfully')).toBeInTheDocument()
      expect(server.asked(searchUsers).map(({ query }) => query)).toEqual([{ q: 'mw' }])
      expect(server.asked(createDiscountCode)[0]?.body).toEqual({
        code: 'WELCOME',
        userId: 7,
        discountPercentage: 10,
        isActive: true,
      })
      expect(screen.getByLabelText('Code')).toHaveProperty('value', '')
    })

    test('may be for one child of the user, and names who pays', async () => {
      server.on(createDiscountCode, ofChipo)
      const user = open()
      await user.type(await screen.findByLabelText('Code'), 'ROTARY-1')
      expect(screen.queryByLabelText('Child')).not.toBeInTheDocument()
      await findUser('mw')
      await user.click(await screen.findByRole('option', { name: 'mwila.banda' }))
      await user.selectOptions(screen.getByLabelText('Child'), 'Chipo Banda')
      await user.type(screen.getByLabelText('Sponsor'), 'Rotary')
      await user.click(create())
      expect(await screen.findByText('Discount code created successfully')).toBeInTheDocument()
      expect(server.asked(createDiscountCode)[0]?.body).toEqual({
        code: 'ROTARY-1',
        userId: 7,
        studentId: 31,
        sponsor: 'Rotary',
        discountPercentage: 10,
        isActive: true,
      })
    })

    test('needs 3 characters, a user, and 0 to 100 percent', async () => {
      const user = open()
      await user.type(await screen.findByLabelText('Code'), 'AB')
      await user.clear(screen.getByLabelText('Discount (%)'))
      await user.type(screen.getByLabelText('Discount (%)'), '101')
      await user.click(create())
      for (const text of [
        'Code must be at least 3 characters',
        'Please select a user',
        'Discount must be between 0 and 100 percent',
      ])
        expect(await screen.findByText(text)).toBeInTheDocument()
    })

    test('for whom nobody is found, or the search fails, is said', async () => {
      server.on(searchUsers, { users: [] })
      open()
      await findUser('zz')
      expect(await screen.findByText('No results found')).toBeInTheDocument()
      server.on(searchUsers, unanswered)
      await findUser('zzz')
      expect(await screen.findByText('Failed to search users')).toBeInTheDocument()
    })

    test.each([
      ['the words of the server', () => refusal(409, 'discount_code_taken', 'It exists'), 'It exists'],
      ['its own words without them', unanswered, 'Failed to create discount code'],
    ])('that fails shows %s', async (_name, answer, text) => {
      server.on(createDiscountCode, answer)
      const user = open()
      await user.type(await screen.findByLabelText('Code'), 'WELCOME')
      await findUser('mwila')
      await user.click(await screen.findByRole('option', { name: 'mwila.banda' }))
      await user.click(create())
      expect(await screen.findByText(text)).toBeInTheDocument()
    })
  })

  describe('a code', () => {
    test('is switched off and on', async () => {
      server.on(updateDiscountCode, { ...welcome, isActive: false })
      const user = open()
      await user.click(await screen.findByRole('switch', { name: 'WELCOME is active' }))
      expect(await screen.findByText('Discount code updated successfully')).toBeInTheDocument()
      expect(server.asked(updateDiscountCode)).toEqual([
        { params: { id: 3 }, query: {}, body: { isActive: false } },
      ])
    })

    test('whose switch fails stays as it was', async () => {
      server.on(updateDiscountCode, unanswered)
      const user = open()
      await user.click(await screen.findByRole('switch', { name: 'WELCOME is active' }))
      expect(await screen.findByText('Failed to update discount code')).toBeInTheDocument()
      await waitFor(() =>
        expect(screen.getByRole('switch', { name: 'WELCOME is active' })).toHaveAttribute(
          'aria-checked',
          'true',
        ),
      )
    })

    test('is deleted after asking', async () => {
      server.on(deleteDiscountCode, { message: 'Discount code deleted successfully' })
      await remove()
      expect(await screen.findByText('Discount code deleted successfully')).toBeInTheDocument()
    })

    test.each([
      ['the words of the server', () => refusal(404, 'discount_code_not_found', 'It is gone'), 'It is gone'],
      ['its own words without them', unanswered, 'Failed to delete discount code'],
    ])('that cannot be deleted shows %s', async (_name, answer, text) => {
      server.on(deleteDiscountCode, answer)
      await remove()
      expect(await screen.findByText(text)).toBeInTheDocument()
    })
  })
})
