import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { listPortions, setSoldOut } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import type { ReplyOf } from '#contracts/endpoint'
import { listMenuItems } from '#contracts/menu-list'
import { bulkUpload } from '#contracts/menu-upload'
import { setSchoolNow } from '../../../web/lib/school-moment'
import { type FakeServer, fakeServer, FakeRefusal, refusal } from './fake-server'
import { forgetToasts, openConsole, adminWith } from './open-console'
import { serveMenu, pageOfMenu, sampleMenu } from './sample-menu'
import { autumnCycle } from './sample-orders'

let server: FakeServer

describe('menu upload', () => {
  beforeEach(() => {
    server = fakeServer()
    serveMenu(server)
  })
  afterEach(forgetToasts)

  const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
  const open = async () => {
    openConsole('/')
    await press('Bulk Upload')
  }
  const pick = async (file: File) =>
    userEvent.upload(await screen.findByLabelText('CSV file'), file, { applyAccept: false })
  const outcome = (more: Partial<ReplyOf<typeof bulkUpload>> = {}) => ({
    successCount: 0,
    createdCount: 0,
    changedCount: 0,
    changed: [],
    errorCount: 0,
    errors: [],
    notRead: [],
    leftOut: [],
    leftOutCount: 0,
    notes: [],
    ...more,
  })
  const csv = new File(['x'.repeat(2300)], 'term.csv', { type: 'text/csv' })

  test('the card opens and closes by its button', async () => {
    await open()
    expect(screen.getByRole('heading', { name: 'Bulk Upload' })).toBeInTheDocument()
    await press('Bulk Upload')
    expect(screen.queryByLabelText('CSV file')).not.toBeInTheDocument()
  })

  test('a picked file is shown with its size in KB', async () => {
    await open()
    await pick(csv)
    expect(await screen.findByText('term.csv (2.2 KB)')).toBeInTheDocument()
  })

  test('a file that is no CSV is turned away', async () => {
    await open()
    await pick(new File(['x'], 'menu.xlsx', { type: 'application/vnd.ms-excel' }))
    expect(await screen.findByText('Invalid File Type')).toBeInTheDocument()
    expect(screen.getByText('Please select a CSV file')).toBeInTheDocument()
    expect(screen.queryByText(/KB\)/)).not.toBeInTheDocument()
  })

  test('without a file nothing is sent', async () => {
    server.on(bulkUpload, outcome())
    await open()
    await press('Upload')
    expect(await screen.findByText('No File Selected')).toBeInTheDocument()
    expect(server.asked(bulkUpload)).toEqual([])
  })

  test('the file goes in the field of the contract; the result counts and lists', async () => {
    server.on(
      bulkUpload,
      outcome({
        successCount: 12,
        createdCount: 12,
        errorCount: 2,
        errors: ['Row 5, price: wrong', 'Row 9, type: wrong'],
      }),
    )
    await open()
    await pick(csv)
    await press('Upload')
    expect(await screen.findByText('12 saved')).toBeInTheDocument()
    expect(screen.getByText('12 new, 0 changed')).toBeInTheDocument()
    expect(server.asked(bulkUpload).map(({ query }) => query)).toEqual([{ dryRun: 'true' }, {}])
    expect(screen.getByText('2 with errors')).toBeInTheDocument()
    expect(screen.getByText('Row 5, price: wrong')).toBeInTheDocument()
    expect(screen.getByText('Row 9, type: wrong')).toBeInTheDocument()
    const [, sent] = server.asked(bulkUpload).map(({ body }) => (body as FormData).get('file'))
    expect(sent).toHaveProperty('name', 'term.csv')
    expect(screen.queryByText(/KB\)/)).not.toBeInTheDocument()
  })

  test('items that are there are changed only after they were named', async () => {
    const planned = outcome({
      successCount: 3,
      createdCount: 1,
      changedCount: 2,
      changed: [
        { id: 4, name: 'Stew' },
        { id: 5, name: 'Pizza' },
      ],
    })
    server.on(bulkUpload, planned)
    await open()
    await pick(csv)
    await press('Upload')
    const dialog = within(await screen.findByRole('dialog', { name: 'Change 2 menu items?' }))
    expect(dialog.getByText(/Stew, Pizza\. 1 item would be new\./)).toBeInTheDocument()
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(server.asked(bulkUpload)).toHaveLength(1)
    expect(screen.queryByText('3 saved')).not.toBeInTheDocument()
    await press('Upload')
    await press('Upload and Change')
    expect(await screen.findByText('1 new, 2 changed')).toBeInTheDocument()
    expect(server.asked(bulkUpload).map(({ query }) => query)).toEqual([
      { dryRun: 'true' },
      { dryRun: 'true' },
      {},
    ])
  })

  test('columns that are not read are named before anything is saved, and rows left out afterwards', async () => {
    server.on(
      bulkUpload,
      outcome({
        successCount: 3,
        createdCount: 3,
        notRead: ['Ingredients', 'Notes'],
        leftOut: [{ row: 9, reason: 'the headings again', amount: null }],
        leftOutCount: 1,
      }),
    )
    await open()
    await pick(csv)
    await press('Upload')
    const dialog = within(await screen.findByRole('dialog', { name: 'Leave columns out?' }))
    expect(dialog.getByText(/These columns are not read: Ingredients, Notes\./)).toBeInTheDocument()
    expect(server.asked(bulkUpload)).toHaveLength(1)
    await press('Upload Without Them')
    expect(await screen.findByText('Columns that are not read: Ingredients, Notes')).toBeInTheDocument()
    expect(screen.getByText('Row 9: the headings again')).toBeInTheDocument()
  })

  test('a file of other columns asks which is which, and is sent as they are matched', async () => {
    const heads = ['Dish', 'Cost', 'Kind', 'Meat', 'Weeks', 'Days']
    const guess = { name: 'Dish', price: 'Cost', type: 'Kind', categories: 'Meat', weekNumbers: 'Weeks' }
    server.on(bulkUpload, ({ body }) =>
      (body as FormData).has('mapping')
        ? outcome({ successCount: 1 })
        : refusal(422, 'mapping_needed', 'We guessed columns.', { heads, sample: [], guess }),
    )
    await open()
    await pick(csv)
    await press('Upload')
    expect(await screen.findByText('Which column is which?')).toBeInTheDocument()
    await press('Upload')
    expect(await screen.findByText('Choose the column daysOfWeek')).toBeInTheDocument()
    await userEvent.selectOptions(screen.getByLabelText('Days of the week'), 'Days')
    await press('Upload')
    expect(await screen.findByText('1 saved')).toBeInTheDocument()
    const sent = server.asked(bulkUpload).map(({ body }) => (body as FormData).get('mapping'))
    const matched = { ...guess, daysOfWeek: 'Days' }
    expect(sent.slice(1).map((one) => JSON.parse(one as string))).toEqual([matched, matched])
  })

  test('progress is shown while it runs', async () => {
    let finish: ((reply: ReplyOf<typeof bulkUpload>) => void) | undefined
    server.on(bulkUpload, ({ query }) =>
      query.dryRun ? outcome() : new Promise((resolve) => (finish = resolve)),
    )
    await open()
    await pick(csv)
    await press('Upload')
    expect(await screen.findByRole('progressbar', { name: 'Uploading menu items' })).toBeInTheDocument()
    await waitFor(() => expect(finish).toBeDefined())
    finish?.(outcome({ successCount: 1 }))
    expect(await screen.findByText('1 saved')).toBeInTheDocument()
    expect(screen.queryByRole('progressbar')).not.toBeInTheDocument()
  })

  test.each([
    [
      'the words of the server',
      () => refusal(422, 'columns_twice', 'The file has two columns price'),
      'The file has two columns price',
    ],
    [
      'its own words',
      () => {
        throw new FakeRefusal(502, null)
      },
      'Failed to upload menu items',
    ],
  ])('a failed upload is told with %s and keeps the file', async (_name, answer, text) => {
    server.on(bulkUpload, answer)
    await open()
    await pick(csv)
    await press('Upload')
    expect(await screen.findByText('Upload Failed')).toBeInTheDocument()
    expect(screen.getByText(text)).toBeInTheDocument()
    expect(screen.getByText('term.csv (2.2 KB)')).toBeInTheDocument()
  })

  test('the template is given as a file and this is said', async () => {
    const saved: string[] = []
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(
      this: HTMLAnchorElement,
    ) {
      saved.push(this.download)
    })
    URL.createObjectURL = () => 'blob:template'
    URL.revokeObjectURL = () => undefined
    await open()
    await press('Download Template')
    expect(await screen.findByText('Template Downloaded')).toBeInTheDocument()
    expect(saved).toEqual(['menu-items-template.csv'])
  })
})

describe('sold out', () => {
  const dayOf = (day: number, date: string, state: 'open' | 'blocked' | 'past' | 'cutoff' = 'open') => ({
    day,
    date,
    state,
    cutoffAt: `${date}T06:00:00.000Z`,
  })
  const week = (number: number, days: ReturnType<typeof dayOf>[]) => ({
    week: number,
    startDate: days[0]!.date,
    endDate: days.at(-1)!.date,
    completed: false,
    days,
  })
  const weeks = [
    week(2, [
      dayOf(1, '2026-09-21', 'past'),
      dayOf(2, '2026-09-22', 'cutoff'),
      dayOf(3, '2026-09-23'),
      dayOf(4, '2026-09-24', 'blocked'),
    ]),
    week(3, [dayOf(2, '2026-09-29'), dayOf(3, '2026-09-30')]),
    week(4, [dayOf(2, '2026-10-06'), dayOf(3, '2026-10-07')]),
  ]
  let soldOut: string[]

  beforeEach(() => {
    setSchoolNow('2026-09-22T08:00:00.000Z')
    soldOut = []
    server = fakeServer()
    serveMenu(server)
    server.on(listCycles, [
      { ...autumnCycle, weeks },
      { ...autumnCycle, id: 6, isActive: false },
    ])
    const [stew, ...others] = sampleMenu()
    const offered = { ...stew!, weekNumbers: [2, 4], daysOfWeek: [2, 3, 4], portionLimit: null }
    server.on(listMenuItems, ({ query }) => pageOfMenu([offered, ...others], query))
    server.on(listPortions, () => ({
      data: [
        { menuItemId: 2, date: '2026-09-23', limit: null, left: 0, taken: 0, soldOut: true },
        ...soldOut.map((date) => ({ menuItemId: 1, date, limit: null, left: 0, taken: 3, soldOut: true })),
      ],
    }))
    server.on(setSoldOut, ({ body }) => {
      const { date, soldOut: isSoldOut } = body as { date: string; soldOut: boolean }
      soldOut = isSoldOut ? [...soldOut, date] : soldOut.filter((one) => one !== date)
      return { orders: 3 }
    })
  })
  afterEach(() => {
    setSchoolNow(new Date().toISOString())
    forgetToasts()
  })

  type Hands = ReturnType<typeof openConsole>
  const press = async (user: Hands, name: string) => user.click(await screen.findByRole('button', { name }))
  const openDialog = async (user: Hands) => {
    await press(user, 'Sold out dates of Beef Stew')
    return within(await screen.findByRole('dialog', { name: 'Beef Stew: sold out dates' }))
  }
  type Shown = Awaited<ReturnType<typeof openDialog>>
  const switchOf = (dialog: Shown, date: string) =>
    dialog.findByRole('switch', { name: `Sold out on ${date}` })
  const rows = (dialog: Shown) =>
    dialog.getAllByRole('listitem').map((row) => row.querySelector('p')?.textContent)

  describe('the dates of an item', () => {
    test('are those on which the cycle offers it from today on, each with a switch', async () => {
      const dialog = await openDialog(openConsole('/', adminWith('menu')))
      await switchOf(dialog, 'Tuesday, 22 September 2026')
      expect(dialog.getAllByRole('switch', { checked: false })).toHaveLength(4)
      expect(rows(dialog)).toEqual(['Tue 22 Sept', 'Wed 23 Sept', 'Tue 6 Oct', 'Wed 7 Oct'])
    })

    test('are sold out by one press; the orders that stay are counted and linked', async () => {
      const user = openConsole('/', adminWith('menu', 'history'))
      const dialog = await openDialog(user)
      await user.click(await switchOf(dialog, 'Wednesday, 23 September 2026'))
      expect(await dialog.findByText('Sold out. 3 orders stay.')).toBeInTheDocument()
      expect(await switchOf(dialog, 'Wednesday, 23 September 2026')).toBeChecked()
      expect(dialog.getAllByRole('switch', { checked: true })).toHaveLength(1)
      expect(server.asked(setSoldOut)[0]).toMatchObject({
        params: { id: 1 },
        body: { date: '2026-09-23', soldOut: true },
      })
      expect(dialog.getByRole('link', { name: 'See them in Cycle History' })).toHaveAttribute(
        'href',
        '/?section=history&cycleId=7&weekNumber=2&dayOfWeek=3&menuItemId=1',
      )
    })

    test('can be ordered again by the same switch, also where the cycle offers it no more', async () => {
      soldOut = ['2026-09-25']
      const user = openConsole('/', adminWith('menu'))
      const dialog = await openDialog(user)
      const friday = await switchOf(dialog, 'Friday, 25 September 2026')
      expect(friday).toBeChecked()
      await user.click(friday)
      await waitFor(() => expect(friday).not.toBeInTheDocument())
      expect(server.asked(setSoldOut)[0]?.body).toEqual({ date: '2026-09-25', soldOut: false })
    })

    test('tell what is ordered of a limited item', async () => {
      const limited = { menuItemId: 1, limit: 40, soldOut: false }
      server.on(listPortions, {
        data: [
          { ...limited, date: '2026-09-22', left: 28, taken: 12 },
          { ...limited, date: '2026-09-23', left: 0, taken: 40 },
        ],
      })
      const dialog = await openDialog(openConsole('/', adminWith('menu')))
      expect(await dialog.findByText('12 of 40 ordered, 28 left')).toBeInTheDocument()
      expect(dialog.getByText('40 of 40 ordered, none left')).toBeInTheDocument()
      expect(dialog.getAllByText('No limit')).toHaveLength(2)
      expect(server.asked(listPortions)[0]?.query).toEqual({ from: '2026-09-22', to: '2026-11-22' })
    })

    test('are none without a cycle', async () => {
      server.on(listCycles, [])
      const dialog = await openDialog(openConsole('/', adminWith('menu')))
      expect(await dialog.findByText('No coming dates')).toBeInTheDocument()
    })

    test('have no link for who may not see orders', async () => {
      const user = openConsole('/', adminWith('menu'))
      const dialog = await openDialog(user)
      await user.click(await switchOf(dialog, 'Wednesday, 23 September 2026'))
      expect(await dialog.findByText('Sold out. 3 orders stay.')).toBeInTheDocument()
      expect(dialog.queryByRole('link')).not.toBeInTheDocument()
    })

    test.each([
      [
        'the words of the server',
        () => refusal(422, 'invalid_input', 'The day has passed'),
        'The day has passed',
      ],
      [
        'their own words without them',
        () => {
          throw new FakeRefusal(502, null)
        },
        'Failed to update menu item',
      ],
    ])('that could not be switched show %s and stay', async (_name, answer, text) => {
      server.on(setSoldOut, answer)
      const user = openConsole('/', adminWith('menu'))
      const dialog = await openDialog(user)
      await user.click(await switchOf(dialog, 'Wednesday, 23 September 2026'))
      expect(await screen.findByText(text)).toBeInTheDocument()
      expect(await switchOf(dialog, 'Wednesday, 23 September 2026')).not.toBeChecked()
    })
  })

  test('the limit of an item stands in its row and in its preview', async () => {
    const [stew, ...others] = sampleMenu()
    server.on(listMenuItems, ({ query }) => pageOfMenu([{ ...stew!, portionLimit: 40 }, ...others], query))
    const user = openConsole('/', adminWith('menu'))
    const row = (await screen.findByLabelText('Select Beef Stew')).closest('tr')
    expect(row).toHaveTextContent('40 portions a day')
    await press(user, 'Preview Beef Stew')
    const preview = within(await screen.findByRole('dialog', { name: 'Beef Stew' }))
    expect(preview.getByText('Portions').nextSibling).toHaveTextContent('40 portions a day')
  })

  test.each(['0', '2.5', 'ten'])('%s portions a day are refused', async (typed) => {
    const user = openConsole('/', adminWith('menu'))
    await press(user, 'Add New Menu Item')
    await user.type(await screen.findByLabelText('Portions a day (optional)'), typed)
    await press(user, 'Create Menu Item')
    expect(await screen.findByText('Portions are a whole number from 1 to 100,000')).toBeInTheDocument()
  })
})
