import { MutationObserver, QueryClient } from '@tanstack/react-query'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { type PendingGroup, pendingPayments, undoVerified, verifyPending } from '#contracts/transfers'
import { verifyOrders } from '../../../web/features/pending-payments/pending-groups'
import { type FakeServer, fakeServer, FakeRefusal, refusal } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'

describe('pending payments', () => {
  const office = adminWith('pending_payments')
  let server: FakeServer

  const unpaid = (id: string, amount: number, reference = 'LP-4F7K'): PendingGroup['orders'][number] => ({
    id,
    orderDate: '2026-09-14T07:00:00.000Z',
    student: { name: 'Chanda', grade: '4' },
    menuItem: { name: `Meal ${id}` },
    weekNumber: 2,
    dayOfWeek: 5,
    amount,
    reference,
    payBy: 'airtel',
  })
  const mary: PendingGroup = {
    parentId: 1,
    parentUsername: 'mary',
    parentName: 'Mary Banda',
    parentPhone: '0977 123 456',
    totalAmount: 97.1,
    lapsesAt: null,
    orders: [unpaid('a', 45.05), unpaid('b', 40.05), unpaid('d', 12, 'LP-8TT2')],
  }
  const peter: PendingGroup = {
    parentId: 2,
    parentUsername: 'peter',
    parentName: '',
    parentPhone: null,
    totalAmount: 30,
    lapsesAt: '2026-09-15T06:00:00.000Z',
    orders: [unpaid('c', 30, 'LP-9QQ3')],
  }

  const page = (groups: PendingGroup[], at = 1, totalPages = 1) => ({
    data: groups,
    pagination: {
      page: at,
      totalGroups: groups.length,
      totalPages,
      hasNextPage: at < totalPages,
      hasPreviousPage: at > 1,
    },
  })

  beforeEach(() => {
    server = fakeServer()
    server.on(pendingPayments, page([mary, peter]))
    server.on(verifyPending, { message: 'ok', updated: 2 })
  })
  afterEach(() => {
    forgetToasts()
    localStorage.clear()
  })

  const box = (name: string | RegExp) => screen.findByRole('checkbox', { name })
  const askToVerify = async (user: ReturnType<typeof openConsole>) =>
    user.click(await screen.findByRole('button', { name: 'Verify Selected Payments' }))
  const verify = async (user: ReturnType<typeof openConsole>) => {
    await askToVerify(user)
    await user.click(await screen.findByRole('button', { name: 'Yes, They Are Paid' }))
  }

  describe('the list', () => {
    const row = async (name: string) => (await box(name)).closest('tr')!
    const cells = (of: HTMLElement) =>
      within(of)
        .getAllByRole('cell')
        .map((cell) => cell.textContent)

    test('a row a reference, those of a parent together: who, for whom, how much and since when', async () => {
      openConsole('/', office)
      expect(cells(await row('Select LP-4F7K of mary'))).toEqual([
        'Select',
        'Mary Bandamary0977 123 456',
        'Student Chanda2 orders',
        'Reference LP-4F7K',
        'Amount K85.10',
        'Waiting since 14 Sep 2026Airtel Money',
        'Payment Pending',
        '',
      ])
      const rows = screen.getAllByRole('checkbox', { name: /^Select LP/ })
      expect(rows.map((one) => one.getAttribute('aria-label'))).toEqual([
        'Select LP-4F7K of mary',
        'Select LP-8TT2 of mary',
        'Select LP-9QQ3 of peter',
      ])
      expect(screen.getAllByText('Payment Pending')).toHaveLength(3)
      expect(screen.getByText('2 parents')).toBeInTheDocument()
    })

    test('its meals are behind a press, each with its week and day', async () => {
      const user = openConsole('/', office)
      const opener = await screen.findByRole('button', { name: 'Show the meals of LP-4F7K' })
      expect(screen.queryByText('Meal a')).not.toBeInTheDocument()
      await user.click(opener)
      const meals = within(screen.getByRole('list', { name: 'Meals of LP-4F7K' })).getAllByRole('listitem')
      expect(meals.map((meal) => meal.textContent)).toEqual([
        expect.stringMatching(/^Meal a Chanda, Grade 4 Week 2, Friday · ordered 14 Sep 2026 .*K45.05$/),
        expect.stringMatching(/^Meal b/),
      ])
      await user.click(screen.getByRole('button', { name: 'Hide the meals of LP-4F7K' }))
      expect(screen.queryByText('Meal a')).not.toBeInTheDocument()
    })

    test('shows who the parent is and how they are called up', async () => {
      openConsole('/', office)
      expect(await screen.findAllByText('Mary Banda')).toHaveLength(2)
      for (const link of screen.getAllByRole('link', { name: '0977 123 456' }))
        expect(link).toHaveAttribute('href', 'tel:0977123456')
      expect(within(await row('Select LP-9QQ3 of peter')).queryByRole('link')).not.toBeInTheDocument()
    })

    test('a family whose meal lapses soon says until when', async () => {
      openConsole('/', office)
      expect(await screen.findByText(/^Cancelled unless paid until .*08:00/)).toBeInTheDocument()
      expect(within(await row('Select LP-9QQ3 of peter')).getByText(/^Cancelled unless/)).toBeInTheDocument()
    })

    test('without any says that all payments have been verified', async () => {
      server.on(pendingPayments, page([]))
      openConsole('/', office)
      expect(await screen.findByText('No Pending Payments')).toBeInTheDocument()
      expect(screen.getByText('All payments have been verified')).toBeInTheDocument()
    })

    test('that could not be read says so', async () => {
      server.on(pendingPayments, () => refusal(503, 'unavailable', 'The database is away'))
      openConsole('/', office)
      expect(await screen.findByText('Failed to fetch pending payments')).toBeInTheDocument()
    })

    test('goes page by page; what was selected on one page is not verified from another', async () => {
      server.on(pendingPayments, ({ query }) =>
        page(query.page === 2 ? [peter] : [mary], Number(query.page), 2),
      )
      const user = openConsole('/', office)
      await user.click(await box('Select LP-4F7K of mary'))
      await user.click(screen.getByRole('button', { name: 'Next' }))
      expect(await box('Select LP-9QQ3 of peter')).not.toBeChecked()
      expect(shownAddress()).toBe('/?page=2')
      expect(screen.getByText('Nothing selected')).toBeInTheDocument()
    })
  })

  describe('verifying', () => {
    test('with nothing selected says so and sends nothing', async () => {
      const user = openConsole('/', office)
      await askToVerify(user)
      expect(await screen.findByText('No Orders Selected')).toBeInTheDocument()
      expect(screen.getByText('Please select orders to verify')).toBeInTheDocument()
      expect(server.asked(verifyPending)).toEqual([])
    })

    test('the selected orders are marked paid', async () => {
      const user = openConsole('/', office)
      await user.click(await screen.findByRole('button', { name: 'Show the meals of LP-4F7K' }))
      await user.click(await box(/Meal b/))
      expect(screen.getByText('1 order, K40.05')).toBeInTheDocument()
      await user.click(await box('Select LP-9QQ3 of peter'))
      expect(screen.getByText('2 orders, K70.05')).toBeInTheDocument()
      await askToVerify(user)
      const asked = within(await screen.findByRole('dialog', { name: 'Mark 2 orders, K70.05, as paid?' }))
      expect(server.asked(verifyPending)).toEqual([])
      await user.click(asked.getByRole('button', { name: 'Cancel' }))
      await verify(user)
      expect(await screen.findByText('Payments Verified')).toBeInTheDocument()
      expect(screen.getByText('2 orders marked paid')).toBeInTheDocument()
      expect(server.asked(verifyPending)[0]?.body).toEqual({ orderIds: ['b', 'c'] })
      await waitFor(() => expect(server.asked(pendingPayments)).toHaveLength(2))
      expect(screen.getByText('Nothing selected')).toBeInTheDocument()
    })

    test('takes the transaction id and a note along', async () => {
      const user = openConsole('/', office)
      await user.click(await box('Select LP-9QQ3 of peter'))
      await askToVerify(user)
      await user.type(await screen.findByLabelText('Transaction id (optional)'), ' MP261123.1 ')
      await user.type(screen.getByLabelText('Note (optional)'), 'Shown at the counter')
      await user.click(screen.getByRole('button', { name: 'Yes, They Are Paid' }))
      await waitFor(() => expect(server.asked(verifyPending)).toHaveLength(1))
      expect(server.asked(verifyPending)[0]?.body).toEqual({
        orderIds: ['c'],
        transactionId: 'MP261123.1',
        note: 'Shown at the counter',
      })
    })

    test('can be undone on the same day, also after the page was left', async () => {
      server.on(undoVerified, { message: 'ok', updated: 1 })
      const user = openConsole('/', office)
      await user.click(await box('Select LP-9QQ3 of peter'))
      await verify(user)
      await screen.findByRole('button', { name: /^Undo \d\d:\d\d: 1 order, K30\.00$/ })
      cleanup()
      const later = openConsole('/', office)
      await later.click(await screen.findByRole('button', { name: /^Undo/ }))
      expect(await screen.findByText('1 order unpaid again')).toBeInTheDocument()
      expect(server.asked(undoVerified)[0]?.body).toEqual({ orderIds: ['c'] })
      expect(screen.queryByText('Marked paid today')).not.toBeInTheDocument()
    })

    test('that cannot be undone any more says why, and stays', async () => {
      server.on(undoVerified, () => refusal(409, 'meal_eaten', 'One of its meals has already been served'))
      const user = openConsole('/', office)
      await user.click(await box('Select LP-9QQ3 of peter'))
      await verify(user)
      await user.click(await screen.findByRole('button', { name: /^Undo/ }))
      expect(await screen.findByText('One of its meals has already been served')).toBeInTheDocument()
      expect(screen.getByText('Marked paid today')).toBeInTheDocument()
    })

    test('all are selected and deselected together', async () => {
      const user = openConsole('/', office)
      await user.click(await box('Select all'))
      expect(screen.getByText('4 orders, K127.10')).toBeInTheDocument()
      await user.click(await box('Deselect all'))
      expect(screen.getByText('Nothing selected')).toBeInTheDocument()
    })

    test('a row shows by its box whether some or all of it is selected', async () => {
      const user = openConsole('/', office)
      await user.click(await screen.findByRole('button', { name: 'Show the meals of LP-4F7K' }))
      await user.click(await box(/Meal a/))
      const group = await box('Select LP-4F7K of mary')
      expect(group).toMatchObject({ checked: false, indeterminate: true })
      await user.click(group)
      expect(group).toMatchObject({ checked: true, indeterminate: false })
    })

    test('that fails keeps the selection and says so', async () => {
      server.on(verifyPending, () => {
        throw new FakeRefusal(502, null)
      })
      const user = openConsole('/', office)
      await user.click(await box('Select LP-9QQ3 of peter'))
      await verify(user)
      expect(await screen.findByText('Failed to verify payments')).toBeInTheDocument()
      expect(screen.getByText('1 order, K30.00')).toBeInTheDocument()
    })

    test('more orders than one call takes go in several', async () => {
      server.on(verifyPending, ({ body }) => ({
        message: 'ok',
        updated: (body as { orderIds: string[] }).orderIds.length,
      }))
      const many = Array.from({ length: 1001 }, (_, at) => `o${at}`)
      const verified = await new MutationObserver(new QueryClient(), verifyOrders).mutate({
        orderIds: many,
      })
      expect(verified).toMatchObject({ updated: 1001 })
      expect(server.asked(verifyPending)).toHaveLength(2)
    })
  })
})
