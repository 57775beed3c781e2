import { screen, waitFor, within } from '@testing-library/react'
import { listCycles, getCycleLength } from '#contracts/cycles'
import {
  type KitchenChange,
  kitchenToday,
  kitchenPrints,
  notePrint,
  kitchenChanges,
  kitchenWeek,
} from '#contracts/kitchen'
import { sincePrinted } from '../../../web/features/kitchen/changes'
import { setSchoolNow } from '../../../web/lib/school-moment'
import { type FakeServer, refusal, fakeServer } from './fake-server'
import { cook, kitchenOf, kitchenServer, row } from './kitchen-words'
import { forgetToasts, openConsole, shownAddress, adminWith } from './open-console'
import { onePage } from './sample-settings'

let server: FakeServer
afterEach(forgetToasts)

describe('kitchen', () => {
  beforeEach(() => {
    server = kitchenServer()
  })

  const complete = () => screen.findByRole('button', { name: 'Complete Day: Monday' })
  /** Total, primary, secondary, not paid and ill. */
  const numbers = async (...counts: string[]) =>
    waitFor(() =>
      expect(
        within(screen.getByLabelText('Numbers of Monday, 14 September'))
          .getAllByRole('definition')
          .map(({ textContent }) => textContent),
      ).toEqual(counts),
    )
  const tableOf = async (title: string) => within(await screen.findByRole('table', { name: title }))
  describe('what is cooked', () => {
    test('today by primary and secondary portions with the columns of the spec', async () => {
      openConsole('/', cook)
      const primary = await tableOf('Primary Portions')
      for (const column of ['Menu Item', 'Total Orders', 'Protein Selection', 'Side Dish Selection'])
        expect(primary.getByRole('columnheader', { name: column })).toBeInTheDocument()
      expect(primary.getByText('Beef Stew')).toBeInTheDocument()
      expect(primary.queryByText('Chicken Wrap')).not.toBeInTheDocument()
      expect((await tableOf('Secondary Portions')).getByText('Chicken Wrap')).toBeInTheDocument()
      expect(screen.getByText('Monday, 14 September')).toBeInTheDocument()
    })

    test('the numbers of the day come first, in one line', async () => {
      server.on(
        kitchenToday,
        kitchenOf(
          row({ unpaid: 3, absent: 1 }),
          row({ menuItemId: 2, menuItem: 'Wrap', type: 'secondary', total: 9, unpaid: 2 }),
        ),
      )
      openConsole('/', cook)
      await complete()
      const list = screen.getByLabelText('Numbers of Monday, 14 September')
      expect(
        within(list)
          .getAllByRole('term')
          .map(({ textContent }) => textContent),
      ).toEqual(['Total', 'Primary', 'Secondary', 'Not paid', 'Ill'])
      await numbers('149', '140', '9', '5', '1')
      const table = screen.getByRole('table', { name: 'Primary Portions' })
      expect(list.compareDocumentPosition(table)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    })

    test('totals come from the server, however few orders the page carries', async () => {
      openConsole('/', cook)
      const stew = within((await tableOf('Primary Portions')).getByRole('row', { name: /Beef Stew/ }))
      expect(stew.getByText('140', { selector: 'strong.text-xl' })).toBeInTheDocument()
      expect(server.asked(kitchenToday)[0]?.query).toEqual({ page: 1, pageSize: 100 })
    })

    test('remarks stand with their plate, each once, how often and whose it is', async () => {
      openConsole('/', cook)
      const primary = await tableOf('Primary Portions')
      const [plates] = primary.getAllByRole('list', { name: 'Plates' })
      expect([...plates!.children].map(({ textContent }) => textContent)).toEqual([
        '138Beef with Nshima2 × No onions · Chipo Banda, Luse PhiriCut small · Wezi Zulu',
        '2Beef with RiceExtra relish · Bupe Mwale',
      ])
      expect(primary.getByRole('row', { name: /^Select Beef Stew/ })).not.toHaveTextContent('No onions')
    })

    test('unpaid, completed and late-cancelled orders are marked', async () => {
      openConsole('/', cook)
      expect((await tableOf('Secondary Portions')).getByText('2 not paid')).toBeInTheDocument()
      const soup = within((await tableOf('Primary Portions')).getByRole('row', { name: /Soup/ }))
      expect(soup.getByText('Completed')).toBeInTheDocument()
      expect(soup.getByText('1 cancelled late')).toBeInTheDocument()
      expect(soup.queryByRole('checkbox')).not.toBeInTheDocument()
    })

    test('how many meals of the day are for ill children is told where there are any', async () => {
      server.on(
        kitchenToday,
        kitchenOf(
          row({ absent: 2 }),
          row({ menuItemId: 3, menuItem: 'Soup' }),
          row({ menuItemId: 4, menuItem: 'Pie', absent: 1 }),
        ),
      )
      openConsole('/', cook)
      const primary = await tableOf('Primary Portions')
      expect(within(primary.getByRole('row', { name: /Beef Stew/ })).getByText('2 ill')).toBeInTheDocument()
      expect(within(primary.getByRole('row', { name: /Soup/ })).queryByText(/ill$/)).not.toBeInTheDocument()
      await numbers('420', '420', '0', '0', '3')
    })

    describe('a week', () => {
      const openWeek = async (now: string) => {
        setSchoolNow(now)
        const user = openConsole('/', cook)
        await user.selectOptions(
          await screen.findByLabelText('View'),
          await screen.findByRole('option', { name: 'Week 2' }),
        )
        await screen.findByText('Monday, 21 September')
        return user
      }
      const headings = () =>
        screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)
      afterEach(() => setSchoolNow(new Date().toISOString()))

      test('by its days in order, kept in the address, after a table of dishes by day with totals', async () => {
        server.on(
          kitchenWeek,
          kitchenOf(
            row({ weekNumber: 2, dayOfWeek: 5, mealDate: '2026-09-25', total: 30 }),
            row({ weekNumber: 2, dayOfWeek: 1, mealDate: '2026-09-21', total: 12 }),
            row({ mealDate: '2026-09-21', menuItemId: 9, menuItem: 'Wrap', type: 'secondary', total: 50 }),
            row({ mealDate: '2026-09-21', menuItemId: 8, menuItem: 'Soup', total: 60 }),
          ),
        )
        await openWeek('2026-09-21T05:00:00.000Z')
        expect(headings()).toEqual(['The week', 'Monday, 21 September', 'Friday, 25 September'])
        expect(shownAddress()).toBe('/?week=2')
        const table = within(screen.getByRole('region', { name: 'Dishes of the week' }))
        expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
          'Menu Item',
          'Mon21 Sept',
          'Fri25 Sept',
          'Total',
        ])
        expect(
          table
            .getAllByRole('cell')
            .map(({ textContent }) => textContent)
            .join(' '),
        ).toBe('Soup 60 – 60 Beef Stew 12 30 42 Wrap 50 – 50 Total 122 30 152')
      })

      test('has its past days folded until they are pressed', async () => {
        const user = await openWeek('2026-09-22T05:00:00.000Z')
        expect(headings()).toEqual(['The week', 'Friday, 25 September'])
        await user.click(screen.getByRole('button', { name: /^Monday, 21 September/ }))
        expect(headings()).toEqual(['The week', 'Monday, 21 September', 'Friday, 25 September'])
      })
    })

    test('the selector has today and each week of the cycle', async () => {
      openConsole('/', cook)
      await screen.findByRole('option', { name: 'Week 6' })
      const names = within(screen.getByLabelText('View'))
        .getAllByRole('option')
        .map((option) => option.textContent)
      expect(names).toEqual(["Today's Orders", 'Week 1', 'Week 2', 'Week 3', 'Week 4', 'Week 5', 'Week 6'])
    })

    test('no date without a cycle', async () => {
      server.on(listCycles, [])
      openConsole('/', cook)
      expect(await screen.findByText('Current cycle start: No date')).toBeInTheDocument()
    })

    test('empty days say which', async () => {
      server.on(kitchenToday, kitchenOf())
      openConsole('/', cook)
      expect(await screen.findByText('No orders for today')).toBeInTheDocument()
      expect(screen.queryByRole('button', { name: /^Complete Day/ })).not.toBeInTheDocument()
    })
  })

  describe('refreshing', () => {
    test('asks again', async () => {
      const user = openConsole('/', cook)
      await complete()
      server.on(kitchenToday, kitchenOf(row({ total: 141 })))
      await user.click(screen.getByRole('button', { name: 'Refresh' }))
      await numbers('141', '141', '0', '0', '0')
    })

    test('that failed keeps what was there and says so', async () => {
      const user = openConsole('/', cook)
      await complete()
      server.on(kitchenToday, () => refusal(503, 'unavailable', 'The kitchen list is being rebuilt'))
      await user.click(screen.getByRole('button', { name: 'Refresh' }))
      expect(await screen.findByText('Failed to fetch orders')).toBeInTheDocument()
      await numbers('153', '144', '9', '2', '0')
    })

    test('a first read that failed can be tried again', async () => {
      server.on(kitchenToday, () => refusal(503, 'unavailable', 'The kitchen list is being rebuilt'))
      const user = openConsole('/', cook)
      expect(await screen.findByText('Failed to fetch orders')).toBeInTheDocument()
      expect(screen.queryByText('Loading')).not.toBeInTheDocument()
      server.on(kitchenToday, kitchenOf(row({})))
      await user.click(screen.getByRole('button', { name: 'Try again' }))
      await complete()
      await numbers('140', '140', '0', '0', '0')
    })
  })
  test('the list is printed by the button', async () => {
    jest.spyOn(window, 'print').mockImplementation(() => undefined)
    const user = openConsole('/', cook)
    await user.click(await screen.findByRole('button', { name: 'Print' }))
    expect(await screen.findByRole('dialog', { name: 'Did it print?' })).toBeInTheDocument()
    expect(window.print).toHaveBeenCalledTimes(1)
    expect(server.asked(notePrint)).toEqual([])
    server.on(notePrint, () => refusal(503, 'unavailable', 'Away'))
    await user.click(screen.getByRole('button', { name: 'Yes, it printed' }))
    expect(await screen.findByText('The print was not noted')).toBeInTheDocument()
    server.on(notePrint, { at: '2026-09-14T05:02:00.000Z' })
    await user.click(screen.getByRole('button', { name: 'Yes, it printed' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(server.asked(notePrint).map(({ body }) => body)).toEqual([{ date: '2026-09-14' }])
  })

  test('what did not print is not noted', async () => {
    jest.spyOn(window, 'print').mockImplementation(() => undefined)
    const user = openConsole('/', cook)
    await user.click(await screen.findByRole('button', { name: 'Print' }))
    await user.click(await screen.findByRole('button', { name: 'No' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(server.asked(notePrint)).toEqual([])
  })

  const factsOf = (name: string) =>
    within(screen.getByRole('region', { name }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)

  describe('allergies of the day', () => {
    const peanuts = {
      mealDate: '2026-09-14',
      name: 'Peanuts',
      children: 3,
      meals: [{ menuItem: 'Satay', count: 1 }],
      who: [
        { student: 'Chipo', grade: '2' as const, class: '2A', inMeal: true },
        { student: 'Mutinta', grade: '3' as const, class: null, tellApart: '2231', inMeal: false },
      ],
    }
    const milk = { mealDate: '2026-09-14', name: 'Milk', children: 1, meals: [], who: [] }
    const open = async (allergies: (typeof peanuts)[] | null) => {
      server.on(kitchenToday, { ...kitchenOf(row({})), allergies })
      openConsole('/', cook)
      await complete()
    }

    test('say how many children have them, and who ordered what they must not have', async () => {
      await open([peanuts, milk, { ...milk, mealDate: '2026-09-15', name: 'Eggs' }])
      expect(factsOf('Allergies')).toEqual([
        'Peanuts: 3 children, 1 of them ordered SatayChipo, 2A (in the meal) · Mutinta (2231), Grade 3',
        'Milk: 1 child',
      ])
    })

    test('say nothing where none is declared', async () => {
      await open([])
      expect(screen.queryByRole('region', { name: 'Allergies' })).not.toBeInTheDocument()
    })

    test('diets name what is eaten, notes who they are of, each on their day alone', async () => {
      const halal = { ...peanuts, diet: 'halal' as const, meals: [{ menuItem: 'Beef stew', count: 3 }] }
      const note = {
        mealDate: '2026-09-14',
        student: 'Chanda Banda',
        grade: '3' as const,
        class: '3B',
        medicalNote: 'Inhaler in the bag',
        tellApart: '2231',
      }
      server.on(kitchenToday, {
        ...kitchenOf(row({})),
        diets: [halal, { ...halal, mealDate: '2026-09-15', diet: 'no_pork' as const }],
        medicalNotes: [note, { ...note, mealDate: '2026-09-15', medicalNote: 'Not of this day' }],
      })
      openConsole('/', cook)
      await complete()
      expect(factsOf('Diets')).toEqual(['Halal: 3 children (3 × Beef stew)'])
      expect(factsOf('Medical notes')).toEqual(['Chanda Banda (2231), 3B: Inhaler in the bag'])
    })

    test('nothing is said where the school does not keep them', async () => {
      await open(null)
      for (const name of ['Allergies', 'Diets', 'Medical notes'])
        expect(screen.queryByRole('region', { name })).not.toBeInTheDocument()
    })
  })
})

describe('kitchen changes', () => {
  beforeEach(() => {
    server = kitchenServer()
  })

  const since = '2026-09-14T05:02:00.000Z'
  const change = (more: Partial<KitchenChange>): KitchenChange => ({
    at: '2026-09-14T05:03:00.000Z',
    kind: 'ordered',
    orderId: '1.2026-09-14.1',
    student: 'Chanda',
    grade: '4',
    class: null,
    from: null,
    to: 'Porridge, Banana',
    ...more,
  })
  const cancelled = change({
    kind: 'cancelled',
    orderId: '2.2026-09-14.1',
    from: 'Stew, beef',
    to: null,
    student: 'Bupe',
  })

  test.each([
    ['nothing', [], null],
    ['more', [change({}), change({}), cancelled], '1 more since you printed'],
    ['fewer', [cancelled], '1 fewer since you printed'],
    ['another meal', [change({ kind: 'changed', from: 'Stew' })], '1 change since you printed'],
    ['never printed', [change({ at: since })], null],
  ] as const)('what changed since the print, in words: %s', (_which, changes, words) => {
    expect(sincePrinted({ since, changes })).toBe(words)
  })

  const openAt = (time: string, date = '2026-09-14') => {
    jest.useFakeTimers({ now: new Date(`2026-09-14T${time}+02:00`), advanceTimers: true })
    server.on(kitchenToday, { ...kitchenOf(row({ mealDate: date })), date })
    openConsole('/', cook)
  }

  describe('the state of the day', () => {
    afterEach(() => jest.useRealTimers())
    test('until the cutoff today can be ordered; and what changed since it was printed', async () => {
      server.on(kitchenChanges, { at: since, since, changes: [change({})] })
      openAt('07:59:00')
      expect(
        await screen.findByText('Ordering for today is open until 08:00 · 1 more since you printed'),
      ).toBeInTheDocument()
    })

    test.each([
      ['2026-09-14', 'Final since Friday 08:00'],
      ['2026-09-15', 'Ordering for Tuesday is open until Monday 08:00'],
    ])('where orders close on a day before, %s says the day', async (date, words) => {
      server = kitchenServer({ 14: '2026-09-11T06:00:00.000Z', 15: '2026-09-14T06:00:00.000Z' })
      openAt('07:59:00', date)
      expect(await screen.findByText(words)).toBeInTheDocument()
    })

    test('after the cutoff it is final', async () => {
      openAt('08:00:00')
      expect(await screen.findByText('Final since 08:00')).toBeInTheDocument()
    })
  })

  test('the changes are a slip that is printed, and printing is noted', async () => {
    jest.spyOn(window, 'print').mockImplementation(() => undefined)
    server.on(kitchenChanges, { at: since, since, changes: [change({ tellApart: '2231' }), cancelled] })
    const user = openConsole('/', cook)
    await user.click(await screen.findByRole('button', { name: 'Changes' }))
    expect(await screen.findByText('Since 14 September 2026 at 07:02')).toBeInTheDocument()
    const table = within(screen.getByRole('table'))
    expect(
      table
        .getAllByRole('row')
        .slice(-2)
        .map((row) => row.textContent),
    ).toEqual(['07:03OrderedChanda (2231), Grade 4Porridge, Banana', '07:03CancelledBupe, Grade 4Stew, beef'])
    await user.click(screen.getByRole('button', { name: 'Print changes' }))
    await user.click(await screen.findByRole('button', { name: 'Yes, it printed' }))
    await waitFor(() => expect(server.asked(notePrint)).toHaveLength(1))
    await user.click(screen.getByRole('button', { name: 'Back to portions' }))
    expect(await screen.findByText('Beef Stew')).toBeInTheDocument()
  })

  test('the slip is read at the press, and what is printed is what is noted', async () => {
    const late = '2026-09-14T05:04:00.000Z'
    const onPaper: (string | null)[] = []
    jest
      .spyOn(window, 'print')
      .mockImplementation(() => void onPaper.push(screen.getByRole('table').textContent))
    server.on(kitchenChanges, { at: '2026-09-14T05:03:00.001Z', since, changes: [change({})] })
    const user = openConsole('/', cook)
    await user.click(await screen.findByRole('button', { name: 'Changes' }))
    await screen.findByText('Chanda, Grade 4')
    server.on(kitchenChanges, {
      at: '2026-09-14T05:04:00.001Z',
      since,
      changes: [change({}), { ...cancelled, at: late }],
    })
    await user.click(screen.getByRole('button', { name: 'Print changes' }))
    await waitFor(() => expect(onPaper).toEqual([expect.stringContaining('Bupe')]))
    await user.click(await screen.findByRole('button', { name: 'Yes, it printed' }))
    await waitFor(() =>
      expect(server.asked(notePrint).map(({ body }) => body)).toEqual([
        { date: expect.any(String), at: '2026-09-14T05:04:00.001Z' },
      ]),
    )
    // The slip stays until it is left: where it did not come out well, it is printed again.
    await user.click(screen.getByRole('button', { name: 'Print changes' }))
    await waitFor(() => expect(onPaper).toHaveLength(2))
    expect(server.asked(kitchenChanges).at(-1)!.query).toMatchObject({ since })
  })

  test('an earlier print of the day is opened and printed again, and not noted again', async () => {
    const print = jest.spyOn(window, 'print').mockImplementation(() => undefined)
    const earlier = '2026-09-14T05:01:00.000Z'
    server.on(kitchenPrints, { data: [{ at: earlier, by: 'mary' }] })
    server.on(kitchenChanges, ({ query }) => ({
      at: since,
      since,
      changes: query.until === earlier ? [cancelled] : [change({})],
    }))
    const user = openConsole('/?changes=2026-09-14', cook)
    await screen.findByText('Chanda, Grade 4')
    await user.click(await screen.findByRole('button', { name: '07:01 by mary' }))
    expect(await screen.findByText('Bupe, Grade 4')).toBeInTheDocument()
    expect(screen.getByText('As printed on 14 September 2026 at 07:01')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Print again' }))
    expect(print).toHaveBeenCalledTimes(1)
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'New changes' }))
    expect(await screen.findByText('Chanda, Grade 4')).toBeInTheDocument()
  })

  test('a day without changes says so', async () => {
    const user = openConsole('/', cook)
    await user.click(await screen.findByRole('button', { name: 'Changes' }))
    expect(await screen.findByText('Nothing has changed')).toBeInTheDocument()
  })
})

describe('kitchen day', () => {
  const cook = adminWith('kitchen')
  const nothing = {
    data: [],
    metadata: onePage,
    totals: [],
    allergies: null,
    planned: [],
    date: '2026-09-14',
  }

  beforeEach(() => {
    server = fakeServer()
    server.on(getCycleLength, { cycleLength: 4 })
    server.on(listCycles, [])
    server.on(kitchenToday, nothing)
    server.on(kitchenWeek, nothing)
  })

  test('one day of a week is asked of the server and kept in the address', async () => {
    const user = openConsole('/?week=2', cook)
    await user.selectOptions(await screen.findByLabelText('Day'), 'Friday')
    expect(shownAddress()).toBe('/?week=2&day=5')
    await waitFor(() =>
      expect(server.asked(kitchenWeek).at(-1)).toMatchObject({ params: { week: 2 }, query: { day: 5 } }),
    )
    await user.selectOptions(screen.getByLabelText('Day'), 'All Days')
    expect(shownAddress()).toBe('/?week=2')
  })

  test('today has no choice of days, and takes the day out of the address', async () => {
    const user = openConsole('/?week=2&day=5', cook)
    expect(await screen.findByLabelText('Day')).toHaveProperty('value', '5')
    await user.selectOptions(screen.getByLabelText('View'), "Today's Orders")
    expect(shownAddress()).toBe('/')
    expect(screen.queryByLabelText('Day')).not.toBeInTheDocument()
  })

  test('a shared address shows its day, and that nothing is ordered for it', async () => {
    openConsole('/?week=3&day=4', cook)
    expect(await screen.findByText('No orders for week 3')).toBeInTheDocument()
    expect(screen.getByText(/Nothing is ordered for Thursday/)).toBeInTheDocument()
    expect(server.asked(kitchenWeek).map(({ query }) => query)).toEqual([{ page: 1, pageSize: 100, day: 4 }])
  })

  test('the start of the cycle and the time of the last update are by the school’s clock', async () => {
    setSchoolNow('2031-05-06T05:05:00.000Z')
    server.on(listCycles, [
      {
        id: 7,
        isActive: true,
        startDate: '2031-05-05',
        endDate: '2031-05-30',
        cycleLength: 4,
        createdAt: '2031-05-01T08:00:00.000Z',
        blockedDays: [],
      },
    ])
    openConsole('/', cook)
    expect(await screen.findByText('Current cycle start: 5 May 2031')).toBeInTheDocument()
    expect(await screen.findByText(/^Last updated: 07:0\d$/)).toBeInTheDocument()
    setSchoolNow(new Date().toISOString())
  })

  test('on a day without school the next one is shown, and the screen says which', async () => {
    server.on(kitchenToday, { ...nothing, date: '2031-05-05' })
    openConsole('/', cook)
    expect(
      await screen.findByText('No school today. These are the orders of Monday, 5 May 2031.'),
    ).toBeInTheDocument()
    expect(await screen.findByText('No orders for Monday, 5 May 2031')).toBeInTheDocument()
  })

  test('an empty week says which', async () => {
    openConsole('/?week=3', cook)
    expect(await screen.findByText('No orders for week 3')).toBeInTheDocument()
  })
})
