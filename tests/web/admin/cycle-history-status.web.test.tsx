import { screen, waitFor, within } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import { cycleOrders, type CycleOrder } from '#contracts/order-reports'
import { listCycles } from '#contracts/cycles'
import { setOrderStatus } from '#contracts/kitchen'
import { fakeServer, FakeRefusal, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
import { autumnCycle, historyOrder, historyPage } from './sample-orders'

const office = adminWith('history')
let server: FakeServer

const child = (id: string, name: string, more: Partial<CycleOrder> = {}) =>
  historyOrder(id, { student: { name, grade: '4' }, ...more })
const orders = [
  child('a', 'Anna', { owedIfCancelled: 45.05 }),
  child('b', 'Bupe', { owedIfCancelled: 40.05, status: 'completed' }),
  child('c', 'Chanda', { paymentStatus: 'pending' }),
  child('d', 'David', { status: 'cancelled' }),
]

const batchId = '0199c0de-0000-7000-8000-0000000000b1'

beforeEach(() => {
  server = fakeServer()
  server.on(listCycles, [autumnCycle])
  server.on(listMenu, [])
  server.on(cycleOrders, historyPage(orders))
  server.on(setOrderStatus, { message: 'Status updated', updated: 1, skipped: [], batchId })
})
afterEach(forgetToasts)

type User = ReturnType<typeof openConsole>
const select = async (user: User, ...names: string[]) => {
  for (const name of names)
    await user.click(await screen.findByRole('checkbox', { name: new RegExp(`^Select .* for ${name}`) }))
}
const ask = async (user: User, status: string) => {
  await user.selectOptions(screen.getByLabelText('New status'), status)
  await user.click(screen.getByRole('button', { name: 'Update Status' }))
}
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
const asked = () => server.asked(setOrderStatus).map(({ body }) => body)

describe('the selection', () => {
  test('nothing to update is offered before anything is selected', async () => {
    openConsole('/', office)
    await screen.findByRole('table', { name: 'Orders' })
    expect(screen.queryByRole('button', { name: 'Update Status' })).not.toBeInTheDocument()
  })

  test('takes the whole page and gives it back', async () => {
    const user = openConsole('/', office)
    const all = await screen.findByRole('checkbox', { name: 'Select all on this page' })
    await select(user, 'Anna')
    expect(all).toMatchObject({ checked: false, indeterminate: true })
    await user.click(all)
    expect(screen.getByText('4 orders selected')).toBeInTheDocument()
    expect(all).toMatchObject({ checked: true, indeterminate: false })
    await user.click(all)
    expect(screen.queryByText(/selected$/)).not.toBeInTheDocument()
  })

  test('is cleared when a filter changes, and stays cleared when it changes back', async () => {
    const user = openConsole('/', office)
    await select(user, 'Anna', 'Bupe')
    expect(screen.getByText('2 orders selected')).toBeInTheDocument()
    await user.selectOptions(screen.getByLabelText('Status'), 'Pending')
    await waitFor(() => expect(screen.queryByText(/selected/)).not.toBeInTheDocument())
    await user.selectOptions(screen.getByLabelText('Status'), '')
    expect(await screen.findByRole('table', { name: 'Orders' })).toBeInTheDocument()
    expect(screen.queryByText('2 orders selected')).not.toBeInTheDocument()
  })

  test('is cleared when the order of the list changes; the heading keeps the focus', async () => {
    const user = openConsole('/', office)
    await select(user, 'Anna', 'Bupe')
    await user.click(screen.getByRole('button', { name: /^Student/ }))
    await waitFor(() => expect(screen.queryByText(/selected/)).not.toBeInTheDocument())
    expect(screen.getByRole('button', { name: /^Student/ })).toHaveFocus()
    await user.selectOptions(screen.getByLabelText('Sort by'), 'Order Date, newest first')
    expect(screen.queryByText(/selected$/)).not.toBeInTheDocument()
    await select(user, 'Chanda')
    expect(screen.getByText('1 order selected')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: /^Price/ }))
    await waitFor(() => expect(screen.queryByText(/selected/)).not.toBeInTheDocument())
  })

  test('lasts from page to page and says how much is elsewhere', async () => {
    server.on(cycleOrders, ({ query }) =>
      historyPage(query.page === 2 ? [child('z', 'Zoe')] : orders, { page: Number(query.page), total: 11 }),
    )
    const user = openConsole('/', office)
    await select(user, 'Anna')
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await select(user, 'Zoe')
    expect(screen.getByText('2 orders selected')).toBeInTheDocument()
    expect(screen.getByText(', 1 on other pages')).toBeInTheDocument()
    await ask(user, 'Completed')
    const question = await dialog('Mark 2 orders as completed?')
    expect(question.getByText(/^K91\.00 in all\. The kitchen counts/)).toBeInTheDocument()
    await user.click(question.getByRole('button', { name: /^Mark/ }))
    await waitFor(() => expect(asked()).toEqual([{ orderIds: ['a', 'z'], status: 'completed' }]))
  })
})

describe('the new status', () => {
  test('is asked for with how many it touches and what becomes due for refund', async () => {
    const user = openConsole('/', office)
    await select(user, 'Anna', 'Bupe', 'Chanda', 'David')
    await ask(user, 'Cancelled')
    const asking = await dialog('Cancel 3 orders?')
    expect(
      asking.getByText(
        /K85\.10 that was paid for 2 of them becomes due for refund, under Refund Management\..*1 other selected order stays as before\./,
      ),
    ).toBeTruthy()
    expect(asked()).toEqual([])
    await user.click(asking.getByRole('button', { name: 'Go back' }))
    expect(asked()).toEqual([])
    expect(screen.getByText('4 orders selected')).toBeInTheDocument()
  })

  test('cancelling what nobody paid for owes nothing', async () => {
    const user = openConsole('/', office)
    await select(user, 'Chanda')
    await ask(user, 'Cancelled')
    expect((await dialog('Cancel 1 order?')).getByText(/Nothing was paid for them/)).toBeInTheDocument()
  })

  test('reopening says what becomes of refunds', async () => {
    const user = openConsole('/', office)
    await select(user, 'Bupe')
    await ask(user, 'Pending')
    expect((await dialog('Set 1 order back to pending?')).getByText(/No money moves/)).toBeInTheDocument()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await select(user, 'David')
    await user.click(screen.getByRole('button', { name: 'Update Status' }))
    const asking = await dialog('Set 2 orders back to pending?')
    expect(
      asking.getByText(/1 of them was cancelled: a refund still due is no longer owed/),
    ).toBeInTheDocument()
  })

  test('is set, told and drawn, and the selection is cleared', async () => {
    const user = openConsole('/', office)
    await select(user, 'Anna', 'Bupe')
    await ask(user, 'Completed')
    const before = server.asked(cycleOrders).length
    await user.click((await dialog('Mark 1 order as completed?')).getByRole('button', { name: /^Mark/ }))
    expect(await screen.findByText('Status Updated')).toBeInTheDocument()
    expect(screen.getByText('1 order updated')).toBeInTheDocument()
    expect(asked()).toEqual([{ orderIds: ['a'], status: 'completed' }])
    await waitFor(() => expect(server.asked(cycleOrders)).toHaveLength(before + 1))
    expect(screen.queryByText(/orders? selected$/)).not.toBeInTheDocument()
  })

  test('orders that were skipped are listed with the reason until it was read', async () => {
    server.on(setOrderStatus, {
      message: 'Status updated',
      batchId,
      updated: 1,
      skipped: [{ id: 'd', code: 'slot_taken', message: 'There is another order for this student and day' }],
    })
    const user = openConsole('/', office)
    await select(user, 'Bupe', 'David')
    await ask(user, 'Pending')
    await user.click((await dialog('Set 2 orders back to pending?')).getByRole('button', { name: /^Set/ }))
    expect(await screen.findByText('1 order updated, 1 skipped')).toBeInTheDocument()
    expect(screen.getByText('1 order was skipped and stayed as before')).toBeInTheDocument()
    const reason = 'Beef Stew for David, Week 1, Tuesday: There is another order for this student and day'
    expect(screen.getByText(reason)).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Got it' }))
    expect(screen.queryByText(reason)).not.toBeInTheDocument()
  })

  test('where every order was skipped nothing claims to be updated', async () => {
    server.on(setOrderStatus, {
      message: 'Status updated',
      batchId,
      updated: 0,
      skipped: [{ id: 'd', code: 'slot_taken', message: 'Taken' }],
    })
    const user = openConsole('/', office)
    await select(user, 'David')
    await ask(user, 'Pending')
    await user.click((await dialog('Set 1 order back to pending?')).getByRole('button', { name: /^Set/ }))
    expect(await screen.findByText('Error updating status')).toBeInTheDocument()
    expect(screen.queryByText('Status Updated')).not.toBeInTheDocument()
  })

  test('that none of the selected orders can have is not asked for', async () => {
    const user = openConsole('/', office)
    await select(user, 'David')
    await ask(user, 'Completed')
    expect(await screen.findByText('None of the selected orders can become completed')).toBeInTheDocument()
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  test.each([
    ['the words of the server', () => refusal(403, 'forbidden', 'Not yours to do'), 'Not yours to do'],
    [
      'its own words without them',
      () => {
        throw new FakeRefusal(502, null)
      },
      'Failed to update order statuses',
    ],
  ])('that fails shows %s and keeps the selection', async (_name, answer, text) => {
    server.on(setOrderStatus, answer)
    const user = openConsole('/', office)
    await select(user, 'Anna')
    await ask(user, 'Cancelled')
    await user.click((await dialog('Cancel 1 order?')).getByRole('button', { name: 'Cancel Orders' }))
    expect(await screen.findByText('Error updating status')).toBeInTheDocument()
    expect(screen.getByText(text)).toBeInTheDocument()
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(screen.getByText('1 order selected')).toBeInTheDocument()
  })
})
