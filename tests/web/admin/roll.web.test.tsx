import { screen, waitFor, within } from '@testing-library/react'
import { listGuardians, removeGuardian, listParents } from '#contracts/accounts'
import { roll, mergeStudent, moveStudent } from '#contracts/enrolment'
import { updateStudent, portal } from '#contracts/identity'
import { claimCodes } from '#contracts/roll-import'
import { messageOf } from '../open-portal'
import { type FakeServer, fakeServer, refusal } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { chipo, mapalo, rollOf } from './sample-roll'
import { unanswered, mwila, parentList } from './sample-settings'

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
  server.on(roll, rollOf([chipo, mapalo]))
})
afterEach(forgetToasts)
const said = async (text: string | RegExp) => expect(await screen.findByText(text)).toBeInTheDocument()

describe('roll', () => {
  const open = (more = '') =>
    openConsole(`/?section=parents_students&tab=roll${more}`, adminWith('parents_students'))
  type Hands = ReturnType<typeof open>
  const press = async (hands: Hands, name: string | RegExp) =>
    hands.click(await screen.findByRole('button', { name }))
  const rowOf = async (name: string) =>
    within((await screen.findByText(name)).closest<HTMLElement>('[role=row]')!)

  describe('the list', () => {
    test('has every child, with its account or what the school knows of its family', async () => {
      server.on(roll, rollOf([chipo, { ...mapalo, leftAt: '2026-09-16T08:00:00.000Z' }]))
      open()
      const own = await rowOf('Chipo Banda')
      expect(own.getByRole('link', { name: 'Mwila Banda' })).toHaveAttribute('href', '/families/7')
      expect(own.getByText('A-17')).toBeInTheDocument()
      expect(own.queryByText('No account')).not.toBeInTheDocument()
      const gone = await rowOf('Mapalo Zulu')
      for (const text of ['No account', 'Mrs Zulu', '0977 100 200 · zulu@example.org', 'Left 16 Sep 2026'])
        expect(gone.getByText(text)).toBeInTheDocument()
      await said('2 children')
    })

    test('tells who was entered by its family and is not on the list of the school', async () => {
      server.on(roll, rollOf([chipo, { ...mapalo, onRoll: false }]))
      open()
      expect((await rowOf('Mapalo Zulu')).getByText('Entered by the family')).toBeInTheDocument()
      expect((await rowOf('Chipo Banda')).queryByText('Entered by the family')).not.toBeInTheDocument()
    })

    test('is searched, filtered by class and account, sorted and paged, all of it in the address', async () => {
      server.on(roll, rollOf([chipo], 2))
      const hands = open()
      await rowOf('Chipo Banda')
      await hands.selectOptions(screen.getByLabelText('Class'), '10A')
      await hands.selectOptions(screen.getByLabelText('Class'), 'Without a class')
      await hands.selectOptions(screen.getByLabelText('Family'), 'Without an account')
      await hands.selectOptions(screen.getByLabelText('At the school'), 'Left the school')
      await hands.type(screen.getByLabelText('Search children'), 'a-17')
      await waitFor(() => expect(shownAddress()).toContain('text=a-17'))
      await hands.selectOptions(screen.getByLabelText('Sort by'), 'Class, highest first')
      await press(hands, 'Next')
      await waitFor(() =>
        expect(server.asked(roll).at(-1)?.query).toEqual({
          page: 2,
          sort: 'class',
          direction: 'desc',
          text: 'a-17',
          class: '',
          claimed: false,
          left: true,
        }),
      )
      expect(server.asked(roll)[1]?.query).toEqual({ page: 1, class: '10A' })
    })

    test('leads to letters for the class that it shows, and to the year move', async () => {
      open('&class=4B&sort=class')
      const letters = await screen.findByRole('link', { name: 'Letters' })
      expect(letters).toHaveAttribute('href', '/roll/letters?class=4B')
      expect(screen.getByRole('link', { name: 'Year Move' })).toHaveAttribute('href', '/roll/year-move')
    })

    test.each([
      ['that has nobody', '', 'No children yet'],
      ['that finds nobody', '&text=zzz', 'No results found'],
    ])('%s says so', async (_name, address, text) => {
      server.on(roll, rollOf([]))
      open(address)
      await said(text)
    })

    test('that could not be read says so', async () => {
      server.on(roll, unanswered)
      open()
      await said('Failed to fetch the roll')
    })

    test('is a tab beside the parents; what was looked for stays with its tab', async () => {
      const hands = open('&text=a-17')
      await hands.click(await screen.findByRole('tab', { name: 'Parents' }))
      expect(shownAddress()).toBe('/?section=parents_students')
    })
  })

  const edit = async () => {
    const hands = open()
    await press(hands, 'Edit Chipo Banda')
    return { hands, dialog: within(await screen.findByRole('dialog', { name: 'Edit Chipo Banda' })) }
  }

  describe('editing a child', () => {
    const saved = { ...chipo, parent_id: 7, parentId: 7, affectedOrders: [] }

    test('saves name, grade, class and number; what is emptied is taken away', async () => {
      server.on(updateStudent, saved)
      const { hands, dialog } = await edit()
      await hands.selectOptions(dialog.getByLabelText('Grade'), 'Grade 5')
      await hands.clear(dialog.getByLabelText('Class (optional)'))
      await press(hands, 'Save')
      await said('Child saved')
      expect(server.asked(updateStudent)[0]).toMatchObject({
        params: { id: 31 },
        body: { name: 'Chipo Banda', grade: '5', class: '', admissionNumber: 'A-17' },
      })
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    })

    test('is told under the field that another child has the number', async () => {
      const message = 'Another child has this admission number'
      server.on(updateStudent, () =>
        refusal(409, 'admission_number_taken', message, { fields: { admissionNumber: message } }),
      )
      const { hands, dialog } = await edit()
      await press(hands, 'Save')
      const field = dialog.getByLabelText('Admission number (optional)')
      await waitFor(() => expect(messageOf(field)).toBe(message))
    })

    test('names the lunches that the new grade does not have, and keeps them on screen', async () => {
      const order = { orderId: 'o1', date: '2026-11-17', menuItem: 'School porridge' }
      server.on(updateStudent, { ...saved, grade: '6', affectedOrders: [order] })
      const { hands } = await edit()
      // The filter no longer has the child: its lunches are told all the same.
      server.on(roll, rollOf([mapalo]))
      await press(hands, 'Save')
      const name = '1 lunch of Chipo Banda is not on the menu of Grade 6'
      const told = within(await screen.findByRole('dialog', { name }))
      expect(told.getByRole('listitem')).toHaveTextContent('Tuesday, 17 November 2026: School porridge')
      await press(hands, 'Got It')
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    })

    test('that failed without words says so, and keeps what was typed', async () => {
      server.on(updateStudent, unanswered)
      const { hands, dialog } = await edit()
      await hands.type(dialog.getByLabelText('Name'), ' Jr')
      await press(hands, 'Save')
      await said('Failed to save the child')
      expect(dialog.getByLabelText('Name')).toHaveValue('Chipo Banda Jr')
    })
  })
})

describe('roll acts', () => {
  type Hands = ReturnType<typeof openConsole>
  const press = async (hands: Hands, name: string | RegExp) =>
    hands.click(await screen.findByRole('button', { name }))
  const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))
  const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())

  /** Asks for one of the acts that stand under More. */
  const askFor = async (child: string, act: RegExp) => {
    const hands = openConsole('/?section=parents_students&tab=roll', adminWith('parents_students'))
    await press(hands, `More for ${child}`)
    await press(hands, act)
    return hands
  }

  const chooseThandi = async (child = 'Chipo Banda') => {
    const hands = await askFor(child, /^Move to another account/)
    await hands.type(await screen.findByLabelText('Which account?'), 'thandi')
    await press(hands, /^Thandi Phiri/)
    return hands
  }

  describe('moving a child to another account', () => {
    const thandi = { ...mwila, id: 9, username: 'thandi', name: 'Thandi Phiri', students: [] }
    const teacher = { ...mwila, id: 11, username: 'mwape', name: 'Mr Mwape', role: 'teacher' as const }
    const held = { ...chipo, parent_id: 9, parentId: 9 }
    beforeEach(() => server.on(listParents, parentList([mwila, thandi, teacher])))

    test('asks with what follows and what stays, and moves it', async () => {
      server.on(moveStudent, held)
      const hands = await chooseThandi()
      const asked = await dialog('Move Chipo Banda to Thandi Phiri (thandi)?')
      expect(asked.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
        'Thandi Phiri orders for Chipo Banda from now on, and sees and may cancel the lunches to come.',
        'Payments, receipts and refunds stay with who has paid.',
        'Mwila Banda (mwila.banda) no longer has the child. Other guardians stay.',
      ])
      await press(hands, 'Move Child')
      await said('Chipo Banda is with Thandi Phiri now')
      expect(server.asked(moveStudent)).toEqual([
        expect.objectContaining({ params: { id: 31 }, body: { parentId: 9 } }),
      ])
      await gone()
    })

    test('offers the accounts of parents that do not have the child yet', async () => {
      const hands = await askFor('Chipo Banda', /^Move to another account/)
      await hands.type(await screen.findByLabelText('Which account?'), 'th')
      await hands.type(screen.getByLabelText('Which account?'), 'a')
      await screen.findByRole('button', { name: /^Thandi Phiri/ })
      for (const name of [/^Mwila Banda/, /^Mr Mwape/])
        expect(screen.queryByRole('button', { name })).not.toBeInTheDocument()
      // Two letters are too few to ask with.
      expect(server.asked(listParents).map(({ query }) => query.search)).toEqual(['tha'])
    })

    test('of no account tells that the guardian of the list goes', async () => {
      await chooseThandi('Mapalo Zulu')
      await said(/takes the place of the guardian on the list of the school, Mrs Zulu, and/)
    })

    test('is refused in words, and another account can be chosen', async () => {
      const message = 'A meal is being paid for. Please try again when that is done.'
      server.on(moveStudent, () => refusal(409, 'meals_in_payment', message))
      const hands = await chooseThandi()
      await press(hands, 'Move Child')
      await said(message)
      await press(hands, 'Back')
      expect(await screen.findByLabelText('Which account?')).toHaveValue('thandi')
    })
  })

  const chooseTwin = async () => {
    const hands = await askFor('Chipo Banda', /^Join with another entry/)
    await hands.click(await (await dialog(/^Which entry/)).findByRole('button', { name: /^Chipo B Banda/ }))
    return { hands, asked: await dialog('Make these two entries one child?') }
  }

  describe('joining two entries of one child', () => {
    const twin = { ...mapalo, name: 'Chipo B Banda' }
    beforeEach(() => server.on(roll, rollOf([chipo, twin])))

    test('looks for the same name at first, and never offers the entry itself', async () => {
      await askFor('Chipo Banda', /^Join with another entry/)
      const found = await dialog('Which entry is Chipo Banda too?')
      await waitFor(() => expect(found.getAllByRole('listitem')).toHaveLength(1))
      expect(server.asked(roll).at(-1)?.query).toEqual({ text: 'Chipo Banda', limit: 20 })
    })

    test('keeps the entry that an account has, unless the other is chosen', async () => {
      server.on(mergeStudent, { ...chipo, parent_id: 7, parentId: 7 })
      const { hands, asked } = await chooseTwin()
      expect(asked.getByRole('radio', { name: 'Chipo Banda' })).toBeChecked()
      expect(asked.getByText(/This cannot be undone/)).toBeInTheDocument()
      await press(hands, 'Make One Child')
      await said('Chipo Banda is one child now')
      expect(server.asked(mergeStudent)[0]).toMatchObject({ params: { id: 44 }, body: { intoId: 31 } })
      await gone()
    })

    test('takes the other entry where that is chosen, and tells which account loses the child', async () => {
      const other = { id: 9, username: 'thandi', name: 'Thandi Phiri' }
      server.on(roll, rollOf([chipo, { ...twin, parent: other }]))
      server.on(mergeStudent, { ...twin, parent_id: 9, parentId: 9 })
      const { hands, asked } = await chooseTwin()
      await hands.click(asked.getByRole('radio', { name: 'Chipo B Banda' }))
      expect(
        asked.getByText(/^Mwila Banda \(mwila.banda\) no longer has the child: it is with Thandi Phiri/),
      ).toBeInTheDocument()
      await press(hands, 'Make One Child')
      await waitFor(() =>
        expect(server.asked(mergeStudent)[0]).toMatchObject({ params: { id: 31 }, body: { intoId: 44 } }),
      )
    })

    test('is told the dates on which both have a lunch', async () => {
      const dates = ['2026-11-17', '2026-11-19']
      server.on(mergeStudent, () => refusal(409, 'same_date', 'Both have a lunch', { dates }))
      const { hands } = await chooseTwin()
      await press(hands, 'Make One Child')
      const refused = within(await screen.findByRole('alert'))
      expect(refused.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
        'Tuesday, 17 November 2026',
        'Thursday, 19 November 2026',
      ])
    })

    test('that failed without words says so', async () => {
      server.on(mergeStudent, unanswered)
      const { hands } = await chooseTwin()
      await press(hands, 'Make One Child')
      await said('Failed to join the entries')
    })
  })

  describe('the guardians of a child', () => {
    const first = { userId: 7, name: 'Mwila Banda', first: true }
    const second = { userId: 8, name: 'Bwalya Banda', first: false }
    beforeEach(() => server.on(listGuardians, { guardians: [first, second], invites: [] }))

    test('the office removes a second one after asking, and invites nobody', async () => {
      server.on(removeGuardian, { message: '' })
      const hands = await askFor('Chipo Banda', /^Guardians/)
      await dialog('Guardians of Chipo Banda')
      expect(screen.queryByLabelText('Email address of another guardian')).not.toBeInTheDocument()
      expect(screen.queryByRole('button', { name: 'Remove Mwila Banda' })).not.toBeInTheDocument()
      await press(hands, 'Remove Bwalya Banda')
      const asked = await dialog('Remove Bwalya Banda as a guardian of Chipo Banda?')
      expect(server.asked(removeGuardian)).toEqual([])
      await hands.click(asked.getByRole('button', { name: 'Remove' }))
      await said('Bwalya Banda is no longer a guardian')
      expect(server.asked(removeGuardian)[0]).toMatchObject({ params: { id: 31, userId: 8 } })
    })

    test('are none of a child that no account has', async () => {
      const hands = openConsole('/?section=parents_students&tab=roll', adminWith('parents_students'))
      await press(hands, 'More for Mapalo Zulu')
      await dialog('Mapalo Zulu')
      expect(screen.queryByRole('button', { name: /^Guardians/ })).not.toBeInTheDocument()
    })
  })

  describe('a letter for the family of a child', () => {
    const letter = {
      code: 'BCDFGHJK',
      link: 'https://lunch.example.org/register?code=BCDFGHJK',
      guardian: 'Mrs Zulu',
      students: [{ id: 44, name: 'Mapalo Zulu', class: null }],
      expiresAt: '2027-02-21T09:00:00.000Z',
      mailed: true,
    }

    test('is made after a question, and shown until it is closed', async () => {
      server.on(portal, {
        schoolName: 'Hill School',
        timezone: 'Africa/Lusaka',
        demo: false,
        now: '2026-11-23',
      })
      server.on(claimCodes, { codes: [letter] })
      const hands = await askFor('Mapalo Zulu', /^New letter/)
      await dialog('Make new letters for 1 child?')
      await press(hands, 'Make Letters')
      await said('BCDF GHJK')
      expect(server.asked(claimCodes)[0]?.body).toEqual({ studentIds: [44] })
      await press(hands, 'Close')
      await press(hands, 'Yes, Close')
      await gone()
    })

    test('is not made where an account has the child by now', async () => {
      server.on(claimCodes, { codes: [] })
      const hands = await askFor('Mapalo Zulu', /^New letter/)
      await press(hands, 'Make Letters')
      await said('No letters made')
      await gone()
    })

    test('is not offered for a child that an account has', async () => {
      const hands = openConsole('/?section=parents_students&tab=roll', adminWith('parents_students'))
      await press(hands, 'More for Chipo Banda')
      await screen.findByRole('button', { name: /^Guardians/ })
      expect(screen.queryByRole('button', { name: /^New letter/ })).not.toBeInTheDocument()
    })
  })
})
