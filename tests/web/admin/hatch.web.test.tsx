import { act, fireEvent, screen, waitFor, within, cleanup } from '@testing-library/react'
import { sendMarks, serving, notCollected } from '#contracts/serving'
import { press } from '../open-portal'
import { refusal } from './fake-server'
import {
  type HatchServer,
  atAFreshDevice,
  leaveTheDevice,
  callsLater,
  chipo,
  grace,
  hatchServer,
  listOf,
  lunch,
  rowOf,
  said,
  sent,
  shownNames,
  today,
  waitingMarks,
  cut,
  mutale,
  openHatch,
} from './hatch-words'
import { kitchenServer } from './kitchen-words'
import { adminWith, openConsole } from './open-console'

afterEach(leaveTheDevice)

describe('hatch', () => {
  let server: HatchServer
  beforeEach(async () => {
    server = await atAFreshDevice()
  })

  describe('a lunch', () => {
    test('says who gets what, and what must be known', async () => {
      server = hatchServer(
        lunch(1, 'Chipo Banda', {
          class: '4 Blue',
          comments: 'No onions',
          allergies: ['Peanuts', 'Egg'],
          medicalNote: 'Asthma spray in the bag',
          unpaid: true,
          absent: true,
        }),
        lunch(2, 'Mutale Mwansa', { allergies: [], category: null, sideDish: null }),
        lunch(3, 'Natasha Zulu', { grade: '5' }),
      )
      const hands = openConsole('/serve', grace)
      await press(hands, 'All (3)')
      const row = await rowOf('Chipo Banda')
      for (const words of [
        'Beef Stew · Beef · Nshima',
        'No onions',
        'Allergies: Peanuts, Egg',
        'Medical note: Asthma spray in the bag',
        'Unpaid',
        'Ill today',
      ])
        expect(row.getByText(words)).toBeInTheDocument()
      expect((await rowOf('Mutale Mwansa')).getByText('No allergies')).toBeInTheDocument()
      expect((await rowOf('Mutale Mwansa')).getByText('Beef Stew')).toBeInTheDocument()
      expect((await rowOf('Natasha Zulu')).queryByText(/allergies/i)).not.toBeInTheDocument()
      await said('Nothing about allergies: the family has not told us.')
      const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
      expect(headings).toEqual(['4 Blue0 of 1 given', 'Grade 40 of 1 given', 'Grade 50 of 1 given'])
      await said('Hatch · Tue 24 Nov')
    })

    test('of two children of one name says which of them it is', async () => {
      hatchServer(
        lunch(1, 'Chipo Banda', { tellApart: '2231' }),
        lunch(2, 'Chipo Banda', { tellApart: 'Mary' }),
      )
      const hands = openConsole('/serve', grace)
      await said('Two of this name: 2231')
      await press(hands, 'Give Chipo Banda, Mary')
      const row = within((await screen.findByText('Two of this name: Mary')).closest('li')!)
      expect(await row.findByText('Given by grace at 12:00')).toBeInTheDocument()
    })

    test('is given with one press, and the server is told', async () => {
      const hands = openConsole('/serve', grace)
      await press(hands, 'Give Chipo Banda')
      const row = await rowOf('Chipo Banda')
      expect(await row.findByText('Given by grace at 12:00')).toBeInTheDocument()
      await said('All sent')
      expect(sent(server)).toEqual([
        [expect.objectContaining({ orderId: chipo.orderId, kind: 'given', at: `${today}T10:00:00.000Z` })],
      ])
      expect(await waitingMarks()).toEqual([])
      expect(row.queryByText('Not sent yet')).not.toBeInTheDocument()
    })

    test('that was given is taken back by Undo, which names that mark', async () => {
      const hands = openConsole('/serve', grace)
      await press(hands, 'Give Chipo Banda')
      const row = await rowOf('Chipo Banda')
      const undo = await row.findByRole('button', { name: 'Undo' })
      // The echo of a wet finger is no second press.
      await hands.click(undo)
      expect(row.getByText(/^Given by/)).toBeInTheDocument()
      await act(() => new Promise((resolve) => setTimeout(resolve, 750)))
      await hands.click(row.getByRole('button', { name: 'Undo' }))
      expect(await row.findByRole('button', { name: 'Give Chipo Banda' })).toBeInTheDocument()
      await said('All sent')
      const marks = sent(server).flat()
      expect(marks.map(({ kind }) => kind)).toEqual(['given', 'undone'])
      expect(marks[1]!.undoes).toBe(marks[0]!.markId)
    })

    test('can be taken back for 10 s at a press, then in the menu of its row; until then it stays in its place', async () => {
      const hands = openConsole('/serve', grace)
      const over = callsLater(10_000)
      await press(hands, 'Give Chipo Banda')
      const undo = await screen.findByRole('button', { name: 'Undo' })
      await waitFor(() => expect(undo).toHaveFocus())
      await said('All sent')
      expect(shownNames()).toEqual(['Chipo Banda', 'Mutale Mwansa'])
      over()
      await waitFor(() => expect(shownNames()).toEqual(['Mutale Mwansa']))
      expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
      await press(hands, 'All (2)')
      await press(hands, 'More for Chipo Banda')
      await press(hands, 'Undo')
      expect(await screen.findByRole('button', { name: 'Give Chipo Banda' })).toBeInTheDocument()
    })

    test('is given once, however often a wet finger presses; the focus stays in the row', async () => {
      const hands = openConsole('/serve', grace)
      const give = await screen.findByRole('button', { name: 'Give Chipo Banda' })
      act(() => give.focus())
      fireEvent.click(give)
      fireEvent.click(give)
      const undo = await screen.findByRole('button', { name: 'Undo' })
      await waitFor(() => expect(undo).toHaveFocus())
      await said('All sent')
      expect(sent(server).flat()).toHaveLength(1)
      await act(() => new Promise((resolve) => setTimeout(resolve, 750)))
      await hands.keyboard('{Enter}')
      await waitFor(() => expect(screen.getByRole('button', { name: 'Give Chipo Banda' })).toHaveFocus())
    })

    test('is marked absent, and that is undone, in the menu of its row', async () => {
      const hands = openConsole('/serve', grace)
      await press(hands, 'More for Chipo Banda')
      await press(hands, 'Absent')
      const row = await rowOf('Chipo Banda')
      expect(await row.findByText('Absent, said by grace at 12:00')).toBeInTheDocument()
      expect(row.getByRole('button', { name: 'Give Chipo Banda' })).toBeInTheDocument()
      await press(hands, 'More for Chipo Banda')
      expect(row.queryByRole('button', { name: 'Problem' })).not.toBeInTheDocument()
      await hands.click(row.getByRole('button', { name: 'Undo' }))
      await said('All sent')
      expect(
        sent(server)
          .flat()
          .map(({ kind }) => kind),
      ).toEqual(['absent', 'undone'])
      expect(row.queryByText(/^Absent/)).not.toBeInTheDocument()
    })

    test('has a problem, with a note', async () => {
      const hands = openConsole('/serve', grace)
      await press(hands, 'More for Chipo Banda')
      await press(hands, 'Problem')
      await hands.type(await screen.findByLabelText('What is the problem?'), 'Spilled, got bread')
      await press(hands, 'Save problem')
      const row = await rowOf('Chipo Banda')
      expect(await row.findByText('Problem, said by grace at 12:00')).toBeInTheDocument()
      expect(row.getByText('Spilled, got bread')).toBeInTheDocument()
      await said('All sent')
      expect(sent(server)).toEqual([
        [expect.objectContaining({ kind: 'problem', note: 'Spilled, got bread' })],
      ])
    })
  })

  describe('who may open it', () => {
    test('an administrator with the kitchen, from the kitchen', async () => {
      openConsole('/serve', grace)
      expect(await screen.findByRole('link', { name: 'Kitchen View' })).toHaveAttribute(
        'href',
        '/?section=kitchen',
      )
    })

    test('the kitchen leads there', async () => {
      kitchenServer()
      openConsole('/?section=kitchen', grace)
      expect(await screen.findByRole('link', { name: 'Hatch' })).toHaveAttribute('href', '/serve')
    })

    test('nobody else', async () => {
      openConsole('/serve', adminWith('menu'))
      await said(/Page not found/i)
      expect(server.asked(serving)).toHaveLength(0)
    })

    test('one who lost the kitchen is told, and the marks stay', async () => {
      server.on(sendMarks, () => refusal(403, 'forbidden', 'You do not have access to this section'))
      const hands = openConsole('/serve', grace)
      await press(hands, 'Give Chipo Banda')
      await said('The server does not take the marks. They stay on this device.')
      await said('You do not have access to this section')
      await said('1 mark waits to be sent')
      expect(
        within((await screen.findByText('Chipo Banda')).closest('li')!).getByText('Not sent yet'),
      ).toBeInTheDocument()
    })
  })

  test('a day without lunches says so', async () => {
    server.on(serving, listOf())
    openConsole('/serve', grace)
    await said('No lunches today')
  })

  test('a list that cannot be read says so', async () => {
    server.on(serving, () => refusal(500, 'fault', 'Something broke'))
    openConsole('/serve', grace)
    await said('The list could not be read')
  })
})

describe('hatch filters', () => {
  let server: HatchServer
  beforeEach(async () => {
    server = await atAFreshDevice()
  })

  describe('which lunches are shown', () => {
    test('those still to come, or all; of one class; of a child', async () => {
      server = hatchServer(
        {
          ...chipo,
          mark: {
            markId: '00000000-0000-4000-8000-000000000002',
            kind: 'given',
            at: `${today}T09:30:00Z`,
            by: 'mary',
            note: null,
          },
        },
        mutale,
        lunch(3, 'Náta Zulu', { class: '5 Red', grade: '5' }),
        lunch(4, 'Ill Child', { absent: true }),
      )
      const hands = openConsole('/serve', grace)
      await screen.findByText('Mutale Mwansa')
      expect(shownNames()).toEqual(['Mutale Mwansa', 'Náta Zulu'])
      await press(hands, 'All (4)')
      expect((await rowOf('Chipo Banda')).getByText('Given by mary at 11:30')).toBeInTheDocument()
      expect(shownNames()).toHaveLength(4)
      await hands.selectOptions(screen.getByLabelText('Class'), '5 Red')
      expect(shownNames()).toEqual(['Náta Zulu'])
      await hands.selectOptions(screen.getByLabelText('Class'), 'All classes')
      await hands.type(screen.getByLabelText('Find a child'), 'zulu nata')
      expect(shownNames()).toEqual(['Náta Zulu'])
      await hands.type(screen.getByLabelText('Find a child'), 'x')
      await said('Nobody found')
    })

    test('a search looks at all of them, whatever is chosen, and says why one is not listed', async () => {
      const given = {
        markId: '00000000-0000-4000-8000-000000000002',
        kind: 'given' as const,
        at: `${today}T10:14:00Z`,
        by: 'mary',
        note: null,
      }
      server = hatchServer(
        { ...chipo, mark: given },
        mutale,
        lunch(3, 'Natasha Zulu', { class: '5 Red', grade: '5' }),
        lunch(4, 'Ill Child', { absent: true }),
      )
      const hands = openConsole('/serve', grace)
      await screen.findByText('Mutale Mwansa')
      await hands.selectOptions(screen.getByLabelText('Class'), '5 Red')
      expect(shownNames()).toEqual(['Natasha Zulu'])
      const search = screen.getByLabelText('Find a child')
      await hands.type(search, 'chipo')
      await waitFor(() => expect(shownNames()).toEqual(['Chipo Banda']))
      expect((await rowOf('Chipo Banda')).getByText('Given by mary at 12:14')).toBeInTheDocument()
      await hands.clear(search)
      await hands.type(search, 'ill')
      await waitFor(() => expect(shownNames()).toEqual(['Ill Child']))
      expect((await rowOf('Ill Child')).getByText('Ill today')).toBeInTheDocument()
      await said('1 child found')
      await hands.clear(search)
      await waitFor(() => expect(shownNames()).toEqual(['Natasha Zulu']))
    })

    test('a search is empty after a press and ready for the next; who was found stays on top with Undo', async () => {
      server = hatchServer(chipo, mutale, lunch(3, 'Natasha Zulu'))
      const hands = openConsole('/serve', grace)
      const over = callsLater(10_000)
      await screen.findByText('Mutale Mwansa')
      const search = screen.getByLabelText('Find a child')
      await hands.type(search, 'zulu')
      await waitFor(() => expect(shownNames()).toEqual(['Natasha Zulu']))
      await press(hands, 'Give Natasha Zulu')
      expect(search).toHaveValue('')
      expect(search).toHaveFocus()
      await waitFor(() => expect(shownNames()).toEqual(['Natasha Zulu', 'Chipo Banda', 'Mutale Mwansa']))
      expect((await rowOf('Natasha Zulu')).getByRole('button', { name: 'Undo' })).toBeInTheDocument()
      over()
      await waitFor(() => expect(shownNames()).toEqual(['Chipo Banda', 'Mutale Mwansa']))
      await said('All sent')
    })

    test('when all are given it says so', async () => {
      const mark = {
        markId: '00000000-0000-4000-8000-000000000002',
        kind: 'given' as const,
        at: `${today}T10:14:00Z`,
        by: 'mary',
        note: null,
      }
      server = hatchServer({ ...chipo, mark })
      openConsole('/serve', grace)
      await said('Nobody is still to come')
    })

    test('before 14:00 nobody is told what was not collected', async () => {
      openConsole('/serve', grace)
      await screen.findByText('Mutale Mwansa')
      expect(screen.queryByRole('button', { name: /^Not collected/ })).not.toBeInTheDocument()
    })

    test.each([
      ['as the server says', false],
      ['as this device knows without a connection', true],
    ])('from 14:00 those not collected today, %s', async (_how, isCut) => {
      jest.setSystemTime(new Date(`${today}T12:00:00.000Z`))
      const absent = {
        ...mutale,
        mark: {
          markId: '00000000-0000-4000-8000-000000000001',
          kind: 'absent' as const,
          at: `${today}T09:30:00Z`,
          by: 'mary',
          note: null,
        },
      }
      const given = {
        ...chipo,
        mark: { ...absent.mark, markId: '00000000-0000-4000-8000-000000000002', kind: 'given' as const },
      }
      server = hatchServer(given, absent)
      server.on(notCollected, { date: today, at: null, classes: [{ class: 'Grade 4', lunches: [absent] }] })
      const hands = openConsole('/serve', grace)
      const button = await screen.findByRole('button', { name: 'Not collected today (1)' })
      if (isCut) cut(true)
      await hands.click(button)
      expect(shownNames()).toEqual(['Mutale Mwansa'])
      expect(server.asked(notCollected)).toHaveLength(isCut ? 0 : 1)
    })
  })
})

describe('hatch kept', () => {
  beforeEach(async () => void (await atAFreshDevice()))

  // In no entry: no server may have told these pages what day it is, which shuts a list of an earlier one.
  test('a list is shown for 36 hours and not longer', async () => {
    await openHatch()
    cleanup()
    cut(true)
    const readAt = Date.parse(`${today}T10:00:00.000Z`)
    jest.setSystemTime(readAt + 36 * 3_600_000)
    openConsole('/serve', grace)
    await said('These are the lunches of Tuesday, 24 November 2026')
    await screen.findByText('Chipo Banda')
    cleanup()
    jest.setSystemTime(readAt + 36 * 3_600_000 + 60_000)
    openConsole('/serve', grace)
    await said('No list on this device')
    expect(screen.queryByText('Chipo Banda')).not.toBeInTheDocument()
  })
})
