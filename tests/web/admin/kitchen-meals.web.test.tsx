import { screen, waitFor, within, act } from '@testing-library/react'
import { getCycleLength, listCycles } from '#contracts/cycles'
import {
  type ClassListEntry,
  kitchenToday,
  setOrderStatus,
  undoOrderStatus,
  classList,
} from '#contracts/kitchen'
import { listConflicts } from '#contracts/order-reports'
import { paperLunch } from '../../support/paper-lunches'
import { type FakeServer, FakeRefusal, fakeServer, refusal } from './fake-server'
import { cook, done, kitchenOf, kitchenServer, row } from './kitchen-words'
import { forgetToasts, openConsole, adminWith, shownAddress } from './open-console'
import { onePage } from './sample-settings'

let server: FakeServer

describe('kitchen completing', () => {
  beforeEach(() => {
    server = kitchenServer()
  })
  afterEach(forgetToasts)

  const confirm = async (user: ReturnType<typeof openConsole>) =>
    user.click(await screen.findByRole('button', { name: 'Yes, They Are Complete' }))
  const complete = () => screen.findByRole('button', { name: 'Mark as Complete' })
  const tick = async (user: ReturnType<typeof openConsole>, name: string) =>
    user.click(await screen.findByRole('checkbox', { name: `Select ${name}` }))

  const batchId = '0199c0de-0000-7000-8000-0000000000b1'

  describe('Mark as Complete', () => {
    test('needs a selection', async () => {
      const user = openConsole('/', cook)
      await tick(user, 'Beef Stew')
      expect(await complete()).toHaveProperty('disabled', false)
      await user.click(screen.getByRole('button', { name: 'Clear selection' }))
      expect(screen.queryByRole('button', { name: 'Mark as Complete' })).not.toBeInTheDocument()
    })

    test('takes all open rows of a day with Select all, which takes them back too', async () => {
      const user = openConsole('/', cook)
      const all = await screen.findByRole('checkbox', { name: 'Select all of Monday' })
      await user.click(all)
      expect(screen.getByText('2 rows, 3 orders selected')).toBeInTheDocument()
      await user.click(screen.getByRole('checkbox', { name: 'Select Beef Stew' }))
      expect(all).toHaveProperty('indeterminate', true)
      await user.click(all)
      await user.click(all)
      expect(screen.queryByText(/selected$/)).not.toBeInTheDocument()
    })

    test('a whole day is completed with two presses', async () => {
      server.on(setOrderStatus, { message: 'ok', updated: 3, skipped: [], batchId })
      const user = openConsole('/', cook)
      await user.click(await screen.findByRole('button', { name: 'Complete Day: Monday' }))
      await screen.findByRole('dialog', { name: 'Mark 3 lunches of Monday, 14 September as complete?' })
      await confirm(user)
      expect(await screen.findByText('3 orders marked as complete')).toBeInTheDocument()
      expect(server.asked(setOrderStatus)[0]?.body).toMatchObject({
        orderIds: ['1.2026-09-14.1', '2.2026-09-14.1', '3.2026-09-14.1'],
      })
    })

    test('a day that has not come is not offered whole', async () => {
      server.on(kitchenToday, kitchenOf(row({ mealDate: '2036-09-15' })))
      openConsole('/', cook)
      await screen.findByRole('checkbox', { name: 'Select all of Monday' })
      expect(screen.queryByRole('button', { name: /^Complete Day/ })).not.toBeInTheDocument()
    })

    test('completes every open order of the chosen rows and says how many', async () => {
      server.on(setOrderStatus, () => {
        server.on(kitchenToday, kitchenOf(done))
        return { message: 'ok', updated: 3, skipped: [], batchId }
      })
      const user = openConsole('/', cook)
      await tick(user, 'Beef Stew')
      await tick(user, 'Chicken Wrap')
      expect(screen.getByText('2 rows, 3 orders selected')).toBeInTheDocument()
      await user.click(await complete())
      const asked = within(
        await screen.findByRole('dialog', { name: 'Mark 3 lunches of Monday, 14 September as complete?' }),
      )
      expect(asked.getByText('2 × Beef Stew, 1 × Chicken Wrap.')).toBeInTheDocument()
      expect(server.asked(setOrderStatus)).toHaveLength(0)
      await confirm(user)
      expect(await screen.findByText('3 orders marked as complete')).toBeInTheDocument()
      expect(server.asked(setOrderStatus)[0]?.body).toEqual({
        orderIds: ['1.2026-09-14.1', '2.2026-09-14.1', '3.2026-09-14.1'],
        status: 'completed',
      })
      await waitFor(() => expect(screen.queryByRole('checkbox')).not.toBeInTheDocument())
    })

    test('can be undone', async () => {
      server.on(setOrderStatus, { message: 'ok', updated: 2, skipped: [], batchId })
      server.on(undoOrderStatus, {
        restored: 1,
        skipped: [{ id: '2.2026-09-14.1', code: 'changed_since', message: 'This order has changed since' }],
      })
      const user = openConsole('/', cook)
      await tick(user, 'Beef Stew')
      await user.click(await complete())
      await confirm(user)
      expect(await screen.findByText('2 lunches marked as complete.')).toBeInTheDocument()
      await user.click(screen.getByRole('button', { name: 'Undo' }))
      expect(await screen.findByText('1 lunch is open again')).toBeInTheDocument()
      expect(screen.getByText('1 order left unchanged: This order has changed since')).toBeInTheDocument()
      expect(server.asked(undoOrderStatus)[0]?.body).toEqual({ batchId })
      expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
    })

    test('tells which orders were left and why', async () => {
      server.on(setOrderStatus, {
        message: 'ok',
        updated: 1,
        skipped: [{ id: '2.2026-09-14.1', code: 'cancelled', message: 'The order is cancelled' }],
        batchId,
      })
      const user = openConsole('/', cook)
      await tick(user, 'Beef Stew')
      await user.click(await complete())
      await confirm(user)
      expect(await screen.findByText('1 order left unchanged: The order is cancelled')).toBeInTheDocument()
    })

    test('that failed says so and keeps the selection', async () => {
      server.on(setOrderStatus, () => {
        throw new FakeRefusal(500, null)
      })
      const user = openConsole('/', cook)
      await tick(user, 'Beef Stew')
      await user.click(await complete())
      await confirm(user)
      expect(await screen.findByText('Failed to update orders. Please try again.')).toBeInTheDocument()
      expect(screen.getByText('1 row, 2 orders selected')).toBeInTheDocument()
    })

    test('more orders than one call takes go in several', async () => {
      const many = Array.from({ length: 5001 }, (_, student) => `7.${student + 1}.1.1.1`)
      server.on(kitchenToday, kitchenOf(row({ total: 5001, pendingOrderIds: many })))
      server.on(setOrderStatus, ({ body }) => ({
        message: 'ok',
        updated: (body as { orderIds: string[] }).orderIds.length,
        skipped: [],
        batchId,
      }))
      const user = openConsole('/', cook)
      await tick(user, 'Beef Stew')
      await user.click(await complete())
      await confirm(user)
      expect(await screen.findByText('5,001 orders marked as complete')).toBeInTheDocument()
      expect(server.asked(setOrderStatus)).toHaveLength(2)
    })
  })
})

describe('the names behind a remark', () => {
  const names = Array.from({ length: 99 }, (_, index) => `Child ${index + 1}`)
  const openRemark = (students: string[]) => {
    server = kitchenServer()
    const comments = [{ text: 'No onions', count: students.length, students }]
    server.on(
      kitchenToday,
      kitchenOf(row({ plates: [{ category: 'beef', sideDish: null, count: 140, comments }] })),
    )
    return openConsole('/', cook)
  }

  test('are folded to eight and how many more, and open at a press', async () => {
    const user = openRemark(names)
    const more = await screen.findByRole('button', { name: '+91, show all names' })
    expect(more).toHaveTextContent('+91')
    const rest = screen.getByText(/^, Child 9, .*Child 99$/)
    // Paper has them all.
    expect(rest).toHaveClass('hidden', 'print:inline')
    await user.click(more)
    expect(rest).not.toHaveClass('hidden')
    expect(more).not.toBeInTheDocument()
  })

  test('stand whole where they are eight', async () => {
    openRemark(names.slice(0, 8))
    await screen.findByText(/Child 8$/)
    expect(screen.queryByRole('button', { name: /names$/ })).not.toBeInTheDocument()
  })
})

describe('kitchen live', () => {
  beforeEach(() => {
    jest.useFakeTimers({ advanceTimers: true })
    server = kitchenServer()
  })
  afterEach(() => {
    forgetToasts()
    jest.useRealTimers()
  })

  const pass = (seconds: number) => act(() => jest.advanceTimersByTimeAsync(seconds * 1_000))
  const asked = () => server.asked(kitchenToday).length

  test('it reads itself again every 15 s, and marks what has changed for a minute', async () => {
    openConsole('/', cook)
    expect(await screen.findByText('Beef Stew')).toBeInTheDocument()
    expect(screen.queryByText('Just changed')).not.toBeInTheDocument()
    const before = asked()
    await pass(15)
    await waitFor(() => expect(asked()).toBe(before + 1))
    expect(screen.queryByText('Just changed')).not.toBeInTheDocument()
    server.on(kitchenToday, kitchenOf(row({ total: 141 })))
    await pass(15)
    expect(await screen.findByText('Just changed')).toBeInTheDocument()
    expect(screen.getByText('141', { selector: 'strong' })).toBeInTheDocument()
    await pass(61)
    await waitFor(() => expect(screen.queryByText('Just changed')).not.toBeInTheDocument())
  })

  test('what was only marked complete is no change', async () => {
    openConsole('/', cook)
    expect(await screen.findByText('Beef Stew')).toBeInTheDocument()
    server.on(kitchenToday, kitchenOf(row({ completed: 140, pendingOrderIds: [] })))
    await pass(15)
    expect(await screen.findByText('Completed')).toBeInTheDocument()
    expect(screen.queryByText('Just changed')).not.toBeInTheDocument()
  })

  test('it says how old what is seen is, and warns when nothing answers for two minutes', async () => {
    openConsole('/', cook)
    expect(await screen.findByText(/^Updated \d+ s ago$/)).toBeInTheDocument()
    server.on(kitchenToday, () => {
      throw new TypeError('Failed to fetch')
    })
    await pass(90)
    expect(screen.getByText('Updated 1 minute ago')).toBeInTheDocument()
    expect(screen.queryByText(/^No answer for/)).not.toBeInTheDocument()
    await pass(40)
    expect(screen.getByText('No answer for 2 minutes')).toBeInTheDocument()
    server.on(kitchenToday, kitchenOf(row({ total: 12 })))
    await pass(15)
    await waitFor(() => expect(screen.queryByText('No answer for 2 minutes')).not.toBeInTheDocument())
    expect(screen.getByText('12', { selector: 'strong' })).toBeInTheDocument()
  })

  test('it is read again when the page is seen and when the connection is there again', async () => {
    openConsole('/', cook)
    expect(await screen.findByText('Beef Stew')).toBeInTheDocument()
    const before = asked()
    act(() => void window.dispatchEvent(new Event('visibilitychange')))
    await waitFor(() => expect(asked()).toBe(before + 1))
    act(() => {
      window.dispatchEvent(new Event('offline'))
      window.dispatchEvent(new Event('online'))
    })
    await waitFor(() => expect(asked()).toBe(before + 2))
  })
})

describe('labels', () => {
  const date = '2026-09-15'
  const entries: ClassListEntry[] = [
    paperLunch({ id: '1', student: 'Abel', grade: '9', menuItem: 'Stew' }),
    paperLunch({ id: '2', student: 'Bupe', grade: '2', class: '2B', menuItem: 'Soup', sideDish: 'Rice' }),
    paperLunch({ id: '3', student: 'Chipo', grade: '2', class: '2A', menuItem: 'Stew', allergies: ['Milk'] }),
    paperLunch({ id: '4', student: 'Dalitso', grade: '2', class: '2A', menuItem: 'Soup', sideDish: 'Bread' }),
  ]
  beforeEach(() => {
    server = fakeServer()
    server.on(getCycleLength, { cycleLength: 4 })
    server.on(listCycles, [])
    server.on(classList, ({ query }) => ({
      date,
      data: entries.filter(({ grade }) => query.grade === undefined || grade === query.grade),
      grades: ['2', '9'] as ClassListEntry['grade'][],
    }))
  })
  afterEach(forgetToasts)

  const open = (more = '&labels=24') => openConsole(`/?list=${date}${more}`, adminWith('kitchen'))
  const names = () =>
    screen.getAllByRole('listitem').flatMap((label) => label.querySelector('.label-name')?.textContent ?? [])

  test('are opened from the class lists, and lead back to them as they were', async () => {
    const user = open('&grade=2&apart=yes')
    await user.click(await screen.findByRole('button', { name: 'Labels' }))
    expect(await screen.findByText('3 labels on 1 sheet.', { exact: false })).toBeInTheDocument()
    expect(shownAddress()).toBe(`/?list=${date}&grade=2&apart=yes&labels=24`)
    await user.selectOptions(screen.getByLabelText('Start at label'), '7')
    await user.click(screen.getByRole('button', { name: 'Back to class lists' }))
    expect(shownAddress()).toBe(`/?list=${date}&grade=2&apart=yes`)
  })

  test('say which of two children of one name it is', async () => {
    const twice = { ...entries[0]!, tellApart: '2231' }
    server.on(classList, { date, data: [twice], grades: ['9'] })
    open()
    expect(await screen.findByText('Two of this name: 2231')).toBeInTheDocument()
  })

  test('say whose lunch it is and what it is, allergies large, and nothing where none are declared', async () => {
    open()
    const abel = (await screen.findByText('Abel')).closest('li') as HTMLElement
    expect(within(abel).queryByText(/allergies/i)).not.toBeInTheDocument()
    const chipo = (await screen.findByText('Chipo')).closest('li') as HTMLElement
    const lines = [...chipo.querySelectorAll('p')].map((line) => line.textContent)
    expect(lines).toEqual([
      'Chipo',
      '2A · Tue 15 Sept',
      'Stew',
      'Chicken · Rape',
      'No onions, table 1',
      'Allergies: Milk',
    ])
    expect(within(chipo).getByText('Allergies: Milk')).toHaveClass('allergies-declared')
  })

  test('of a child that is ill, has declared no allergies, or has a medical note say so', async () => {
    server.on(classList, {
      date,
      data: [paperLunch({ student: 'Abel', absent: true, allergies: [], medicalNote: 'Pen with the nurse' })],
      grades: ['2'],
    })
    open()
    expect(await screen.findByText('Abel · ill')).toBeInTheDocument()
    expect(screen.getByText('No allergies')).toBeInTheDocument()
    expect(screen.getByText('Pen with the nurse')).toBeInTheDocument()
  })

  test('are sorted by class and name, or by meal, which stands in the address', async () => {
    const user = open()
    await screen.findByText('Chipo')
    expect(names()).toEqual(['Chipo', 'Dalitso', 'Bupe', 'Abel'])
    await user.selectOptions(screen.getByLabelText('Sort by'), 'Meal')
    expect(names()).toEqual(['Dalitso', 'Bupe', 'Chipo', 'Abel'])
    expect(shownAddress()).toBe(`/?list=${date}&labels=24&by=meal`)
  })

  test('begin at a place of a begun sheet; another kind of sheet is a new one', async () => {
    const user = open('&labels=24&start=23')
    await screen.findByText('4 labels on 2 sheets.', { exact: false })
    const [first] = screen.getAllByRole('list', { name: 'Sheet 1 of 2' })
    expect(first?.firstElementChild).toHaveStyle({ 'grid-column-start': '2', 'grid-row-start': '8' })
    expect(screen.getByLabelText('Start at label')).toHaveProperty('value', '23')
    await user.selectOptions(screen.getByLabelText('Labels on'), 'Sheet of 65, 38.1 × 21.2 mm (L7651)')
    expect(shownAddress()).toBe(`/?list=${date}&labels=65`)
    expect(within(screen.getByLabelText('Start at label')).getAllByRole('option')).toHaveLength(65)
    await user.selectOptions(screen.getByLabelText('Labels on'), 'Roll, 62 × 29 mm')
    expect(screen.queryByLabelText('Start at label')).not.toBeInTheDocument()
    expect(screen.getByText('4 labels.', { exact: false })).toBeInTheDocument()
    expect(shownAddress()).toBe(`/?list=${date}&labels=roll`)
  })

  test('of an address with choices that are none are those of the usual sheet from its first label on', async () => {
    open('&labels=23&start=99&by=age')
    expect(await screen.findByText('4 labels on 1 sheet.', { exact: false })).toBeInTheDocument()
    expect(screen.getByLabelText('Start at label')).toHaveProperty('value', '')
    expect(names()).toEqual(['Chipo', 'Dalitso', 'Bupe', 'Abel'])
  })

  test('are narrowed to one class', async () => {
    const user = open()
    await screen.findByText('Abel')
    await user.selectOptions(screen.getByLabelText('Class'), 'Grade 9')
    await waitFor(() => expect(names()).toEqual(['Abel']))
    expect(shownAddress()).toBe(`/?list=${date}&labels=24&grade=9`)
  })

  test('are printed by the button', async () => {
    const print = jest.spyOn(window, 'print').mockImplementation(() => undefined)
    const user = open()
    await user.click(await screen.findByRole('button', { name: 'Print labels' }))
    expect(print).toHaveBeenCalledTimes(1)
  })

  test('of a day without orders say so', async () => {
    server.on(classList, { date, data: [], grades: [] })
    open()
    expect(await screen.findByText('No labels')).toBeInTheDocument()
    expect(screen.getByText('Nobody has ordered for this day.')).toBeInTheDocument()
  })

  test('that could not be read say so', async () => {
    server.on(classList, () => refusal(503, 'unavailable', 'The database is away'))
    open()
    expect(await screen.findByText('Failed to fetch orders')).toBeInTheDocument()
  })
})

describe('meals in conflict', () => {
  beforeEach(() => {
    server = fakeServer()
    server.on(getCycleLength, { cycleLength: 4 })
    server.on(listCycles, [])
    server.on(kitchenToday, {
      date: '2026-09-15',
      data: [],
      metadata: onePage,
      totals: [],
      allergies: null,
      planned: [],
    })
  })
  afterEach(forgetToasts)

  const open = () => openConsole('/', adminWith('kitchen'))

  test('the kitchen reads which meals a child is allergic to, in words', async () => {
    const meal = { orderId: '11.2026-09-16.1', student: 'Chipo', date: '2026-09-16', menuItem: 'Nut Stew' }
    server.on(listConflicts, { data: [{ ...meal, allergens: ['Peanuts', 'Milk'], diets: ['halal'] }] })
    open()
    expect(
      await screen.findByText('1 meal with something the child is allergic to or does not eat'),
    ).toBeInTheDocument()
    const box = screen.getByText(/^1 meal with something/).closest('details')!
    expect(box.open).toBe(false)
    expect(within(box).getByText(/Nut Stew for Chipo/)).toHaveTextContent(
      'Wednesday, 16 September 2026: Nut Stew for Chipo – contains peanuts, milk, not halal',
    )
  })

  test('where that cannot be read it says so', async () => {
    server.on(listConflicts, () => refusal(500, 'fault', 'Something went wrong'))
    open()
    expect(await screen.findByText('Failed to load meals that need a look')).toBeInTheDocument()
  })
})
