import { screen, waitFor, within } from '@testing-library/react'
import { listGuardians, removeGuardian, listParents } from '#contracts/accounts'
import { portal } from '#contracts/identity'
import { mergeStudent, moveStudent, roll } from '#contracts/enrolment'
import { claimCodes } from '#contracts/roll-import'
import { fakeServer, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
import { mwila, parentList, unanswered } from './sample-parents'
import { chipo, mapalo, rollOf } from './sample-roll'

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
  server.on(roll, rollOf([chipo, mapalo]))
})
afterEach(forgetToasts)

const said = async (text: string | RegExp) => expect(await screen.findByText(text)).toBeInTheDocument()
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
