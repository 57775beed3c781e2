import { screen, waitFor, within } from '@testing-library/react'
import { listPayouts } from '#contracts/refunds'
import { getParentCredit } from '#contracts/credit'
import { deleteParent, listParents } from '#contracts/accounts'
import { fakeServer, refusal, type Asked, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
import { mwila, parentList, unanswered } from './sample-parents'

let server: FakeServer
const left = (creditBalance: number, owed: number) => () =>
  refusal(409, 'credit_left', 'Something is left', { creditBalance, owed })!
const deleted = { message: 'Parent deleted successfully' }
/** Refuses to delete until the amounts are given up. */
const untilGivenUp =
  (creditBalance: number, owed: number) =>
  ({ query }: Asked) =>
    query.giveUp === mwila.username ? deleted : left(creditBalance, owed)()

beforeEach(() => {
  server = fakeServer()
  server.on(listPayouts, { data: [] })
  server.on(listParents, parentList([mwila]))
  server.on(getParentCredit, { balance: 12.5, held: 0, entries: [] })
})
afterEach(forgetToasts)

const office = adminWith('parents_students', 'refunds')
const pressIn = (user: ReturnType<typeof openConsole>, name: string) =>
  user.click(within(screen.getByRole('dialog')).getByRole('button', { name }))
const open = (who = office) => openConsole('/?section=parents_students', who)
const askToDelete = async (who = office) => {
  const user = open(who)
  await user.click(await screen.findByRole('button', { name: 'Delete mwila.banda' }))
  await screen.findByRole('dialog')
  await pressIn(user, 'Delete Parent')
  return user
}
const queries = () => server.asked(deleteParent).map(({ query }) => query)
const typed = () => screen.findByLabelText('Type mwila.banda to give it up')

describe('deleting a parent who is still owed something', () => {
  test('tells both amounts, and deletes once the username was typed', async () => {
    server.on(deleteParent, untilGivenUp(12.5, 45.5))
    const user = await askToDelete()
    const name = await typed()
    const dialog = within(screen.getByRole('dialog', { name: 'mwila.banda is still owed K58.00' }))
    expect(dialog.getByText(/of credit/)).toHaveTextContent('K12.50 of credit')
    expect(dialog.getByText(/to be paid back/)).toHaveTextContent('K45.50 to be paid back')
    await pressIn(user, 'Give Up and Delete')
    expect(await screen.findByText('Type mwila.banda, as it is written here')).toBeInTheDocument()
    await user.type(name, 'mwila.bandA')
    await pressIn(user, 'Give Up and Delete')
    expect(queries()).toEqual([{}])
    await user.clear(name)
    await user.type(name, 'mwila.banda{Enter}')
    expect(await screen.findByText('Parent deleted successfully')).toBeInTheDocument()
    expect(queries()).toEqual([{}, { force: 'true', giveUp: 'mwila.banda' }])
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  test('names only what there is', async () => {
    server.on(deleteParent, left(0, 45.5))
    await askToDelete()
    await typed()
    expect(screen.getByRole('dialog', { name: 'mwila.banda is still owed K45.50' })).toBeInTheDocument()
    expect(screen.queryByText(/of credit/)).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Pay Out First' })).not.toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Refund Management' })).toHaveAttribute(
      'href',
      '/?section=refunds',
    )
  })

  test('comes after the orders, which are forced', async () => {
    server.on(deleteParent, (asked) =>
      asked.query.force === 'true'
        ? untilGivenUp(12.5, 0)(asked)
        : refusal(409, 'parent_has_orders', 'It has orders', { canForce: true, orderCount: 3 })!,
    )
    const user = await askToDelete()
    await screen.findByText('mwila.banda has 3 orders')
    await pressIn(user, 'Force Delete')
    await user.type(await typed(), 'mwila.banda')
    await pressIn(user, 'Give Up and Delete')
    expect(await screen.findByText('Parent deleted successfully')).toBeInTheDocument()
    expect(queries()).toEqual([{}, { force: 'true' }, { force: 'true', giveUp: 'mwila.banda' }])
  })

  test('can be paid out first: the dialog closes and the credit of the family is open', async () => {
    server.on(deleteParent, left(12.5, 0))
    const user = await askToDelete()
    await typed()
    await pressIn(user, 'Pay Out First')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    const credit = within(await screen.findByRole('region', { name: 'Credit of mwila.banda' }))
    expect(await credit.findByRole('button', { name: 'Pay Out' })).toBeInTheDocument()
    await waitFor(() => expect(screen.getByRole('region', { name: 'Credit of mwila.banda' })).toHaveFocus())
    expect(queries()).toEqual([{}])
  })

  test('is paid out by somebody else where the administrator does not manage refunds', async () => {
    server.on(deleteParent, left(12.5, 45.5))
    await askToDelete(adminWith('parents_students'))
    await typed()
    expect(screen.getByText(/An administrator who manages refunds can pay it out first/)).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Pay Out First' })).not.toBeInTheDocument()
    expect(screen.queryByRole('link', { name: 'Refund Management' })).not.toBeInTheDocument()
  })

  test.each([
    [
      'the words of the server',
      () => refusal(503, 'unavailable', 'Try again in a minute'),
      'Try again in a minute',
    ],
    ['its own words without them', unanswered, 'Force deletion failed'],
  ])('that failed stays open with %s, and what was typed', async (_name, answer, text) => {
    server.on(deleteParent, (asked) => (asked.query.giveUp ? answer()! : left(12.5, 0)()))
    const user = await askToDelete()
    await user.type(await typed(), 'mwila.banda')
    await pressIn(user, 'Give Up and Delete')
    const dialog = within(screen.getByRole('dialog'))
    expect(await dialog.findByRole('alert')).toHaveTextContent(text)
    expect(await typed()).toHaveValue('mwila.banda')
  })
})
