import { screen, waitFor, within } from '@testing-library/react'
import { kitchenToday, setOrderStatus, undoOrderStatus } from '#contracts/kitchen'
import { FakeRefusal, type FakeServer } from './fake-server'
import { cook, done, kitchenOf, kitchenServer, row } from './kitchen-words'
import { forgetToasts, openConsole } from './open-console'

let server: FakeServer
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
    expect(await complete()).toHaveProperty('disabled', true)
    await tick(user, 'Beef Stew')
    expect(await complete()).toHaveProperty('disabled', false)
    await user.click(screen.getByRole('button', { name: 'Clear selection' }))
    expect(await complete()).toHaveProperty('disabled', true)
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
    expect(screen.getByText('1 left as they are: This order has changed since')).toBeInTheDocument()
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
    expect(await screen.findByText('1 left as they are: The order is cancelled')).toBeInTheDocument()
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
    expect(await screen.findByText('5001 orders marked as complete')).toBeInTheDocument()
    expect(server.asked(setOrderStatus)).toHaveLength(2)
  })
})
