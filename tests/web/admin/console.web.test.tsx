import { schoolDate, schoolNow } from '../../../web/lib/school-moment'
import { screen, waitFor, within } from '@testing-library/react'
import { maintenanceNow } from '#contracts/audit'
import { listCycles, getCycleLength, cycleHistory } from '#contracts/cycles'
import { logout, portal } from '#contracts/identity'
import { kitchenToday } from '#contracts/kitchen'
import { fakeServer, FakeRefusal, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'

const noPages = { total: 0, page: 1, pageSize: 10, totalPages: 1, hasNextPage: false, hasPreviousPage: false }
let server: FakeServer

beforeEach(() => {
  server = fakeServer()
  server.on(listCycles, [])
  server.on(getCycleLength, { cycleLength: 4 })
  server.on(cycleHistory, { data: [], metadata: noPages })
  server.on(kitchenToday, {
    date: schoolDate(schoolNow()),
    data: [],
    metadata: noPages,
    totals: [],
    allergies: null,
  })
})
afterEach(forgetToasts)

const menuEntries = () =>
  within(screen.getByRole('navigation', { name: 'Sections' }))
    .getAllByRole('link')
    .map((link) => link.textContent)

test('the menu has the held sections alone, the header their label and the username', async () => {
  openConsole('/', adminWith('cycles', 'kitchen'))
  await screen.findByText('No orders for today')
  expect(menuEntries()).toEqual(['Kitchen View', 'Order Cycles'])
  expect(screen.getByRole('heading', { level: 1 })).toHaveProperty('textContent', 'Kitchen View')
  expect(screen.getByText('grace')).toBeInTheDocument()
})

test('superadmin sees all twelve sections', async () => {
  openConsole('/?section=settings')
  await screen.findByRole('tab', { name: 'Communication' })
  expect(menuEntries()).toHaveLength(12)
})

test('choosing a section shows it, marks it and puts it into the address', async () => {
  const user = openConsole('/', adminWith('cycles', 'kitchen'))
  await user.click(await screen.findByRole('link', { name: 'Order Cycles' }))
  expect(await screen.findByText('Active Order Cycle')).toBeInTheDocument()
  expect(shownAddress()).toBe('/?section=cycles')
  expect(screen.getByRole('link', { name: 'Order Cycles' })).toHaveAttribute('aria-current', 'page')
})

test('a section that is not held is not opened by its address', async () => {
  openConsole('/?section=menu', adminWith('kitchen'))
  expect(await screen.findByText('No orders for today')).toBeInTheDocument()
})

test('a rebuild that runs is told in every section', async () => {
  server.on(maintenanceNow, { running: { what: 'rebuild', since: '2026-09-16T08:02:00.000Z' } })
  openConsole('/', adminWith('kitchen'))
  expect(
    await screen.findByText(
      'A rebuild of all lists began at 10:02 and is still running. You can go on working meanwhile.',
    ),
  ).toBeInTheDocument()
})

test('a backup that runs is nobody’s concern there', async () => {
  server.on(maintenanceNow, { running: { what: 'backup', since: '2026-09-16T08:02:00.000Z' } })
  openConsole('/', adminWith('kitchen'))
  await screen.findByText('No orders for today')
  expect(screen.queryByText(/A rebuild/)).not.toBeInTheDocument()
})

test('an administrator without sections is told so', async () => {
  openConsole('/', adminWith())
  expect(await screen.findByText('No sections yet')).toBeInTheDocument()
})

test('/settings is for those who hold it', async () => {
  openConsole('/settings', adminWith('kitchen'))
  expect(await screen.findByText('Settings is not open to you')).toBeInTheDocument()
})

test('the side menu collapses to icons and back, its names still readable by name', async () => {
  const user = openConsole('/?section=revenue')
  await user.click(await screen.findByRole('button', { name: 'Collapse menu' }))
  expect(screen.getByRole('button', { name: 'Expand menu' })).toHaveAttribute('aria-expanded', 'false')
  expect(screen.getByRole('link', { name: 'Live Orders' })).toBeInTheDocument()
})

test('on a phone the menu closes after a choice', async () => {
  const user = openConsole('/', adminWith('cycles', 'kitchen'))
  await user.click(await screen.findByRole('button', { name: 'Open menu' }))
  const drawer = await screen.findByRole('dialog', { name: 'Sections' })
  await user.click(within(drawer).getByRole('link', { name: 'Order Cycles' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(shownAddress()).toBe('/?section=cycles')
})

test('logout says that it is done', async () => {
  server.on(logout, { message: 'Logged out' })
  server.on(portal, {
    schoolName: 'Banani School',
    timezone: 'Africa/Lusaka',
    demo: false,
    now: new Date().toISOString(),
  })
  const user = openConsole('/?section=revenue')
  await user.click(await screen.findByRole('button', { name: 'Logout' }))
  expect(await screen.findByText('Logged out successfully')).toBeInTheDocument()
})

test.each([
  [
    'the words of the server',
    () => refusal(503, 'unavailable', 'The service is closing'),
    'The service is closing',
  ],
  [
    'its own words without them',
    () => {
      throw new FakeRefusal(500, null)
    },
    'Failed to logout',
  ],
])('a failed logout shows %s', async (_name, answer, text) => {
  server.on(logout, answer)
  const user = openConsole('/?section=revenue')
  await user.click(await screen.findByRole('button', { name: 'Logout' }))
  expect(await screen.findByText(text)).toBeInTheDocument()
})
