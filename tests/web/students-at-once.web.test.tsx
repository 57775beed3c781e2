import { screen, waitFor, within } from '@testing-library/react'
import {
  acceptGuardianInvite,
  getGuardianInvite,
  inviteGuardian,
  listGuardians,
  removeGuardian,
  waitingInvites,
  withdrawInvite,
} from '#contracts/accounts'
import {
  type Student,
  type User,
  addStudent,
  currentUser,
  deleteStudent,
  listStudents,
  updateStudent,
  login,
  register,
} from '#contracts/identity'
import { fetchFirstPage } from '../../web/app/pages'
import { bodyOf, emptyItem } from '../../web/features/catalogue-admin/form/item-values'
import { labelFormatNamed } from '../../web/features/kitchen/labels/label-formats'
import { own } from '../../web/lib/own'
import { firstScreen } from '../../web/pages/admin/console'
import { panels as parents } from '../../web/pages/parent/home'
import { panels as teachers } from '../../web/pages/teacher/home'
import { everyObjectHas } from '../support/own-keys'
import { type FakeServer, FakeRefusal, refusal } from './admin/fake-server'
import { freshPortal, openPortal, press, messageOf, shownAddress } from './open-portal'
import { bwalya, chanda, parent, staff } from './sample-family'

describe('students at once', () => {
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
    if (screen.queryByRole('button', { name: 'Add a child' })) await press(hands, 'Add a child')
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
    await press(hands, 'Add a child')
    const dial = screen.getByRole('radiogroup', { name: 'Grade' })
    expect(dial).toHaveAttribute('aria-required', 'true')
    await press(hands, 'Add Student')
    await said('Please select a grade')
    expect(dial).toHaveAttribute('aria-invalid', 'true')
    await hands.click(within(dial).getByRole('radio', { name: 'Grade K' }))
    await waitFor(() => expect(dial).not.toHaveAttribute('aria-invalid'))
  })
})

describe('guardians', () => {
  let server: FakeServer
  const me = { userId: 5, name: 'Mutinta Mwila', first: true }
  const father = { userId: 8, name: 'Bwalya Mwila', first: false }
  const aunt = {
    id: '01990000-0000-7000-8000-000000000001',
    email: 'aunt@example.org',
    expiresAt: '2026-09-21T05:00:00.000Z',
  }
  const shown = {
    student: { name: 'Chanda' },
    students: [{ name: 'Chanda' }, { name: 'Mutale' }],
    invitedBy: { name: 'Bwalya Mwila' },
    expiresAt: aunt.expiresAt,
  }
  beforeEach(() => {
    server = freshPortal()
    server.on(listStudents, [chanda])
    server.on(listGuardians, { guardians: [me, father], invites: [aunt] })
  })

  const said = async (text: string | RegExp) => expect(await screen.findByText(text)).toBeInTheDocument()

  const open = async () => {
    const hands = openPortal('/?tab=students', parent)
    await said('Also a guardian: Bwalya Mwila')
    await press(hands, 'Guardians: Chanda')
    await screen.findByRole('list', { name: 'Guardians' })
    return { hands, dialog: within(screen.getByRole('dialog')) }
  }

  describe('the first guardian', () => {
    test('sees who else is one, and who is invited until when', async () => {
      const { dialog } = await open()
      expect(dialog.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
        'Mutinta MwilaFirst guardian',
        'Bwalya Mwila',
        'aunt@example.orgInvited, until 21 September',
      ])
      expect(dialog.queryByRole('button', { name: 'Remove Mutinta Mwila' })).not.toBeInTheDocument()
    })

    test('invites by an email address, and is told under the field what is wrong with it', async () => {
      server.on(inviteGuardian, { ...aunt, code: 'k7fq-m2xw-9hte', link: 'https://lunch.example.org/x' })
      const { hands, dialog } = await open()
      const field = dialog.getByLabelText('Email address of another guardian')
      await hands.type(field, 'nobody')
      await press(hands, 'Send Invitation')
      await waitFor(() => expect(messageOf(field)).toBe('Please enter a valid email address'))
      await hands.clear(field)
      await hands.type(field, 'aunt@example.org')
      await press(hands, 'Send Invitation')
      await said('Invitation sent')
      expect(server.asked(inviteGuardian)).toEqual([
        expect.objectContaining({ params: { id: 1 }, body: { email: 'aunt@example.org' } }),
      ])
      const message = 'This is your own email address'
      server.on(inviteGuardian, () => refusal(422, 'own_address', message, { fields: { email: message } }))
      await hands.type(field, 'mwila@example.com')
      await press(hands, 'Send Invitation')
      await waitFor(() => expect(messageOf(field)).toBe(message))
    })

    test('invites for all own children at once, by a code to share, and sees it', async () => {
      server.on(listStudents, [chanda, { ...chanda, id: 2, name: 'Mutale' }])
      const link = 'https://lunch.example.org/guardian-invite/k7fq-m2xw-9hte'
      const shared = { ...aunt, email: null, code: 'k7fq-m2xw-9hte', link }
      server.on(inviteGuardian, shared)
      const { hands, dialog } = await open()
      expect(dialog.getByRole('checkbox', { name: 'Also for Mutale' })).toBeChecked()
      server.on(listGuardians, { guardians: [me], invites: [shared] })
      await press(hands, 'Make a code to share')
      await said('k7fq-m2xw-9hte')
      await said(link)
      await said('Whoever has the code')
      await press(hands, 'Copy the link')
      await said('You can paste the invitation link now.')
      expect(await navigator.clipboard.readText()).toBe(link)
      expect(server.asked(inviteGuardian)[0]).toMatchObject({
        params: { id: 1 },
        body: { studentIds: [2] },
      })
    })

    test('removes a guardian', async () => {
      server.on(removeGuardian, { message: '' })
      const { hands, dialog } = await open()
      server.on(listGuardians, { guardians: [me], invites: [] })
      await press(hands, 'Remove Bwalya Mwila')
      await said('Bwalya Mwila is no longer a guardian')
      expect(server.asked(removeGuardian)[0]).toMatchObject({ params: { id: 1, userId: 8 } })
      await waitFor(() => expect(dialog.getAllByRole('listitem')).toHaveLength(1))
    })

    test('withdraws an invitation', async () => {
      server.on(withdrawInvite, { message: '' })
      const { hands } = await open()
      await press(hands, 'Withdraw the invitation of aunt@example.org')
      await said('The invitation is withdrawn')
      expect(server.asked(withdrawInvite)[0]).toMatchObject({ params: { id: 1, inviteId: aunt.id } })
    })
  })

  test('a second guardian sees who is the first, changes neither name nor grade, and may leave', async () => {
    server.on(listStudents, [{ ...chanda, parentId: 8, parent_id: 8 }])
    const guardians = [
      { ...father, first: true },
      { ...me, first: false },
    ]
    server.on(listGuardians, { guardians, invites: [] })
    server.on(removeGuardian, { message: '' })
    const hands = openPortal('/?tab=students', parent)
    await said('First guardian: Bwalya Mwila')
    await said('Second guardian')
    for (const name of ['Edit Chanda', 'Delete Chanda', 'Guardians: Chanda'])
      expect(screen.queryByRole('button', { name })).not.toBeInTheDocument()
    await press(hands, 'Leave Chanda')
    server.on(listStudents, [])
    await hands.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Leave' }))
    await said('No students yet')
    expect(server.asked(removeGuardian)[0]).toMatchObject({ params: { id: 1, userId: 5 } })
  })

  describe('the page of an invitation', () => {
    const address = '/guardian-invite/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
    test('says who asks and for whom, and accepts', async () => {
      server.on(getGuardianInvite, shown)
      const accepted = { ...chanda, parentId: 8, parent_id: 8 }
      server.on(acceptGuardianInvite, {
        ...accepted,
        students: [accepted, { ...accepted, id: 2, name: 'Mutale' }],
      })
      const hands = openPortal(address, parent)
      await said(/is open until 21 September/)
      const headline = 'Bwalya Mwila asks you to be a guardian of Chanda and Mutale'
      expect(screen.getByRole('heading', { level: 1, name: headline })).toBeInTheDocument()
      expect(server.asked(acceptGuardianInvite)).toEqual([])
      await press(hands, 'Accept')
      await said('You are a guardian of Chanda and Mutale now.')
      expect(screen.getByRole('link', { name: 'Choose lunches' })).toHaveAttribute('href', '/')
    })

    test('says to another account what is the matter, and no name', async () => {
      const message =
        'This invitation was sent to another email address. Log in with the account that has it.'
      server.on(getGuardianInvite, () => refusal(403, 'invite_for_another_address', message))
      openPortal(address, parent)
      await said(message)
      expect(screen.getByRole('link', { name: 'Home' })).toHaveAttribute('href', '/')
      expect(screen.queryByRole('button', { name: 'Accept' })).not.toBeInTheDocument()
    })

    test('says why it could not be accepted after all', async () => {
      server.on(getGuardianInvite, shown)
      const message = 'This invitation has already been accepted. Each works once.'
      server.on(acceptGuardianInvite, () => refusal(409, 'invite_used', message))
      const hands = openPortal(address, parent)
      await press(hands, 'Accept')
      await said(message)
    })

    describe('before signing in', () => {
      const withAddress = `${address}#${btoa('father@example.org')}`
      beforeEach(() => {
        server.on(currentUser, () => {
          throw new FakeRefusal(401, { message: '', error: '', code: 'not_signed_in' })
        })
        server.on(getGuardianInvite, shown)
      })

      test('makes an account first, with the address filled in, which the link confirms', async () => {
        server.on(register, parent)
        const hands = openPortal(withAddress, null)
        await screen.findByRole('heading', { level: 1, name: 'You are invited to be a guardian' })
        expect(await screen.findByLabelText('Email Address (Optional)')).toHaveValue('father@example.org')
        for (const [label, text] of Object.entries({
          'First Name': 'Bwalya',
          'Last Name': 'Mwila',
          Username: 'mwila',
          Password: 'secret-password',
        }))
          await hands.type(screen.getByLabelText(label), text)
        server.on(currentUser, parent)
        await press(hands, 'Create Account')
        await said(/asks you to be a guardian of/)
        expect(server.asked(register)[0]!.body).toMatchObject({
          email: 'father@example.org',
          invite: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
        })
      })

      test('logs in to an account that is there, and is there afterwards', async () => {
        server.on(login, parent)
        const hands = openPortal(withAddress, null)
        await press(hands, /Already have an account/)
        await hands.type(await screen.findByLabelText('Username'), 'mwila')
        await hands.type(screen.getByLabelText('Password'), 'secret-password')
        server.on(currentUser, parent)
        await press(hands, 'Login to Portal')
        await said(/asks you to be a guardian of/)
        expect(shownAddress()).toBe(address)
        expect(server.asked(login)[0]!.body).toMatchObject({
          invite: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
        })
      })
    })
  })

  describe('an invitation that waits', () => {
    const waiting = {
      id: aunt.id,
      children: ['Chanda', 'Mutale'],
      invitedBy: { name: 'Bwalya Mwila' },
      expiresAt: aunt.expiresAt,
    }

    test('stands on the home in place of the first child, and is accepted there', async () => {
      server.on(listStudents, [])
      server.on(waitingInvites, [waiting])
      server.on(acceptGuardianInvite, { ...chanda, students: [chanda] })
      const hands = openPortal('/', parent)
      await said('Bwalya Mwila asks you to be a guardian of Chanda and Mutale')
      expect(screen.queryByRole('button', { name: 'Add your first child' })).not.toBeInTheDocument()
      server.on(listStudents, [chanda])
      server.on(waitingInvites, [])
      await press(hands, 'Accept')
      await waitFor(() => expect(screen.queryByText(/asks you to be/)).not.toBeInTheDocument())
      expect(server.asked(acceptGuardianInvite)[0]).toMatchObject({ params: { idOrCode: aunt.id } })
    })

    test('by a code is opened where codes are typed', async () => {
      server.on(getGuardianInvite, shown)
      const hands = openPortal('/?tab=students', parent)
      await press(hands, 'Add a child')
      await press(hands, 'Add children with a code')
      await hands.type(screen.getByLabelText("Code from the School's Letter"), 'K7FQ-M2XW-9HTE')
      await press(hands, 'Add my children')
      await said(/asks you to be a guardian of/)
      expect(shownAddress()).toBe('/guardian-invite/K7FQ-M2XW-9HTE')
    })
  })
})

const user = (role: User['role']) => ({ role, isSuperadmin: true, allowedFeatures: [] }) as unknown as User

describe.each(everyObjectHas)('%s, which every object has, names nothing that we have', (name) => {
  test.each(['parent', 'teacher', 'admin'] as const)(
    'in the address of the first page of a %s',
    async (role) => {
      const search = `?tab=${name}&section=${name}`
      await expect(fetchFirstPage(user(role), { pathname: '/', search })).resolves.toBeUndefined()
    },
  )

  test('among tabs, sections and label formats', () => {
    expect([parents.get(name), teachers.get(name)]).toEqual([undefined, undefined])
    expect(firstScreen(user('admin'), name)).toBe(firstScreen(user('admin'), null))
    expect(labelFormatNamed(name)).toBe(labelFormatNamed(null))
  })

  test('among the descriptions of proteins, where a protein is called so', () => {
    const item = { ...emptyItem, categories: [name] }
    expect(own(item.proteinDescriptions, name)).toBeUndefined()
    expect(bodyOf(item).proteinDescriptions).toEqual({})
  })
})
