import { screen, waitFor, within } from '@testing-library/react'
import {
  addStudent,
  currentUser,
  deleteStudent,
  listStudents,
  updateStudent,
  type Student,
} from '#contracts/identity'
import { FakeRefusal, refusal, type FakeServer } from './admin/fake-server'
import { freshPortal, openPortal, press } from './open-portal'
import { bwalya, chanda, parent, staff } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
  server.on(listStudents, [chanda, staff])
})

const open = async () => {
  const hands = openPortal('/?tab=students', parent)
  await screen.findByText('Chanda')
  return hands
}
type Hands = Awaited<ReturnType<typeof open>>
const said = async (text: string) => expect(await screen.findByText(text)).toBeInTheDocument()
const row = (name: string) => screen.getByText(name).closest('li')!
const unanswered = () => {
  throw new TypeError('Failed to fetch')
}
const signedOut = () => refusal(401, 'not_signed_in', 'Please sign in')

/** An answer that comes when the test says so. */
const answersLater = () => {
  const answers: { give: (student: Student) => void; refuse: (error: Error) => void }[] = []
  const wait = () => new Promise<Student>((give, refuse) => answers.push({ give, refuse }))
  return { wait, first: () => answers[0]! }
}

const fillIn = async (hands: Hands) => {
  await hands.type(screen.getByLabelText('Name'), 'Bwalya')
  await hands.click(screen.getByRole('radio', { name: 'Grade 8' }))
  await press(hands, 'Add Student')
}
const rename = async (hands: Hands) => {
  await press(hands, 'Edit Chanda')
  await hands.type(screen.getByDisplayValue('Chanda'), ' M.')
  await press(hands, 'Save')
}
const confirmDeletion = async (hands: Hands) => {
  await press(hands, 'Delete Chanda')
  const question = within(await screen.findByRole('dialog', { name: 'Delete Chanda?' }))
  expect(question.getByText(/you can no longer order for them/)).toBeInTheDocument()
  await hands.click(question.getByRole('button', { name: 'Delete' }))
}

describe('before the server has answered', () => {
  test('the next child may be written: what was entered for it stays when the first has arrived', async () => {
    const { wait, first } = answersLater()
    server.on(addStudent, wait)
    const hands = await open()
    await fillIn(hands)
    const name = screen.getByLabelText('Name')
    await hands.clear(name)
    await hands.type(name, 'Mutale')
    server.on(listStudents, [chanda, bwalya, staff])
    first().give(bwalya)
    await said('Bwalya is added')
    await screen.findByRole('button', { name: 'Add Student' })
    expect(name).toHaveProperty('value', 'Mutale')
    expect(screen.queryByRole('radio', { name: 'Grade 8', checked: true })).not.toBeInTheDocument()
  })

  test('a new child stands in the list, and goes again when refused; what was typed stays', async () => {
    const { wait, first } = answersLater()
    server.on(addStudent, wait)
    const hands = await open()
    await fillIn(hands)
    expect(row('Bwalya').textContent).toBe('BwalyaGrade 8 · Adding…')
    expect(screen.getByRole('button', { name: 'Adding…' })).toHaveProperty('disabled', true)
    first().refuse(new FakeRefusal(502, null))
    await said('Failed to create student')
    await waitFor(() => expect(screen.queryByText('Bwalya')).not.toBeInTheDocument())
    expect(screen.getByDisplayValue('Bwalya')).toBeInTheDocument()
  })

  test('the first child takes the place of the empty list', async () => {
    server.on(listStudents, [])
    const { wait, first } = answersLater()
    server.on(addStudent, wait)
    const hands = openPortal('/?tab=students', parent)
    await said('No students yet')
    await fillIn(hands)
    expect(row('Bwalya')).toBeTruthy()
    expect(screen.queryByText('No students yet')).not.toBeInTheDocument()
    server.on(listStudents, [bwalya])
    first().give(bwalya)
    await said('Bwalya is added')
    expect(screen.getByRole('button', { name: 'Edit Bwalya' })).toBeInTheDocument()
  })

  test('a changed name is read, and the form is back with it when refused', async () => {
    const { wait, first } = answersLater()
    server.on(updateStudent, wait as () => never)
    const hands = await open()
    await rename(hands)
    expect(row('Chanda M.').textContent).toBe('Chanda M.Grade 3 · Saving…')
    expect(screen.getByRole('button', { name: 'Edit Chanda M.' })).toHaveFocus()
    first().refuse(new FakeRefusal(502, null))
    await said('Failed to update student')
    await press(hands, 'Cancel')
    expect(row('Chanda')).toBeTruthy()
  })

  test('a deleted child is gone, and back when refused', async () => {
    const { wait, first } = answersLater()
    server.on(deleteStudent, wait as () => never)
    const hands = await open()
    await confirmDeletion(hands)
    expect(screen.queryByText('Chanda')).not.toBeInTheDocument()
    const list = screen.getByRole('region', { name: 'Registered Students' })
    await waitFor(() => expect(list).toHaveFocus())
    first().refuse(new FakeRefusal(502, null))
    await said('Failed to delete student')
    await said('Chanda')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Delete Chanda' })).toHaveFocus())
  })
})

test('the answer is in the list although it cannot be read again', async () => {
  server.on(updateStudent, { ...chanda, name: 'Chanda M.', affectedOrders: [] })
  const hands = await open()
  server.on(listStudents, unanswered)
  await rename(hands)
  await waitFor(() => expect(row('Chanda M.').textContent).toBe('Chanda M.Grade 3'))
})

test('a child with orders stays, and it stands there what can be done', async () => {
  server.on(deleteStudent, () =>
    refusal(409, 'student_has_orders', 'Chanda has 2 orders and cannot be deleted', { orderCount: 2 }),
  )
  const hands = await open()
  await confirmDeletion(hands)
  await said('Chanda has 2 orders and cannot be deleted')
  await said('Chanda')
  expect(row('Chanda').textContent).toMatch(/can be cancelled in Order History.*contact the tuckshop/)
})

const acts: [string, (hands: Hands) => Promise<void>, string][] = [
  ['adding', fillIn, 'Failed to create student'],
  ['changing', rename, 'Failed to update student'],
  ['deleting', confirmDeletion, 'Failed to delete student'],
]
const endpoints = [addStudent, updateStudent, deleteStudent]

describe.each(acts)('%s', (_act, act, fallback) => {
  test('without an answer says to look at the connection', async () => {
    for (const endpoint of endpoints) server.on(endpoint, unanswered)
    await act(await open())
    await said('Error')
    await said(`${fallback}. Please check your connection and try again.`)
  })

  test('with nobody signed in any more says so, and the way in is shown', async () => {
    for (const endpoint of endpoints) server.on(endpoint, signedOut)
    server.on(currentUser, signedOut)
    await act(await open())
    await said('User not authenticated')
    expect(await screen.findByRole('button', { name: 'Login to Portal' })).toBeInTheDocument()
  })
})

test('while the list is read its place is kept; a failure can be tried again', async () => {
  server.on(listStudents, () => refusal(500, 'fault', 'It broke'))
  const hands = openPortal('/?tab=students', parent)
  await said('Failed to load students. Please try again.')
  server.on(listStudents, () => new Promise(() => undefined))
  await press(hands, 'Try again')
  expect(screen.getByRole('tabpanel').querySelector('output')?.textContent).toBe('Loading')
})

test('the dial says what it is, that it is needed, and what is wrong with it', async () => {
  const hands = await open()
  const dial = screen.getByRole('radiogroup', { name: 'Grade' })
  expect(dial).toHaveAttribute('aria-required', 'true')
  await press(hands, 'Add Student')
  await said('Please select a grade')
  expect(dial).toHaveAttribute('aria-invalid', 'true')
  await hands.click(within(dial).getByRole('radio', { name: 'Grade K' }))
  await waitFor(() => expect(dial).not.toHaveAttribute('aria-invalid'))
})
