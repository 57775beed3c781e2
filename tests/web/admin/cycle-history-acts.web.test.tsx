import { screen, waitFor, within } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import { getAllergyRule } from '#contracts/health'
import { listClasses } from '#contracts/identity'
import { type CycleOrder, cycleOrders } from '#contracts/order-reports'
import { cancelOrders, moveOrder, substituteOrders } from '#contracts/ordering'
import { type FakeServer, type Asked, fakeServer, FakeRefusal, refusal } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
import { autumnCycle, dish, historyOrder, historyPage } from './sample-orders'

const office = adminWith('history')
let server: FakeServer

describe('cycle history acts', () => {
  const child = (id: string, name: string, more: Partial<CycleOrder> = {}) =>
    historyOrder(id, { student: { name, grade: '4' }, ...more })
  const orders = [
    child('a', 'Anna', { owedIfCancelled: 45.05 }),
    child('b', 'Bupe', { owedIfCancelled: 40.05, status: 'completed' }),
    child('d', 'David', { status: 'cancelled' }),
  ]
  const menu = [
    { ...dish(3, 'Beef Stew'), daysOfWeek: [2] },
    {
      ...dish(4, 'Fish Cakes'),
      daysOfWeek: [2, 3],
      categories: ['fish', 'vegetarian'],
      sideDishes: ['rice', 'chips'],
    },
    { ...dish(5, 'Pancakes'), daysOfWeek: [1] },
    { ...dish(6, 'Old Soup', true), daysOfWeek: [2] },
    { ...dish(7, 'Burger'), daysOfWeek: [2], isAvailable: false },
  ]

  beforeEach(() => {
    server = fakeServer()
    server.on(listClasses, { data: ['9A', '9B'] })
    server.on(listCycles, [autumnCycle])
    server.on(listMenu, menu)
    server.on(cycleOrders, historyPage(orders))
  })
  afterEach(forgetToasts)

  type User = ReturnType<typeof openConsole>
  const select = async (user: User, ...names: string[]) => {
    for (const name of names)
      await user.click(await screen.findByRole('checkbox', { name: new RegExp(`^Select .* for ${name}`) }))
  }
  const press = async (user: User, name: string) => user.click(await screen.findByRole('button', { name }))
  const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

  describe('orders cancelled in one act', () => {
    const answer = { cancelled: 1, owed: 45.05, families: 1, notTold: 1, skipped: [] }

    test('are asked for with their number and sum, a reason and how the money goes back', async () => {
      server.on(cancelOrders, {
        ...answer,
        skipped: [{ orderId: 'b', code: 'already_completed', message: 'The meal was given out' }],
      })
      const user = openConsole('/', office)
      await select(user, 'Anna', 'Bupe', 'David')
      await press(user, 'Cancel with Reason')
      const asking = await dialog('Cancel 2 orders?')
      expect(
        asking.getByText(
          'K85.10 that was paid for them goes back. Every family is told once. 1 other selected order stays as before.',
        ),
      ).toBeInTheDocument()
      await press(user, 'Cancel 2 Orders')
      expect(await asking.findByText('Give a reason')).toBeInTheDocument()
      expect(server.asked(cancelOrders)).toEqual([])
      await user.type(asking.getByLabelText('Reason, as families read it'), 'The oven broke')
      await user.click(asking.getByRole('radio', { name: 'Family credit' }))
      await press(user, 'Cancel 2 Orders')
      expect(await screen.findByText('Orders cancelled')).toBeInTheDocument()
      expect(
        screen.getByText(
          '1 order of 1 family cancelled, K45.05 goes back, 1 family without an address not told, 1 skipped',
        ),
      ).toBeInTheDocument()
      expect(server.asked(cancelOrders)[0]?.body).toEqual({
        orderIds: ['a', 'b'],
        reason: 'The oven broke',
        remedy: 'credit',
      })
      expect(
        screen.getByText('Beef Stew for Bupe, Week 1, Tuesday: The meal was given out'),
      ).toBeInTheDocument()
      expect(screen.queryByText(/selected$/)).not.toBeInTheDocument()
    })

    test('sent again after a lost answer keep their key', async () => {
      const keys: (string | undefined)[] = []
      const user = openConsole('/', office)
      const network = globalThis.fetch
      globalThis.fetch = (async (address: string, init: RequestInit) => {
        if (address.endsWith('/api/orders/cancel'))
          keys.push((init.headers as Record<string, string>)['Idempotency-Key'])
        return network(address, init)
      }) as typeof fetch
      server.on(cancelOrders, () => {
        throw new FakeRefusal(502, null)
      })
      await select(user, 'Anna')
      await press(user, 'Cancel with Reason')
      const asking = await dialog('Cancel 1 order?')
      await user.type(asking.getByLabelText(/^Reason/), 'The oven broke')
      await press(user, 'Cancel 1 Order')
      expect(await screen.findByText('Failed to cancel orders')).toBeInTheDocument()
      server.on(cancelOrders, answer)
      await press(user, 'Cancel 1 Order')
      expect(await screen.findByText('Orders cancelled')).toBeInTheDocument()
      expect(keys).toHaveLength(2)
      expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
      expect(keys[1]).toBe(keys[0])
    })

    test('are not asked for where none of them can be cancelled', async () => {
      const user = openConsole('/', office)
      await select(user, 'David')
      await press(user, 'Cancel with Reason')
      expect(await screen.findByText('None of the selected orders can be cancelled')).toBeInTheDocument()
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    })

    test('of every page are selected together', async () => {
      server.on(cycleOrders, ({ query }) =>
        query.pageSize === 100
          ? historyPage([...orders, child('z', 'Zoe')], { pageSize: 100 })
          : historyPage(orders, { total: 4, pageSize: 3 }),
      )
      const user = openConsole('/?weekNumber=1&dayOfWeek=2&menuItemId=3', office)
      await press(user, 'Select all 4 orders')
      expect(await screen.findByText('4 orders selected')).toBeInTheDocument()
      expect(screen.getByText(', 1 on other pages')).toBeInTheDocument()
      expect(screen.queryByRole('button', { name: 'Select all 4 orders' })).not.toBeInTheDocument()
      expect(server.asked(cycleOrders).at(-1)?.query).toMatchObject({
        weekNumber: 1,
        dayOfWeek: 2,
        menuItemId: 3,
        pageSize: 100,
      })
    })
  })

  describe('orders given another meal', () => {
    test('get one that is offered on their day, with its protein and side', async () => {
      server.on(substituteOrders, { updated: 1, families: 1, notTold: 0, skipped: [] })
      const user = openConsole('/', office)
      await select(user, 'Anna', 'Bupe')
      await press(user, 'Give Another Meal')
      const asking = await dialog('Give 1 order another meal?')
      expect(asking.getByText(/1 other selected order stays as before\./)).toBeInTheDocument()
      await press(user, 'Give This Meal')
      expect(await asking.findByText('Choose a meal', { selector: '[role=alert]' })).toBeInTheDocument()
      const meals = within(asking.getByLabelText('Meal')).getAllByRole('option')
      expect(meals.map(({ textContent }) => textContent)).toEqual([
        'Choose a meal',
        'Beef Stew',
        'Fish Cakes',
      ])
      await user.selectOptions(asking.getByLabelText('Meal'), 'Fish Cakes')
      await user.selectOptions(asking.getByLabelText('Protein'), 'Vegetarian')
      await press(user, 'Give This Meal')
      expect(await screen.findByText('Orders changed')).toBeInTheDocument()
      expect(screen.getByText('1 order of 1 family changed')).toBeInTheDocument()
      expect(server.asked(substituteOrders)[0]?.body).toEqual({
        orderIds: ['a'],
        menuItemId: 4,
        category: 'vegetarian',
        sideDish: 'rice',
      })
      await waitFor(() => expect(screen.queryByText(/selected$/)).not.toBeInTheDocument())
    })

    test('that the server refuses stay selected and say why', async () => {
      server.on(substituteOrders, () => refusal(422, 'invalid_input', 'This meal is not on the menu'))
      const user = openConsole('/', office)
      await select(user, 'Anna')
      await press(user, 'Give Another Meal')
      await user.selectOptions(await screen.findByLabelText('Meal'), 'Beef Stew')
      await press(user, 'Give This Meal')
      expect(await screen.findByText('This meal is not on the menu')).toBeInTheDocument()
      expect(screen.getByText('1 order selected')).toBeInTheDocument()
    })

    test.each(['warn', 'block'] as const)('that a child is allergic to: the rule is %s', async (rule) => {
      server.on(getAllergyRule, { rule })
      const conflict = {
        orderId: 'a',
        code: 'allergen_conflict',
        message: 'Not possible',
        allergens: ['Fish'],
      }
      server.on(substituteOrders, ({ body }) =>
        (body as { acknowledged?: boolean }).acknowledged
          ? { updated: 1, families: 1, notTold: 0, skipped: [] }
          : { updated: 0, families: 0, notTold: 0, skipped: [conflict] },
      )
      const user = openConsole('/', office)
      await select(user, 'Anna')
      await press(user, 'Give Another Meal')
      await user.selectOptions(await screen.findByLabelText('Meal'), 'Fish Cakes')
      await press(user, 'Give This Meal')
      if (rule === 'block') {
        expect(await screen.findByText('1 order was skipped and stayed as before')).toBeInTheDocument()
        return expect(server.asked(substituteOrders)).toHaveLength(1)
      }
      const question = await dialog('Give this meal all the same?')
      expect(question.getByText('Anna – contains fish')).toBeInTheDocument()
      await press(user, 'Give It All the Same')
      await waitFor(() => expect(screen.queryByText(/selected$/)).not.toBeInTheDocument())
      expect(server.asked(substituteOrders)[1]?.body).toMatchObject({ orderIds: ['a'], acknowledged: true })
    })

    test('are told where no meal is offered', async () => {
      server.on(listMenu, [])
      const user = openConsole('/', office)
      await select(user, 'Anna')
      await press(user, 'Give Another Meal')
      expect(
        await screen.findByText('No meal is offered on all the days of these orders.'),
      ).toBeInTheDocument()
    })
  })

  describe('one order moved to another day', () => {
    const day = (date: string, state: 'open' | 'cutoff') => ({
      date,
      state,
      cutoffAt: `${date}T06:00:00.000Z`,
    })
    const week = (number: number, dates: [string, string]) => ({
      week: number,
      startDate: dates[0],
      endDate: dates[1],
      completed: false,
      days: [
        { day: 1, ...day(dates[0], 'open') },
        { day: 2, ...day(dates[1], number === 1 ? 'cutoff' : 'open') },
      ],
    })
    const weeks = [week(1, ['2026-09-14', '2026-09-15']), week(2, ['2026-09-21', '2026-09-22'])]
    beforeEach(() => {
      server.on(listCycles, [{ ...autumnCycle, weeks }])
      server.on(listMenu, [{ ...dish(3, 'Beef Stew'), weekNumbers: [1, 2], daysOfWeek: [2] }])
    })

    test('goes to an open day of its dish; a refusal stays in the dialog', async () => {
      server.on(moveOrder, () => refusal(409, 'already_ordered', 'You already have an order for this day'))
      const user = openConsole('/', office)
      await select(user, 'Anna')
      await press(user, 'Another day')
      const asking = await dialog('Move to another day?')
      const days = await asking.findByLabelText('Day')
      expect(within(days).getAllByRole('option')).toHaveLength(2)
      await press(user, 'Move Lunch')
      expect(await asking.findByText('Choose a day', { selector: ':not(option)' })).toBeInTheDocument()
      await user.selectOptions(days, '2026-09-22')
      await press(user, 'Move Lunch')
      expect(await screen.findByText('You already have an order for this day')).toBeInTheDocument()
      expect(server.asked(moveOrder)[0]).toMatchObject({ body: { date: '2026-09-22' } })
    })

    test('is for one order at a time, and for one that waits', async () => {
      const user = openConsole('/', office)
      await select(user, 'Bupe')
      await press(user, 'Another day')
      expect(await screen.findByText('Only pending orders can be moved')).toBeInTheDocument()
      await select(user, 'Anna')
      expect(screen.queryByRole('button', { name: 'Another day' })).not.toBeInTheDocument()
    })
  })
})

describe('cycle history export', () => {
  let saved: { name: string; blob: Blob }[]
  let blobs: Blob[]

  beforeEach(() => {
    server = fakeServer()
    server.on(listClasses, { data: ['9A', '9B'] })
    server.on(listCycles, [autumnCycle])
    server.on(listMenu, [])
    saved = []
    blobs = []
    URL.createObjectURL = (blob) => `blob:${blobs.push(blob as Blob) - 1}`
    URL.revokeObjectURL = () => undefined
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push({ name: this.download, blob: blobs[Number(this.href.slice('blob:'.length))]! })
    })
  })
  afterEach(() => {
    jest.restoreAllMocks()
    forgetToasts()
  })

  const textOf = (blob: Blob) =>
    new Promise<Buffer>((resolve) => {
      const reader = new FileReader()
      reader.addEventListener('load', () => resolve(Buffer.from(reader.result as ArrayBuffer)))
      reader.readAsArrayBuffer(blob)
    })
  const linesOf = async (blob: Blob) => (await textOf(blob)).toString('utf8').slice(1).split('\r\n')

  const placeOf = (at: number) => `2026-09-14T05:05:00.000Z~1~2~7.${at}.1.2.1`

  /** Answers with the orders of this school as the server would; they stand at their index. */
  const serving =
    (orders: CycleOrder[]) =>
    ({ query }: Asked) => {
      const { pageSize = 10, after } = query as { pageSize?: number; after?: string }
      const from = after === undefined ? 0 : Number(after.split('.').at(-4)) + 1
      const data = orders.slice(from, from + pageSize)
      const next = data.length === pageSize ? placeOf(from + pageSize - 1) : null
      return historyPage(data, { pageSize, total: orders.length, next })
    }
  const many = (count: number) => Array.from({ length: count }, (_, at) => historyOrder(`7.${at}.1.2.1`))
  const withResolvers = () => {
    const waiting: (() => void)[] = []
    const promise = new Promise<void>((resolve) => waiting.push(resolve))
    return { promise, resolve: () => waiting[0]?.() }
  }
  const chunks = () => server.asked(cycleOrders).filter(({ query }) => query.pageSize === 100)

  const exportAll = async (address = '/') => {
    const user = openConsole(address, office)
    await screen.findByText(/^\d+ orders?$/)
    await user.click(screen.getByRole('button', { name: 'Export CSV' }))
    return user
  }

  test('the file has the columns of the spec, exact prices and dates of the school', async () => {
    const order = historyOrder('a', {
      comments: 'warm, please',
      originalPrice: 50,
      discountedPrice: 44.1,
      student: { name: 'Chanda "CJ" Mwansa', grade: '4' },
    })
    server.on(cycleOrders, serving([order]))
    await exportAll()
    expect(await screen.findByText('Export successful')).toBeInTheDocument()
    expect(saved[0]?.name).toBe('cycle-orders-2026-09-16.csv')
    expect(await linesOf(saved[0]!.blob)).toEqual([
      '"Order Date","Student Name","Student Grade","Menu Item","Cycle Start","Week","Day","Category","Side Dish","Comments","Original Price","Discounted Price","Status"',
      '"2026-09-14 07:05","Chanda ""CJ"" Mwansa","4","Beef Stew","2026-09-14","1","Tuesday","beef","Nshima","warm, please","50.00","44.10","pending"',
      '',
    ])
  })

  test('the file says that it is UTF-8', async () => {
    server.on(cycleOrders, serving([historyOrder('a', { student: { name: 'Chisómo', grade: '4' } })]))
    await exportAll()
    await screen.findByText('Export successful')
    const bytes = await textOf(saved[0]!.blob)
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(bytes.toString('utf8')).toContain('Chisómo')
  })

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '＝1', 'warm;=1', 'warm\n=1'])(
    'a comment %j is no formula in the file',
    async (comments) => {
      server.on(cycleOrders, serving([historyOrder('a', { comments })]))
      await exportAll()
      await screen.findByText('Export successful')
      const text = (await textOf(saved[0]!.blob)).toString('utf8')
      expect(text).toContain("'")
      expect(text).not.toMatch(/[",;\t\r\n] *[=+\-@＝]/)
    },
  )

  test('goes in chunks of 100 with the filters, and shows how far it is', async () => {
    const answer = serving(many(230))
    const { promise: held, resolve: release } = withResolvers()
    server.on(cycleOrders, async (asked) => {
      if (asked.query.after === placeOf(199)) await held
      return answer(asked)
    })
    await exportAll('/?weekNumber=2&status=pending')
    const bar = await screen.findByRole('progressbar', { name: 'Exporting 200 of 230 orders' })
    expect(bar).toMatchObject({ value: 200, max: 230 })
    release()
    expect(await screen.findByText(/^230 orders in cycle-orders-/)).toBeInTheDocument()
    const filters = { weekNumber: 2, status: 'pending', pageSize: 100 }
    expect(chunks().map(({ query }) => query)).toEqual([
      filters,
      { ...filters, after: placeOf(99) },
      { ...filters, after: placeOf(199) },
    ])
    expect(await linesOf(saved[0]!.blob)).toHaveLength(232)
    expect(screen.queryByRole('progressbar')).not.toBeInTheDocument()
  })

  test('a last chunk that is just full is followed by an empty one', async () => {
    server.on(cycleOrders, serving(many(100)))
    await exportAll()
    expect(await screen.findByText(/^100 orders in/)).toBeInTheDocument()
    expect(chunks()).toHaveLength(2)
  })

  test('without orders says No data to export and makes no file', async () => {
    server.on(cycleOrders, serving([]))
    await exportAll()
    expect(await screen.findByText('No data to export')).toBeInTheDocument()
    expect(saved).toEqual([])
  })

  test.each([
    [
      'its own words',
      () => {
        throw new FakeRefusal(502, null)
      },
      'Failed to fetch data chunk',
    ],
    [
      'the words of the server',
      () => refusal(503, 'unavailable', 'The database is away'),
      'The database is away',
    ],
  ])('a chunk that fails ends it with %s', async (_name, fail, text) => {
    const answer = serving(many(150))
    server.on(cycleOrders, (asked) => (asked.query.after ? fail() : answer(asked)))
    await exportAll()
    expect(await screen.findByText('Export failed')).toBeInTheDocument()
    expect(screen.getByText(text)).toBeInTheDocument()
    expect(saved).toEqual([])
    expect(screen.getByRole('button', { name: 'Export CSV' })).toBeInTheDocument()
  })

  test('a browser that cannot keep the file says Failed to export data', async () => {
    server.on(cycleOrders, serving(many(1)))
    URL.createObjectURL = () => {
      throw new Error('no room')
    }
    await exportAll()
    expect(await screen.findByText('Failed to export data')).toBeInTheDocument()
  })

  test('can be stopped, and then makes no file', async () => {
    const answer = serving(many(230))
    server.on(cycleOrders, (asked) => (asked.query.after ? new Promise(() => {}) : answer(asked)))
    const fetching = globalThis.fetch
    globalThis.fetch = (address, init) =>
      new Promise((resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
        void fetching(address, init).then(resolve, reject)
      })
    const user = await exportAll()
    await user.click(await screen.findByRole('button', { name: 'Stop' }))
    await waitFor(() => expect(screen.queryByRole('progressbar')).not.toBeInTheDocument())
    expect(saved).toEqual([])
    expect(screen.queryByText('Export failed')).not.toBeInTheDocument()
  })
})
