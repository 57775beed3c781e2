import { screen, waitFor, within } from '@testing-library/react'
import {
  type ListedRefund,
  listPayouts,
  completeRefund,
  listRefunds,
  completeRefunds,
  refundToCredit,
} from '#contracts/refunds'
import { type FakeServer, fakeServer, FakeRefusal, refusal } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { mayComplete, mayNothing, ofMary } from './sample-payments'
import { onePage } from './sample-settings'

const office = adminWith('refunds')
let server: FakeServer
afterEach(forgetToasts)

describe('refunds', () => {
  const owed = (more: Partial<ListedRefund> = {}): ListedRefund => ({
    id: '11.2026-09-16.1',
    orderDate: '2026-09-14T07:00:00.000Z',
    student: { name: 'Chanda', grade: '4' },
    menuItem: { name: 'Beef Stew' },
    amount: 45.5,
    status: 'cancelled',
    reason: 'Cancelled by the parent',
    dueSince: '2026-09-15T07:00:00.000Z',
    ...ofMary,
    allowed: mayComplete,
    ...more,
  })

  const page = (refunds: ListedRefund[], at = 1, totalPages = 1) => ({
    data: refunds,
    metadata: {
      total: refunds.length,
      page: at,
      pageSize: 10,
      totalPages,
      hasNextPage: at < totalPages,
      hasPreviousPage: at > 1,
    },
  })

  beforeEach(() => {
    server = fakeServer()
    server.on(listPayouts, { data: [] })
    server.on(listRefunds, page([owed()]))
  })

  const press = async (user: ReturnType<typeof openConsole>, name: string | RegExp) =>
    user.click(await screen.findByRole('button', { name }))
  const openDialog = async () => {
    const user = openConsole('/', office)
    await press(user, /^Mark as Refunded/)
    const dialog = within(await screen.findByRole('dialog', { name: 'Mark as Refunded' }))
    return { user, confirm: () => user.click(dialog.getByRole('button', { name: 'Mark as Refunded' })) }
  }

  describe('the list', () => {
    test('has date, student, menu item, amount and status', async () => {
      openConsole('/', office)
      const table = within(await screen.findByRole('table', { name: 'Refunds' }))
      for (const name of ['Date', 'Student', 'Menu Item', 'Amount', 'Status'])
        expect(table.getByRole('columnheader', { name })).toBeInTheDocument()
      for (const text of ['14 Sep 2026', 'Chanda', 'Grade 4', 'Beef Stew', 'K45.50', 'Cancelled'])
        expect(table.getByText(text)).toBeInTheDocument()
      expect(table.getByText('Cancelled by the parent, since 15 Sep 2026')).toBeInTheDocument()
    })

    test('says whose it is, how that family is reached, and which payment it was part of', async () => {
      server.on(
        listRefunds,
        page([owed(), owed({ id: '2', parent: null, payBy: 'card', reference: 'LP-AB' })]),
      )
      openConsole('/', office)
      const table = within(await screen.findByRole('table', { name: 'Refunds' }))
      for (const text of [
        'Mary Banda',
        'mary.banda',
        'Airtel Money',
        'LP-7K3QW9',
        'Deleted account',
        'Card',
        'LP-AB',
      ])
        expect(table.getByText(text)).toBeInTheDocument()
      expect(table.getByRole('link', { name: '+260 971 234567' })).toHaveAttribute(
        'href',
        'tel:+260 971 234567',
      )
    })

    test.each([
      ['provider', 'Proven by the provider', 'Manual'],
      ['statement', 'On a statement', 'Manual'],
      ['till', 'In the till', 'Cash'],
      ['not on any statement', 'Not on any statement', 'Manual'],
    ] as const)(
      'says that what proves the money is %s, and offers the way back',
      async (proof, text, way) => {
        server.on(listRefunds, page([owed({ proof })]))
        const { user } = await openDialog()
        expect(screen.getByText(text)).toBeInTheDocument()
        const ways = within(screen.getByLabelText('Method')).getAllByRole('option')
        expect(ways[0]).toHaveTextContent(way)
        await user.keyboard('{Escape}')
      },
    )

    const elsewhere = {
      paidFrom: { phone: '+260 97• ••• 456', own: false },
      allowed: { ...mayComplete, card: true },
    }
    const warning = /Paid from \+260 97• ••• 456, not the family's number/

    test('says which phone paid, and whether it is the family’s', async () => {
      const own = { phone: '+260 96• ••• 222', own: true }
      server.on(listRefunds, page([owed(elsewhere), owed({ id: '2', paidFrom: own })]))
      openConsole('/', office)
      expect(await screen.findByText(warning)).toBeInTheDocument()
      expect(screen.getByText('Paid from +260 96• ••• 222')).toBeInTheDocument()
    })

    test.each([
      ['Mark as Refunded', 'Mark as Refunded'],
      ['Turn into Credit', 'Turn into credit?'],
    ])('%s says it again and what goes back there, which is offered first', async (act, title) => {
      server.on(listRefunds, page([owed(elsewhere)]))
      const user = openConsole('/', office)
      const acts = await screen.findAllByRole('button', { name: /: Beef Stew for Chanda$/ })
      expect(acts[0]).toHaveTextContent('Back to the Phone')
      expect(acts[0]).toHaveClass('btn-primary')
      await press(user, new RegExp(`^${act}`))
      const dialog = within(await screen.findByRole('dialog', { name: title }))
      expect(dialog.getByText(warning)).toHaveTextContent('Back to the Phone returns it there.')
    })

    test('an approval by hand says it too', async () => {
      const approval = { by: 'bursar', at: '2026-09-16T07:00:00.000Z' }
      const asked = { amount: 45.5, method: 'cash', reference: null, note: null, toCard: false } as const
      const allowed = { ...mayNothing, approve: true }
      server.on(listRefunds, page([owed({ ...elsewhere, approval, asked, allowed })]))
      const user = openConsole('/', office)
      await press(user, /^Approve/)
      const dialog = within(await screen.findByRole('dialog', { name: 'Approve this refund?' }))
      expect(dialog.getByText(warning)).toBeInTheDocument()
    })

    test('several at once say how many', async () => {
      server.on(listRefunds, page([owed(elsewhere), owed({ id: '2' })]))
      const user = openConsole('/', office)
      await user.click(await screen.findByLabelText('Select all on this page'))
      await press(user, 'Complete Selected')
      const dialog = within(await screen.findByRole('dialog', { name: 'Complete 2 refunds?' }))
      expect(dialog.getByText(/1 was not paid from the family's number\./)).toBeInTheDocument()
    })

    test('offers the action only where the server allows it', async () => {
      server.on(listRefunds, page([owed({ status: 'refunded', allowed: mayNothing })]))
      openConsole('/', office)
      expect(await screen.findByText('Refunded')).toBeInTheDocument()
      expect(screen.queryByRole('button', { name: /^Mark as Refunded/ })).not.toBeInTheDocument()
    })

    test('goes page by page, the page in the address', async () => {
      server.on(listRefunds, ({ query }) =>
        page([owed({ menuItem: { name: `Meal ${query.page}` } })], Number(query.page), 2),
      )
      const user = openConsole('/', office)
      await press(user, 'Next')
      expect(await screen.findByText('Meal 2')).toBeInTheDocument()
      expect(shownAddress()).toBe('/?page=2')
    })

    test('without any says so', async () => {
      server.on(listRefunds, page([]))
      openConsole('/', office)
      expect(await screen.findByText('No orders pending refund')).toBeInTheDocument()
    })

    test('that could not be read says so', async () => {
      server.on(listRefunds, () => refusal(503, 'unavailable', 'The database is away'))
      openConsole('/', office)
      expect(await screen.findByText('Failed to fetch refunds')).toBeInTheDocument()
    })
  })

  describe('marking as refunded', () => {
    test('offers the full amount and says that it moves no money', async () => {
      await openDialog()
      expect(screen.getByLabelText('Amount (K)')).toHaveProperty('value', '45.50')
      expect(screen.getByLabelText('Method')).toHaveProperty('value', 'manual')
      expect(screen.getByText(/^Record that K45.50 for Beef Stew, ordered for Chanda/)).toBeInTheDocument()
    })

    test('records the full amount by hand by default otherwise', async () => {
      server.on(completeRefund, owed({ status: 'refunded', allowed: mayNothing }))
      const { confirm } = await openDialog()
      await confirm()
      expect(await screen.findByText('Refund completed')).toBeInTheDocument()
      expect(server.asked(completeRefund)).toEqual([
        { params: { id: '11.2026-09-16.1' }, query: {}, body: { amount: 45.5, method: 'manual' } },
      ])
      await waitFor(() => expect(server.asked(listRefunds)).toHaveLength(2))
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    })

    test('records amount, method, reference and note', async () => {
      server.on(completeRefund, owed())
      const { user, confirm } = await openDialog()
      await user.clear(screen.getByLabelText('Amount (K)'))
      await user.type(screen.getByLabelText('Amount (K)'), '20.25')
      await user.selectOptions(screen.getByLabelText('Method'), 'Mobile money')
      await user.type(screen.getByLabelText('Reference (optional)'), 'MP-1')
      await user.type(screen.getByLabelText('Note (optional)'), 'To the mother')
      await confirm()
      expect(await screen.findByText('Refund completed')).toBeInTheDocument()
      expect(server.asked(completeRefund)[0]?.body).toEqual({
        amount: 20.25,
        method: 'mobile_money',
        reference: 'MP-1',
        note: 'To the mother',
      })
    })

    test('sent again after a lost answer it has the same key; another amount has another', async () => {
      server.on(completeRefund, () => {
        throw new FakeRefusal(502, null)
      })
      const keys: (string | null)[] = []
      const answer = globalThis.fetch
      globalThis.fetch = (address, init) => {
        if (init?.method === 'POST') keys.push(new Headers(init.headers).get('Idempotency-Key'))
        return answer(address, init)
      }
      const { user, confirm } = await openDialog()
      await confirm()
      await confirm()
      await user.clear(screen.getByLabelText('Amount (K)'))
      await user.type(screen.getByLabelText('Amount (K)'), '20')
      await confirm()
      await waitFor(() => expect(keys).toHaveLength(3))
      expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
      expect(keys[1]).toBe(keys[0])
      expect(keys[2]).not.toBe(keys[0])
    })

    test.each([
      ['45.51', 'At most K45.50 is owed'],
      ['0', 'Amount must be above zero'],
      ['1.234', 'Amount must be a number with up to 2 decimal places'],
      ['ten', 'Amount must be a number with up to 2 decimal places'],
    ])('an amount of %s is not sent', async (typed, message) => {
      server.on(completeRefund, owed())
      const { user, confirm } = await openDialog()
      await user.clear(screen.getByLabelText('Amount (K)'))
      await user.type(screen.getByLabelText('Amount (K)'), typed)
      await confirm()
      expect(await screen.findByText(message)).toBeInTheDocument()
      expect(server.asked(completeRefund)).toEqual([])
    })

    test.each([
      [
        'the words of the server',
        () => refusal(409, 'already_refunded', 'This was paid back already'),
        'This was paid back already',
      ],
      [
        'its own words without them',
        () => {
          throw new FakeRefusal(502, null)
        },
        'Failed to mark order as refunded',
      ],
    ])('that fails shows %s and keeps the dialog', async (_name, answer, text) => {
      server.on(completeRefund, answer)
      const { confirm } = await openDialog()
      await confirm()
      expect(await screen.findByText(text)).toBeInTheDocument()
      expect(screen.getByRole('dialog', { name: 'Mark as Refunded' })).toBeInTheDocument()
    })
  })
})

describe('refund acts', () => {
  const owed = (
    id: string,
    name: string,
    amount: number,
    more: Partial<ListedRefund> = {},
  ): ListedRefund => ({
    id,
    orderDate: '2026-09-14T07:00:00.000Z',
    student: { name, grade: '4' },
    menuItem: { name: 'Beef Stew' },
    amount,
    status: 'cancelled',
    reason: 'The oven broke',
    dueSince: '2026-09-15T07:00:00.000Z',
    ...ofMary,
    allowed: mayComplete,
    ...more,
  })
  const refunds = [
    owed('a', 'Anna', 45.05),
    owed('b', 'Bupe', 40.05),
    owed('c', 'Chanda', 12, { status: 'refunded', allowed: mayNothing }),
  ]

  beforeEach(() => {
    server = fakeServer()
    server.on(listPayouts, { data: [] })
    server.on(listRefunds, { data: refunds, metadata: { ...onePage, total: 3 } })
  })

  type Hands = ReturnType<typeof openConsole>
  const press = async (user: Hands, name: string | RegExp) =>
    user.click(await screen.findByRole('button', { name }))
  const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

  describe('refunds completed in bulk', () => {
    test('are those that are still owed, with their number and sum', async () => {
      server.on(completeRefunds, {
        completed: 1,
        amount: 45.05,
        skipped: [{ id: 'b', code: 'not_pending_refund', message: 'This refund was completed already' }],
      })
      const user = openConsole('/', office)
      await user.click(await screen.findByLabelText('Select all on this page'))
      expect(screen.getByText('2 refunds selected')).toBeInTheDocument()
      expect(screen.queryByLabelText(/^Select .* for Chanda/)).not.toBeInTheDocument()
      await press(user, 'Complete Selected')
      const asking = await dialog('Complete 2 refunds?')
      expect(
        asking.getByText(
          'Record that K85.10 was paid back, each in full. This moves no money and cannot be undone.',
        ),
      ).toBeInTheDocument()
      await user.selectOptions(asking.getByLabelText('Method'), 'Cash')
      await user.type(asking.getByLabelText('Reference (optional)'), 'Envelope 7')
      await press(user, 'Complete 2 Refunds')
      expect(await screen.findByText('Refunds completed')).toBeInTheDocument()
      expect(screen.getByText('1 refund completed, K45.05, 1 skipped')).toBeInTheDocument()
      expect(server.asked(completeRefunds)[0]?.body).toEqual({
        ids: ['a', 'b'],
        method: 'cash',
        reference: 'Envelope 7',
      })
      expect(screen.getByText('b: This refund was completed already')).toBeInTheDocument()
      expect(screen.queryByText(/selected$/)).not.toBeInTheDocument()
      await press(user, 'Got it')
      expect(screen.queryByText('b: This refund was completed already')).not.toBeInTheDocument()
    })

    test('are chosen one by one, and forgotten by another order of the list', async () => {
      const user = openConsole('/', office)
      const box = await screen.findByLabelText('Select Beef Stew for Anna, K45.05')
      await user.click(box)
      expect(screen.getByText('1 refund selected')).toBeInTheDocument()
      await user.click(box)
      expect(screen.queryByText('1 refund selected')).not.toBeInTheDocument()
      await user.click(box)
      await user.selectOptions(screen.getByLabelText('Sort by'), 'Amount, highest first')
      await waitFor(() => expect(screen.queryByText('1 refund selected')).not.toBeInTheDocument())
    })

    test('that fail stay selected and say why', async () => {
      server.on(completeRefunds, () => {
        throw new FakeRefusal(502, null)
      })
      const user = openConsole('/', office)
      await user.click(await screen.findByLabelText('Select all on this page'))
      await press(user, 'Complete Selected')
      await press(user, 'Complete 2 Refunds')
      expect(await screen.findByText('Failed to complete refunds')).toBeInTheDocument()
      expect(screen.getByText('2 refunds selected')).toBeInTheDocument()
    })
  })

  describe('a refund turned into credit', () => {
    test('is asked for first, and told', async () => {
      server.on(refundToCredit, { ...refunds[0]!, status: 'refunded', allowed: mayNothing })
      const user = openConsole('/', office)
      await press(user, 'Turn into Credit: Beef Stew for Anna')
      const asking = await dialog('Turn into credit?')
      expect(asking.getByText(/^K45\.05 for Beef Stew, ordered for Anna, becomes credit/)).toBeInTheDocument()
      expect(server.asked(refundToCredit)).toEqual([])
      await press(user, 'Turn into Credit')
      expect(await screen.findByText('Refund turned into credit')).toBeInTheDocument()
      expect(server.asked(refundToCredit)[0]?.params).toEqual({ id: 'a' })
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    })

    test('that is refused says why', async () => {
      server.on(refundToCredit, () => refusal(409, 'not_pending_refund', 'Nothing is owed any more'))
      const user = openConsole('/', office)
      await press(user, 'Turn into Credit: Beef Stew for Anna')
      await press(user, 'Turn into Credit')
      expect(await screen.findByText('Nothing is owed any more')).toBeInTheDocument()
    })
  })
})
