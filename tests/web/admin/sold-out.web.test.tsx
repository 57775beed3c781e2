import { fireEvent, screen, within } from '@testing-library/react'
import { listCycles } from '#contracts/cycles'
import { listMenuItems } from '#contracts/menu-items'
import { setSoldOut } from '#contracts/portions'
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
