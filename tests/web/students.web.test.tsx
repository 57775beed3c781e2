import { screen, waitFor, within } from '@testing-library/react'
import { addStaffEntry } from '#contracts/accounts'
import { type Health, getAllergens, getHealth, saveHealth, mealMarks } from '#contracts/health'
import {
  addStudent,
  deleteStudent,
  listStudents,
  updateStudent,
  listSessions,
  sendVerification,
} from '#contracts/identity'
import { listOrders } from '#contracts/ordering'
import { claimStudents } from '#contracts/roll-import'
import { type FakeServer, FakeRefusal, refusal } from './admin/fake-server'
import { forgetToasts } from './admin/open-console'
import { freshPortal, messageOf, openPortal, press, shownAddress } from './open-portal'
import { bwalya, chanda, order, parent, staff } from './sample-family'

describe('students', () => {
  let server: FakeServer
  beforeEach(() => {
    server = freshPortal()
    server.on(listStudents, [chanda, staff])
  })

  const open = async () => {
    const hands = openPortal('/?tab=students', parent)
    await screen.findByText('Chanda')
    await press(hands, 'Add a child')
    return hands
  }
  const dial = () => within(screen.getAllByRole('radiogroup', { name: 'Grade' })[0]!)
  const chosen = () => dial().getByRole('radio', { checked: true }).getAttribute('aria-label')
  const said = async (text: string) => expect(await screen.findByText(text)).toBeInTheDocument()

  describe('the grade dial', () => {
    test('has the fourteen grades', async () => {
      await open()
      expect(
        dial()
          .getAllByRole('radio')
          .map(({ textContent }) => textContent),
      ).toEqual(['ELC', 'K', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'])
    })

    test('is turned with the arrow keys, around both ends', async () => {
      const hands = await open()
      screen.getByLabelText('Name').focus()
      await hands.tab()
      await hands.keyboard(' ')
      expect(chosen()).toBe('Grade ELC')
      await hands.keyboard('{ArrowRight}')
      expect(chosen()).toBe('Grade K')
      await hands.keyboard('{ArrowDown}{ArrowDown}')
      expect(chosen()).toBe('Grade 2')
      await hands.keyboard('{ArrowLeft}{ArrowUp}{ArrowUp}{ArrowUp}')
      expect(chosen()).toBe('Grade 12')
      await hands.keyboard('{Home}')
      expect(chosen()).toBe('Grade ELC')
      await hands.keyboard('{End}')
      expect(chosen()).toBe('Grade 12')
      expect(dial().getByRole('radio', { name: 'Grade 12' })).toHaveFocus()
      await hands.tab()
      expect(screen.getByRole('button', { name: 'Add Student' })).toHaveFocus()
    })
  })

  const add = async (hands: Awaited<ReturnType<typeof open>>) => {
    await hands.type(screen.getByLabelText('Name'), ' Bwalya ')
    await hands.click(dial().getByRole('radio', { name: 'Grade 8' }))
    await press(hands, 'Add Student')
  }

  describe('adding', () => {
    test('needs a name and a grade', async () => {
      const hands = await open()
      await hands.type(screen.getByLabelText('Name'), '  ')
      await press(hands, 'Add Student')
      await waitFor(() => expect(messageOf(screen.getByLabelText('Name'))).toBe('Name is required'))
      await said('Please select a grade')
      expect(server.asked(addStudent)).toHaveLength(0)
    })

    test('sends the trimmed name, shows the child, and makes room for the next', async () => {
      server.on(addStudent, bwalya)
      const hands = await open()
      server.on(listStudents, [chanda, bwalya, staff])
      await add(hands)
      expect(await screen.findByRole('heading', { name: 'Bwalya is added' })).toHaveFocus()
      await said('Bwalya')
      expect(server.asked(addStudent)[0]?.body).toEqual({ name: 'Bwalya', grade: '8', parent_id: 5 })
      expect(screen.queryByLabelText('Name')).not.toBeInTheDocument()
      await press(hands, 'Add another')
      expect(screen.getByLabelText('Name') as HTMLInputElement).toHaveValue('')
      expect(screen.getByLabelText('Name')).toHaveFocus()
      expect(dial().queryByRole('radio', { checked: true })).not.toBeInTheDocument()
      await add(hands)
      window.scrollTo = jest.fn()
      await press(hands, 'Choose meals')
      expect(shownAddress()).toBe('/?tab=menu&student=1')
      expect(window.scrollTo).toHaveBeenCalledWith({ top: 0 })
    })

    test('leads to the first child without a lunch to come', async () => {
      server.on(listOrders, [order({ dayOfWeek: 5 })])
      server.on(addStudent, bwalya)
      const hands = await open()
      server.on(listStudents, [chanda, bwalya, staff])
      await add(hands)
      await said('Bwalya')
      await press(hands, 'Choose meals')
      expect(shownAddress()).toBe('/?tab=menu&student=2')
    })

    test('is behind a press, which leads to the name; own children stand before those of another account', async () => {
      server.on(listStudents, [{ ...bwalya, parent_id: 8, parentId: 8 }, chanda])
      const hands = openPortal('/?tab=students', parent)
      await said('Chanda')
      const rows = within(screen.getByRole('region', { name: 'Registered Students' })).getAllByRole(
        'listitem',
      )
      expect(rows.map((row) => /Chanda|Bwalya/.exec(row.textContent)?.[0])).toEqual(['Chanda', 'Bwalya'])
      expect(screen.queryByLabelText('Name')).not.toBeInTheDocument()
      await press(hands, 'Add a child')
      expect(screen.getByLabelText('Name')).toHaveFocus()
      expect(screen.queryByRole('button', { name: 'Choose meals' })).not.toBeInTheDocument()
    })

    test("a failure in the server's words, or the spec's", async () => {
      server.on(addStudent, () => refusal(422, 'too_many', 'Too many students'))
      const hands = await open()
      await add(hands)
      await said('Too many students')
      server.on(addStudent, () => {
        throw new FakeRefusal(502, null)
      })
      await press(hands, 'Add Student')
      await said('Failed to create student')
    })
  })

  const begin = async () => {
    const hands = await open()
    await press(hands, 'Add children with a code')
    return hands
  }

  describe('a code of the school', () => {
    const wrong = 'This code is not valid. Check its letters, or ask the school office for a new one.'
    const label = "Code from the School's Letter"

    test('puts its children on the account, however it is typed', async () => {
      server.on(claimStudents, [bwalya])
      const hands = await begin()
      expect(screen.getByLabelText(label)).toHaveFocus()
      server.on(listStudents, [chanda, bwalya, staff])
      await hands.keyboard(' bcdf ghjk{Enter}')
      await said('Bwalya is added')
      await said('Grade 8')
      expect(server.asked(claimStudents)[0]?.body).toEqual({ code: 'bcdf ghjk' })
      await press(hands, 'Add another')
      expect(await screen.findByRole('button', { name: 'Add children with a code' })).toBeInTheDocument()
    })

    test('that is not valid, or missing, says so under its field', async () => {
      server.on(claimStudents, () => refusal(422, 'claim_code_wrong', wrong, { fields: { code: wrong } }))
      const hands = await begin()
      const field = screen.getByLabelText(label)
      await press(hands, 'Add my children')
      await waitFor(() => expect(messageOf(field)).toBe('Enter the code'))
      await hands.type(field, 'WRONGONE')
      await press(hands, 'Add my children')
      await waitFor(() => expect(messageOf(field)).toBe(wrong))
      expect(field).toHaveValue('WRONGONE')
    })

    test('tried too often says for how long to wait', async () => {
      server.on(claimStudents, () => refusal(429, 'too_many_requests', 'Too many', { retryAfter: 700 }))
      const hands = await begin()
      await hands.keyboard('BCDFGHJK{Enter}')
      const field = screen.getByLabelText(label)
      await waitFor(() => expect(messageOf(field)).toBe('Too many tries. Wait 12 minutes, then try again.'))
    })

    test('that could not be sent is told, and stays', async () => {
      server.on(claimStudents, () => {
        throw new FakeRefusal(502, null)
      })
      const hands = await begin()
      await hands.keyboard('BCDFGHJK{Enter}')
      await said('Failed to add the children')
      expect(screen.getByLabelText(label)).toHaveValue('BCDFGHJK')
    })

    test('of a letter that is opened by whoever has an account waits in its field', async () => {
      server.on(claimStudents, [bwalya])
      const hands = openPortal('/register?code=BCDFGHJK', parent)
      expect(await screen.findByLabelText(label)).toHaveValue('BCDFGHJK')
      const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
      expect(headings[0]).toBe('Add the children of your letter')
      server.on(listStudents, [chanda, bwalya, staff])
      await press(hands, 'Add my children')
      await said('Bwalya is added')
      expect(shownAddress()).toBe('/?tab=students')
      expect(screen.queryByLabelText(label)).not.toBeInTheDocument()
    })
  })

  describe('a registered student', () => {
    test('is changed in its place', async () => {
      server.on(updateStudent, { ...chanda, name: 'Chanda M.', affectedOrders: [] })
      const hands = await open()
      await press(hands, 'Edit Chanda')
      const row = within(screen.getByDisplayValue('Chanda').closest('li')!)
      await hands.type(row.getByLabelText('Name'), ' M.')
      await hands.click(row.getByRole('radio', { name: 'Grade 4' }))
      server.on(listStudents, [{ ...chanda, name: 'Chanda M.', grade: '4' }, staff])
      await hands.click(row.getByRole('button', { name: 'Save' }))
      await said('Chanda M.')
      expect(server.asked(updateStudent)[0]).toMatchObject({
        params: { id: 1 },
        body: { name: 'Chanda M.', grade: '4' },
      })
      expect(screen.queryByRole('button', { name: 'Save' })).not.toBeInTheDocument()
    })

    test('Cancel leaves it as it was', async () => {
      const hands = await open()
      await press(hands, 'Edit Chanda')
      await hands.type(screen.getByDisplayValue('Chanda'), ' M.')
      await press(hands, 'Cancel')
      await said('Chanda')
      expect(server.asked(updateStudent)).toHaveLength(0)
    })

    test('a change that fails stays open', async () => {
      server.on(updateStudent, () => {
        throw new FakeRefusal(502, null)
      })
      const hands = await open()
      await press(hands, 'Edit Chanda')
      await press(hands, 'Save')
      await said('Failed to update student')
      expect(screen.getByRole('button', { name: 'Save' })).toBeInTheDocument()
    })

    test('is deleted after a question', async () => {
      server.on(deleteStudent, { message: 'Student deleted' })
      const hands = await open()
      await press(hands, 'Delete Chanda')
      const question = within(await screen.findByRole('dialog', { name: 'Delete Chanda?' }))
      server.on(listStudents, [staff])
      await hands.click(question.getByRole('button', { name: 'Delete' }))
      await waitFor(() => expect(screen.queryByText('Chanda')).not.toBeInTheDocument())
      expect(server.asked(deleteStudent)[0]?.params).toEqual({ id: 1 })
    })

    test('with orders it stays, in the words of the server', async () => {
      server.on(deleteStudent, () => refusal(409, 'student_has_orders', 'Chanda has 2 orders'))
      const hands = await open()
      await press(hands, 'Delete Chanda')
      await hands.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
      await said('Chanda has 2 orders')
    })

    test('a staff account is only shown', async () => {
      await open()
      await said('Mrs Mwila')
      expect(screen.queryByRole('button', { name: 'Edit Mrs Mwila' })).not.toBeInTheDocument()
      expect(screen.queryByRole('button', { name: 'Delete Mrs Mwila' })).not.toBeInTheDocument()
    })
  })

  test('nobody yet: the form comes first, its field focused; the new child is asked about allergies there, once', async () => {
    server.on(listStudents, [])
    server.on(addStudent, bwalya)
    const hands = openPortal('/', parent)
    await press(hands, 'Add your first child')
    await said('No students yet')
    const name = screen.getByLabelText('Name')
    expect(name).toHaveFocus()
    const list = screen.getByRole('region', { name: 'Registered Students' })
    expect(name.compareDocumentPosition(list)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    expect(screen.queryByRole('button', { name: 'Add a child' })).not.toBeInTheDocument()
    server.on(listStudents, [bwalya])
    server.on(mealMarks, {
      rule: 'block',
      students: [{ studentId: bwalya.id, allergies: null, diet: 'none' }],
    })
    await add(hands)
    const added = await screen.findByRole('heading', { name: 'Bwalya is added' })
    expect(added).toHaveFocus()
    expect(added.compareDocumentPosition(list)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    const asked = await screen.findByRole('region', { name: 'Allergies and diet' })
    expect(asked).toHaveTextContent('Is there anything that Bwalya must not eat?')
    await press(hands, 'Choose meals')
    expect(shownAddress()).toBe('/?tab=menu&student=2')
    expect((await screen.findAllByText(/^Monday/)).length).toBeGreaterThan(0)
    expect(screen.queryByRole('region', { name: 'Allergies and diet' })).not.toBeInTheDocument()
  })

  describe('a parent who works at the school', () => {
    test('adds a staff account with the code of the school, once', async () => {
      server.on(listStudents, [chanda])
      server.on(addStaffEntry, () =>
        refusal(422, 'staff_code_wrong', 'No', {
          fields: { code: 'This is not the staff code of the school' },
        }),
      )
      const hands = await open()
      await press(hands, 'I work at this school')
      const field = await screen.findByLabelText('Staff code')
      await hands.type(field, 'chalk')
      await press(hands, 'Add my staff account')
      await waitFor(() => expect(messageOf(field)).toBe('This is not the staff code of the school'))
      server.on(addStaffEntry, staff)
      server.on(listStudents, [chanda, staff])
      await hands.type(field, ' and board')
      await press(hands, 'Add my staff account')
      await said('Mrs Mwila is added')
      await said('Staff Account')
      expect(server.asked(addStaffEntry).at(-1)?.body).toEqual({ code: 'chalk and board' })
      expect(screen.queryByRole('button', { name: 'I work at this school' })).not.toBeInTheDocument()
      expect(screen.queryByLabelText('Staff code')).not.toBeInTheDocument()
    })

    test('who has a staff account is not asked', async () => {
      await open()
      await said('Staff Account')
      expect(screen.queryByRole('button', { name: 'I work at this school' })).not.toBeInTheDocument()
    })
  })
})

describe('health', () => {
  const undeclared: Health = {
    allergies: null,
    diet: 'none',
    medicalNote: '',
    noteConsent: false,
    updatedAt: null,
  }

  let server: FakeServer
  beforeEach(() => {
    server = freshPortal()
    server.on(listStudents, [chanda])
    server.on(getAllergens, { allergens: ['Milk', 'Peanuts', 'Kiwi'] })
  })

  const said = (health: Health) => {
    server.on(getHealth, health)
    const { allergies, diet } = health
    server.on(mealMarks, { rule: 'block', students: [{ studentId: chanda.id, allergies, diet }] })
  }

  const open = async (health: Health) => {
    said(health)
    server.on(saveHealth, health)
    const hands = openPortal('/?tab=students', parent)
    await screen.findByText('Chanda')
    return hands
  }

  test('a parent says what a child is allergic to, and who may read the note', async () => {
    const hands = await open(undeclared)
    await hands.click(
      await screen.findByRole('button', { name: 'Tell the kitchen about allergies and diet: Chanda' }),
    )
    const dialog = within(await screen.findByRole('dialog', { name: 'Allergies and diet of Chanda' }))
    await hands.selectOptions(await dialog.findByLabelText('Allergies'), 'Has allergies')
    await press(hands, 'Save')
    expect(await dialog.findByText('Tick at least one')).toBeInTheDocument()
    expect(server.asked(saveHealth)).toEqual([])
    await hands.click(dialog.getByRole('checkbox', { name: 'Kiwi' }))
    await hands.selectOptions(dialog.getByLabelText('Diet'), 'Halal')
    await hands.type(dialog.getByLabelText('Medical note (optional)'), 'Inhaler in the bag')
    await hands.click(dialog.getByRole('checkbox', { name: /The kitchen may read the note/ }))
    await press(hands, 'Save')
    expect(await screen.findByText('Allergies and diet are saved')).toBeInTheDocument()
    expect(server.asked(saveHealth).map(({ body }) => body)).toEqual([
      { allergies: ['Kiwi'], diet: 'halal', medicalNote: 'Inhaler in the bag', noteConsent: true },
    ])
  })

  test('the home asks where nothing was said of a child, and no longer once it was', async () => {
    said(undeclared)
    server.on(saveHealth, undeclared)
    const hands = openPortal('/', parent)
    const asked = await screen.findByRole('region', { name: 'Allergies and diet' })
    expect(asked).toHaveTextContent('Is there anything that Chanda must not eat?')
    await hands.click(within(asked).getByRole('button', { name: 'Say it now: Chanda' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Allergies and diet of Chanda' }))
    await hands.selectOptions(await dialog.findByLabelText('Allergies'), 'No allergies')
    said({ ...undeclared, allergies: [] })
    await press(hands, 'Save')
    await waitFor(() => expect(asked).not.toBeInTheDocument())
    expect(server.asked(saveHealth).map(({ body }) => body)).toMatchObject([{ allergies: [] }])
  })

  test('the home asks once: Later ends it on this device, and the child keeps the way', async () => {
    said(undeclared)
    const hands = openPortal('/', parent)
    const asked = await screen.findByRole('region', { name: 'Allergies and diet' })
    await press(hands, 'Later')
    expect(asked).not.toBeInTheDocument()
    await hands.click(screen.getByRole('tab', { name: 'Students' }))
    const tell = 'Tell the kitchen about allergies and diet: Chanda'
    expect(await screen.findByRole('button', { name: tell })).toBeInTheDocument()
    await hands.click(screen.getByRole('tab', { name: /Menu Calendar/ }))
    expect((await screen.findAllByText(/^Monday/)).length).toBeGreaterThan(0)
    expect(screen.queryByRole('region', { name: 'Allergies and diet' })).not.toBeInTheDocument()
  })

  test('what was said stands beside the child, none told apart from not said, and no record is read for it', async () => {
    await open({ ...undeclared, allergies: ['Peanuts'], diet: 'no_pork' })
    expect(await screen.findByText('Allergies: Peanuts · No pork')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Change allergies and diet: Chanda' })).toBeInTheDocument()
    expect(server.asked(getHealth)).toEqual([])
  })
})

describe('unverified email', () => {
  afterEach(forgetToasts)

  test('an email that is not confirmed yet has its link sent again', async () => {
    const server = freshPortal()
    server.on(listSessions, [])
    const hands = openPortal('/', { ...parent, email: 'new@example.com', emailVerified: false })
    await press(hands, 'View Profile')
    const words = await screen.findByText('new@example.com is not confirmed yet.')
    // Beside the address that it is about.
    const phone = screen.getByLabelText('Phone (Optional)')
    expect(words.compareDocumentPosition(phone)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    server.on(sendVerification, () => refusal(429, 'too_many_requests', 'Too many requests'))
    await press(hands, 'Send the Link Again')
    expect(await screen.findByText('Link not sent')).toBeInTheDocument()
    server.on(sendVerification, { message: 'We have sent you a new link' })
    await press(hands, 'Send the Link Again')
    expect(
      await screen.findByText('Please open the link in the email to new@example.com.'),
    ).toBeInTheDocument()
  })
})
