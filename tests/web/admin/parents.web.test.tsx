import { screen, waitFor, within } from '@testing-library/react'
import { deleteAnyStudent, deleteParent, listParents } from '#contracts/accounts'
import { fakeServer, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { chipo, mwila, parentList, unanswered } from './sample-parents'

let server: FakeServer

beforeEach(() => {
  server = fakeServer()
  server.on(listParents, parentList([mwila]))
})
afterEach(forgetToasts)

const open = () => openConsole('/', adminWith('parents_students'))
type Hands = ReturnType<typeof open>
const press = async (user: Hands, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }))
const pressIn = (user: Hands, name: string) =>
  user.click(within(screen.getByRole('dialog')).getByRole('button', { name }))
const opened = async () => {
  const user = open()
  await press(user, /^Mwila Banda/)
  return user
}

describe('the list', () => {
  test('opens a family to its students', async () => {
    await opened()
    // Once in the row of a wide screen, once in the opened part of a narrow one.
    expect(screen.getAllByText('mwila@example.com')).toHaveLength(2)
    expect(screen.getByText('1 student')).toBeInTheDocument()
    expect(screen.getByText('Chipo Banda')).toBeInTheDocument()
    expect(screen.getByText('Grade 4')).toBeInTheDocument()
  })

  test('is searched from 3 characters on, sorted, and paged, all of it in the address', async () => {
    const user = open()
    await user.type(await screen.findByLabelText('Search parents'), 'mw')
    await press(user, 'Search')
    expect(await screen.findByText('Please enter at least 3 characters to search')).toBeInTheDocument()
    expect(server.asked(listParents).map(({ query }) => query)).toEqual([{ page: 1 }])
    await user.type(screen.getByLabelText('Search parents'), 'ila')
    server.on(listParents, parentList([mwila], 2))
    await press(user, 'Search')
    await press(user, 'Next')
    await user.selectOptions(screen.getByLabelText('Sort by'), 'Newest first')
    await waitFor(() =>
      expect(server.asked(listParents).map(({ query }) => query)).toEqual([
        { page: 1, search: 'mwila' },
        { page: 2, search: 'mwila' },
        { page: 1, sort: 'newest', direction: 'asc', search: 'mwila' },
      ]),
    )
    expect(shownAddress()).toBe('/?search=mwila&sort=newest')
    await press(user, 'Show All')
    expect(shownAddress()).toBe('/?sort=newest')
  })

  test('without anybody, or without students, says so', async () => {
    server.on(listParents, parentList([{ ...mwila, students: [] }]))
    await opened()
    expect(screen.getByText('No students found')).toBeInTheDocument()
  })

  test('that finds nobody says so', async () => {
    server.on(listParents, parentList([]))
    open()
    expect(await screen.findByText('No parents found')).toBeInTheDocument()
  })

  test('that could not be read says so', async () => {
    server.on(listParents, unanswered)
    open()
    expect(await screen.findByText('Failed to fetch parents')).toBeInTheDocument()
  })

  test("a teacher's staff account is not deleted, and takes no students", async () => {
    const staff = { ...chipo, name: 'Mwila Banda', grade: 'teacher' as const }
    server.on(listParents, parentList([{ ...mwila, role: 'teacher', students: [staff] }]))
    await opened()
    expect(screen.getByText('Teacher')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Delete Mwila Banda' })).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Add Student' })).not.toBeInTheDocument()
  })
})

describe('deleting a parent', () => {
  test('is deleted after asking', async () => {
    server.on(deleteParent, { message: 'Parent deleted successfully' })
    const user = open()
    await press(user, 'Delete mwila.banda')
    expect(await screen.findByText(/The account and its 1 student are removed/)).toBeInTheDocument()
    await pressIn(user, 'Delete Parent')
    expect(await screen.findByText('Parent deleted successfully')).toBeInTheDocument()
    expect(server.asked(deleteParent)).toEqual([{ params: { id: 7 }, query: {}, body: undefined }])
  })

  test('with orders is forced out only after their number was shown', async () => {
    server.on(deleteParent, ({ query }) =>
      query.force === 'true'
        ? { message: 'Parent deleted successfully' }
        : refusal(409, 'parent_has_orders', 'It has orders', {
            canForce: true,
            orderCount: 3,
            mealsInPayment: 2,
          })!,
    )
    const user = open()
    await press(user, 'Delete mwila.banda')
    await screen.findByRole('dialog')
    await pressIn(user, 'Delete Parent')
    expect(await screen.findByText('mwila.banda has 3 orders and 2 meals being paid for')).toBeInTheDocument()
    await pressIn(user, 'Force Delete')
    expect(await screen.findByText('Parent deleted successfully')).toBeInTheDocument()
    expect(server.asked(deleteParent).map(({ query }) => query)).toEqual([{}, { force: 'true' }])
  })

  test.each([
    [
      'the details of the server',
      () => refusal(409, 'parent_has_orders', 'No', { canForce: false, details: 'It has orders' }),
      'It has orders',
    ],
    ['its own words without them', unanswered, 'Deletion failed'],
  ])('that cannot be deleted shows %s', async (_name, answer, text) => {
    server.on(deleteParent, answer)
    const user = open()
    await press(user, 'Delete mwila.banda')
    await screen.findByRole('dialog')
    await pressIn(user, 'Delete Parent')
    expect(await screen.findByText(text)).toBeInTheDocument()
  })

  test('that cannot be forced out is said', async () => {
    server.on(deleteParent, ({ query }) =>
      query.force === 'true'
        ? unanswered()
        : refusal(409, 'parent_has_orders', 'It has orders', { canForce: true, orderCount: 1 })!,
    )
    const user = open()
    await press(user, 'Delete mwila.banda')
    await screen.findByRole('dialog')
    await pressIn(user, 'Delete Parent')
    await screen.findByText('mwila.banda has 1 order')
    await pressIn(user, 'Force Delete')
    expect(await screen.findByText('Force deletion failed')).toBeInTheDocument()
  })
})

describe('deleting a student', () => {
  test('is deleted, with orders only when forced', async () => {
    server.on(deleteAnyStudent, ({ query }) =>
      query.force === 'true'
        ? { message: 'Student deleted successfully' }
        : refusal(409, 'student_has_orders', 'It has orders', { canForce: true, orderCount: 1 })!,
    )
    const user = await opened()
    await press(user, 'Delete Chipo Banda')
    await screen.findByRole('dialog')
    await pressIn(user, 'Delete Student')
    expect(await screen.findByText('Chipo Banda has 1 order')).toBeInTheDocument()
    await pressIn(user, 'Force Delete')
    expect(await screen.findByText('Student deleted successfully')).toBeInTheDocument()
  })

  test('a staff entry beside children can go too', async () => {
    const staff = { ...chipo, id: 77, name: 'Mwila Banda', grade: 'teacher' as const }
    server.on(listParents, parentList([{ ...mwila, students: [chipo, staff] }]))
    server.on(deleteAnyStudent, { message: 'Student deleted successfully' })
    const user = await opened()
    await press(user, 'Delete Mwila Banda')
    await screen.findByRole('dialog')
    await pressIn(user, 'Delete Student')
    expect(await screen.findByText('Student deleted successfully')).toBeInTheDocument()
    expect(server.asked(deleteAnyStudent)[0]?.params).toEqual({ id: 77 })
  })

  test('that cannot be deleted is said', async () => {
    server.on(deleteAnyStudent, unanswered)
    const user = await opened()
    await press(user, 'Delete Chipo Banda')
    await screen.findByRole('dialog')
    await pressIn(user, 'Delete Student')
    expect(await screen.findByText('Failed to delete student')).toBeInTheDocument()
  })
})
