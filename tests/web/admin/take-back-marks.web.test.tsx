import { screen, within } from '@testing-library/react'
import { listCycles } from '#contracts/cycles'
import { listClasses } from '#contracts/identity'
import { cycleOrders } from '#contracts/order-reports'
import { takeMarksBack } from '#contracts/serving'
import { setSchoolNow } from '../../../web/lib/school-moment'
import { type FakeServer, fakeServer, refusal } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
import { autumnCycle, historyOrder, historyPage } from './sample-orders'

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
  server.on(listClasses, { data: [] })
  server.on(listCycles, [autumnCycle])
  server.on(cycleOrders, historyPage([historyOrder('a')]))
})
afterEach(forgetToasts)

const question = async (user: ReturnType<typeof openConsole>) => {
  await user.click(await screen.findByRole('button', { name: 'Take Back Marks' }))
  return within(await screen.findByRole('dialog', { name: 'Take back what a user marked?' }))
}

test('the marks that a device made on a day are taken back after a question', async () => {
  server.on(takeMarksBack, { takenBack: 12 })
  setSchoolNow('2026-09-17T09:00:00.000Z')
  const user = openConsole('/', adminWith('history'))
  const asking = await question(user)
  expect(asking.getByLabelText('Date of the lunches')).toHaveValue('2026-09-17')
  await user.click(asking.getByRole('button', { name: 'Take Back' }))
  expect(await asking.findByText('Name the user')).toBeInTheDocument()
  await user.type(asking.getByLabelText('Username that made the marks'), 'tablet')
  await user.click(asking.getByRole('button', { name: 'Take Back' }))
  expect(await screen.findByText('12 marks of tablet taken back')).toBeInTheDocument()
  expect(server.asked(takeMarksBack).map(({ body }) => body)).toEqual([{ date: '2026-09-17', by: 'tablet' }])
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

test('a name that nobody has stays to be corrected', async () => {
  server.on(takeMarksBack, () => refusal(404, 'marker_not_found', 'There is no user of this name'))
  const user = openConsole('/', adminWith('history'))
  const asking = await question(user)
  await user.type(asking.getByLabelText('Username that made the marks'), 'nobody')
  await user.click(asking.getByRole('button', { name: 'Take Back' }))
  expect(await screen.findByText('There is no user of this name')).toBeInTheDocument()
  expect(asking.getByLabelText('Username that made the marks')).toHaveValue('nobody')
})
