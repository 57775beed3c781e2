import { screen, waitFor, within, render } from '@testing-library/react'
import { deleteAnyStudent, deleteParent, listParents, createParent, updateParent } from '#contracts/accounts'
import type { FamilyMessage } from '#contracts/find'
import { addStudent } from '#contracts/identity'
import { FamilyMessages } from '../../../web/features/families/family-screen'
import { type FakeServer, fakeServer, refusal } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { chipo, mwila, parentList, unanswered } from './sample-settings'

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

describe('parents', () => {
  let server: FakeServer

  beforeEach(() => {
    server = fakeServer()
    server.on(listParents, parentList([mwila]))
  })
  afterEach(forgetToasts)

  describe('the list', () => {
    test('opens a family to its students', async () => {
      await opened()
      // Once in the row of a wide screen, once in the opened part of a narrow one.
      expect(screen.getAllByText('mwila@example.com')).toHaveLength(2)
      expect(screen.getByText('1 student')).toBeInTheDocument()
      const links = screen.getAllByRole('link', { name: 'Family page of mwila.banda' })
      expect(links[0]).toHaveAttribute('href', `/families/${mwila.id}`)
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
      expect(
        await screen.findByText('mwila.banda has 3 orders and 2 meals being paid for'),
      ).toBeInTheDocument()
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
})

describe('parent forms', () => {
  let server: FakeServer

  beforeEach(() => {
    server = fakeServer()
    server.on(listParents, parentList([mwila]))
  })
  afterEach(forgetToasts)

  describe('a new parent', () => {
    test('needs a username of 3 characters and a password', async () => {
      const user = open()
      await press(user, 'Add Parent')
      await user.type(await screen.findByLabelText('Email'), 'none')
      await pressIn(user, 'Create Parent')
      for (const text of [
        'Username must be at least 3 characters',
        'Password is required when creating a new parent',
        'Invalid email address',
      ])
        expect(await screen.findByText(text)).toBeInTheDocument()
    })

    test('is made', async () => {
      server.on(createParent, mwila)
      const user = open()
      await press(user, 'Add Parent')
      await user.type(await screen.findByLabelText('Username'), 'new.parent')
      await user.type(screen.getByLabelText('Password'), 'secret')
      await pressIn(user, 'Create Parent')
      expect(await screen.findByText('Parent created successfully')).toBeInTheDocument()
      expect(server.asked(createParent)[0]?.body).toEqual({
        username: 'new.parent',
        password: 'secret',
        name: '',
        email: '',
        phone: '',
      })
    })

    test.each([
      [
        'the words of the server',
        () => refusal(503, 'unavailable', 'The database is away'),
        'The database is away',
      ],
      ['its own words without them', unanswered, 'Failed to create parent'],
    ])('that fails shows %s', async (_name, answer, text) => {
      server.on(createParent, answer)
      const user = open()
      await press(user, 'Add Parent')
      await user.type(await screen.findByLabelText('Username'), 'new.parent')
      await user.type(screen.getByLabelText('Password'), 'secret')
      await pressIn(user, 'Create Parent')
      expect(await screen.findByText(text)).toBeInTheDocument()
    })
  })

  describe('a parent', () => {
    test('is changed; a blank password stays, a short one is refused', async () => {
      server.on(updateParent, mwila)
      const user = open()
      await press(user, 'Edit mwila.banda')
      await user.type(await screen.findByLabelText('Password'), '123')
      await pressIn(user, 'Save Parent')
      expect(
        await screen.findByText('Password must be at least 6 characters when provided'),
      ).toBeInTheDocument()
      await user.clear(screen.getByLabelText('Password'))
      await user.type(screen.getByLabelText('Phone'), '0977')
      await pressIn(user, 'Save Parent')
      expect(await screen.findByText('Parent updated successfully')).toBeInTheDocument()
      expect(server.asked(updateParent)).toEqual([
        {
          params: { id: 7 },
          query: {},
          body: {
            username: 'mwila.banda',
            password: '',
            name: 'Mwila Banda',
            email: 'mwila@example.com',
            phone: '0977',
          },
        },
      ])
    })

    test('that cannot be changed is said', async () => {
      server.on(updateParent, unanswered)
      const user = open()
      await press(user, 'Edit mwila.banda')
      await screen.findByLabelText('Password')
      await pressIn(user, 'Save Parent')
      expect(await screen.findByText('Failed to update parent')).toBeInTheDocument()
    })
  })

  describe('a student', () => {
    test('is added with a name of 2 characters and a grade', async () => {
      server.on(addStudent, chipo)
      const user = await opened()
      await press(user, 'Add Student')
      await user.type(await screen.findByLabelText('Name'), 'C')
      await pressIn(user, 'Add Student')
      expect(await screen.findByText('Name must be at least 2 characters')).toBeInTheDocument()
      expect(screen.getByText('Grade is required')).toBeInTheDocument()
      await user.type(screen.getByLabelText('Name'), 'handa')
      await user.selectOptions(screen.getByLabelText('Grade'), 'Grade 4')
      await pressIn(user, 'Add Student')
      expect(await screen.findByText('Student created successfully')).toBeInTheDocument()
      expect(server.asked(addStudent)[0]?.body).toEqual({ name: 'Chanda', grade: '4', parentId: 7 })
    })

    test('that cannot be added is said', async () => {
      server.on(addStudent, unanswered)
      const user = await opened()
      await press(user, 'Add Student')
      await user.type(await screen.findByLabelText('Name'), 'Chanda')
      await user.selectOptions(screen.getByLabelText('Grade'), 'Grade 4')
      await pressIn(user, 'Add Student')
      expect(await screen.findByText('Failed to create student')).toBeInTheDocument()
    })
  })
})

const message = (more: Partial<FamilyMessage>): FamilyMessage => ({
  channel: 'mail',
  at: '2026-09-16T04:40:00.000Z',
  to: 'mutinta@example.org',
  subject: 'Your meals are ordered',
  state: 'sent',
  endedAt: null,
  tries: 0,
  failure: null,
  ...more,
})

test('names each message that did not arrive, on which channel, and why', () => {
  render(
    <FamilyMessages
      reachedBy={['mail', 'sms']}
      messages={[
        message({}),
        message({
          subject: 'How to pay',
          state: 'waiting',
          tries: 2,
          failure: 'the mail server answered 451',
        }),
        message({ subject: 'Refund', state: 'given_up', tries: 9, failure: 'the mail server answered 550' }),
        message({
          channel: 'sms',
          to: '+260977123456',
          subject: 'Reminder',
          state: 'unclear',
          failure: 'the gateway did not answer in time',
        }),
      ]}
    />,
  )
  expect(screen.getByText('Written to by email and SMS')).toBeInTheDocument()
  const when = '16 September 2026 at 06:40'
  expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
    `Your meals are orderedMail to mutinta@example.org · ${when}Sent`,
    `How to payMail to mutinta@example.org · ${when}Because the mail server answered 451Not sent yet, 2 failed`,
    `RefundMail to mutinta@example.org · ${when}Because the mail server answered 550Did not arrive`,
    `ReminderSMS to +260977123456 · ${when}Because the gateway did not answer in timePerhaps not sent`,
  ])
})

test('says that nothing reaches a family without an address and a verified phone', () => {
  render(<FamilyMessages reachedBy={[]} messages={[]} />)
  expect(screen.getByText('No message reaches this family')).toBeInTheDocument()
  expect(screen.getByText('No message was written.')).toBeInTheDocument()
})
