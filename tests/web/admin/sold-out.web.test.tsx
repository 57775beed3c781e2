import { fireEvent, screen, within } from '@testing-library/react'
import { listCycles } from '#contracts/cycles'
import { listMenuItems, listPortions, setSoldOut } from '#contracts/catalogue'
import { setSchoolNow } from '../../../web/lib/school-moment'
import { fakeServer, FakeRefusal, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
import { pageOfMenu, sampleMenu, serveMenu } from './sample-menu'
import { autumnCycle } from './sample-orders'

let server: FakeServer

const weeks = [
  {
    week: 2,
    startDate: '2026-09-21',
    endDate: '2026-09-25',
    completed: false,
    days: [{ day: 3, date: '2026-09-23', state: 'open' as const }],
  },
]

beforeEach(() => {
  setSchoolNow('2026-09-22T08:00:00.000Z')
  server = fakeServer()
  serveMenu(server)
  server.on(listCycles, [{ ...autumnCycle, weeks }])
})
afterEach(() => {
  setSchoolNow(new Date().toISOString())
  forgetToasts()
})

type Hands = ReturnType<typeof openConsole>
const press = async (user: Hands, name: string) => user.click(await screen.findByRole('button', { name }))
const openDialog = async (user: Hands) => {
  await press(user, 'Sold out dates of Beef Stew')
  return within(await screen.findByRole('dialog', { name: 'Beef Stew: sold out on a date' }))
}
const pick = (date: string) => fireEvent.change(screen.getByLabelText('Date'), { target: { value: date } })

describe('an item that is sold out on a date', () => {
  test('nobody can order for it any more; the orders that stand are counted and linked', async () => {
    server.on(setSoldOut, { orders: 12 })
    const user = openConsole('/', adminWith('menu', 'history'))
    const dialog = await openDialog(user)
    expect(dialog.getByLabelText('Date')).toHaveValue('2026-09-22')
    pick('2026-09-23')
    await press(user, 'Sold out')
    expect(await dialog.findByText('Sold out on Wednesday, 23 September 2026')).toBeInTheDocument()
    expect(dialog.getByText('12 orders stand on it.')).toBeInTheDocument()
    expect(server.asked(setSoldOut)[0]).toMatchObject({
      params: { id: 1 },
      body: { date: '2026-09-23', soldOut: true },
    })
    expect(await dialog.findByRole('link', { name: 'See them in Cycle History' })).toHaveAttribute(
      'href',
      '/?section=history&cycleId=7&weekNumber=2&dayOfWeek=3&menuItemId=1',
    )
  })

  test('can be ordered again', async () => {
    server.on(setSoldOut, { orders: 0 })
    const user = openConsole('/', adminWith('menu'))
    const dialog = await openDialog(user)
    await press(user, 'Allow ordering')
    expect(
      await dialog.findByText('Can be ordered for Tuesday, 22 September 2026 as far as its portions go'),
    ).toBeInTheDocument()
    expect(dialog.getByText('No orders stand on it.')).toBeInTheDocument()
    expect(server.asked(setSoldOut)[0]?.body).toEqual({ date: '2026-09-22', soldOut: false })
  })

  test('stands in the list of coming dates with what is ordered of a limited one, and is allowed again from there', async () => {
    let isSoldOut = true
    server.on(listPortions, () => ({
      data: [
        { menuItemId: 2, date: '2026-09-23', limit: null, left: 0, taken: 0, soldOut: true },
        { menuItemId: 1, date: '2026-09-23', limit: 40, left: 28, taken: 12, soldOut: false },
        { menuItemId: 1, date: '2026-09-24', limit: 40, left: 0, taken: 3, soldOut: isSoldOut },
        { menuItemId: 1, date: '2026-09-25', limit: 40, left: 40, taken: 0, soldOut: false },
      ],
    }))
    server.on(setSoldOut, () => {
      isSoldOut = false
      return { orders: 3 }
    })
    const user = openConsole('/', adminWith('menu'))
    const dialog = await openDialog(user)
    const dates = within(await dialog.findByRole('region', { name: 'Coming dates' }))
    await dates.findByText('Sold out by hand, 3 of 40 ordered')
    expect(dates.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Wednesday, 23 September 202612 of 40 ordered, 28 left',
      'Thursday, 24 September 2026Sold out by hand, 3 of 40 orderedAllow again',
    ])
    expect(server.asked(listPortions)[0]?.query).toEqual({ from: '2026-09-22', to: '2026-11-22' })
    await press(user, 'Allow again on Thursday, 24 September 2026')
    expect(await dates.findByText('3 of 40 ordered, none left')).toBeInTheDocument()
    expect(server.asked(setSoldOut)[0]?.body).toEqual({ date: '2026-09-24', soldOut: false })
    expect(dates.queryByRole('button')).not.toBeInTheDocument()
  })

  test('has no link for who may not see orders', async () => {
    server.on(setSoldOut, { orders: 1 })
    const user = openConsole('/', adminWith('menu'))
    const dialog = await openDialog(user)
    await press(user, 'Sold out')
    expect(await dialog.findByText('1 order stands on it.')).toBeInTheDocument()
    expect(dialog.queryByRole('link')).not.toBeInTheDocument()
  })

  test.each([
    [
      'the words of the server',
      () => refusal(422, 'invalid_input', 'The day has passed'),
      'The day has passed',
    ],
    [
      'its own words without them',
      () => {
        throw new FakeRefusal(502, null)
      },
      'Failed to update menu item',
    ],
  ])('that failed shows %s', async (_name, answer, text) => {
    server.on(setSoldOut, answer)
    const user = openConsole('/', adminWith('menu'))
    await openDialog(user)
    await press(user, 'Sold out')
    expect(await screen.findByText(text)).toBeInTheDocument()
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
