import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import {
  createDiscountCode,
  deleteDiscountCode,
  listDiscountCodes,
  updateDiscountCode,
  type DiscountCode,
} from '#contracts/order-reports'
import { searchUsers } from '#contracts/accounts'
import { fakeServer, FakeRefusal, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { onePage, welcome } from './sample-settings'

let server: FakeServer
const codes = (data: DiscountCode[], totalPages = 1) => ({
  data,
  metadata: { ...onePage, total: data.length, totalPages },
})
const unanswered = () => {
  throw new FakeRefusal(502, null)
}

beforeEach(() => {
  server = fakeServer()
  server.on(listDiscountCodes, codes([welcome]))
  server.on(searchUsers, { users: [{ id: 7, username: 'mwila.banda' }] })
})
afterEach(forgetToasts)

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
    for (const text of ['WELCOME', 'mwila.banda', '12.5%']) expect(table.getByText(text)).toBeInTheDocument()
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
