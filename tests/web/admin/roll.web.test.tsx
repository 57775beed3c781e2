import { screen, waitFor, within } from '@testing-library/react'
import { updateStudent } from '#contracts/identity'
import { roll } from '#contracts/enrolment'
import { messageOf } from '../open-portal'
import { fakeServer, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { chipo, mapalo, rollOf } from './sample-roll'
import { unanswered } from './sample-parents'

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
  server.on(roll, rollOf([chipo, mapalo]))
})
afterEach(forgetToasts)

const open = (more = '') =>
  openConsole(`/?section=parents_students&tab=roll${more}`, adminWith('parents_students'))
type Hands = ReturnType<typeof open>
const said = async (text: string | RegExp) => expect(await screen.findByText(text)).toBeInTheDocument()
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
