import { screen, within } from '@testing-library/react'
import { addStudent } from '#contracts/identity'
import { createParent, listParents, updateParent } from '#contracts/accounts'
import { fakeServer, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
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
