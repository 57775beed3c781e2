import { screen, waitFor, within, act } from '@testing-library/react'
import { statementOfAccount } from '#contracts/books'
import { getCredit } from '#contracts/credit'
import { type Order, cancelOrder, listOrders } from '#contracts/ordering'
import { ownRefunds } from '#contracts/refunds'
import { setSchoolNow } from '../../web/lib/school-moment'
import { type FakeServer, FakeRefusal, refusal } from './admin/fake-server'
import { freshPortal, onAPhone, openPortal, press } from './open-portal'
import { order, parent } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
  setSchoolNow('2026-09-14T06:30:00.000Z')
})

describe('order history', () => {
  const open = async (orders: Order[]) => {
    server.on(listOrders, orders)
    const hands = openPortal('/?tab=orders', parent)
    await screen.findByText('Orders can only be cancelled within 1 hour of placing the order')
    return hands
  }
  const table = async (name = 'Chanda') =>
    within(await screen.findByRole('region', { name: `Orders for ${name}` }))
  const said = async (text: string) => expect(await screen.findByText(text)).toBeInTheDocument()

  describe('the list', () => {
    const placed = (mealDate: string, name: string, more: Parameters<typeof order>[0] = {}) =>
      order({
        id: mealDate,
        mealDate,
        menuItem: { id: 4, name, type: 'primary' },
        allowed: { cancel: false },
        ...more,
      })

    test('by student, the next meal first, with count and what was spent', async () => {
      await open([
        placed('2026-09-18', 'Fish'),
        placed('2026-09-15', 'Soup', { orderDate: '2026-09-01T06:00:00.000Z' }),
        placed('2026-09-22', 'Curry', { status: 'cancelled' }),
        placed('2026-09-21', 'Burger', {
          studentId: 2,
          student: { name: 'Bwalya', grade: '8' },
          discountedPrice: 36.5,
        }),
      ])
      await said('Grade 3 · 3 orders')
      await said('K90.00')
      expect(
        (await table()).getAllByRole('row').map((row) => /Soup|Fish|Curry/.exec(row.textContent)?.[0]),
      ).toEqual([undefined, 'Soup', 'Fish', 'Curry'])
      expect((await table('Bwalya')).getByText('K36.50')).toBeInTheDocument()
      expect((await table('Bwalya')).getByText('K45.00').tagName).toBe('S')
    })

    test('folds past meals by month, newest first, and never what can still be cancelled', async () => {
      const hands = await open([
        placed('2026-08-31', 'Soup'),
        placed('2026-09-10', 'Fish'),
        placed('2026-09-11', 'Curry'),
        placed('2026-09-09', 'Pie', { allowed: { cancel: true, cancelForMs: 60_000 } }),
      ])
      expect((await table()).getByText('Pie')).toBeInTheDocument()
      const months = screen.getAllByRole('button', { name: /2026/ })
      expect(months.map((month) => month.textContent)).toEqual([
        'September 20262 orders',
        'August 20261 order',
      ])
      expect(screen.queryByText('Fish')).not.toBeInTheDocument()
      await hands.click(months[0]!)
      const past = await table('Chanda, September 2026')
      expect(past.getAllByRole('row').map((row) => /Fish|Curry/.exec(row.textContent)?.[0])).toEqual([
        undefined,
        'Curry',
        'Fish',
      ])
      expect(screen.queryByText('Soup')).not.toBeInTheDocument()
      await hands.click(months[0]!)
      expect(screen.queryByText('Fish')).not.toBeInTheDocument()
    })

    test('leads to the statement of account before the orders, also where nothing is ordered ahead', async () => {
      await open([placed('2026-09-10', 'Fish')])
      await said('Nothing is ordered for the days to come.')
      const link = screen.getByRole('link', { name: 'Statement of account' })
      const month = screen.getByRole('button', { name: /September 2026/ })
      expect(link.compareDocumentPosition(month) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
    })

    test.each([
      [39, 'You have K39.00 with the school'],
      [-35, 'You have K35.00 to pay'],
      [0, 'Nothing is left to pay'],
    ])('opens it with the balance (%s)', async (balance, words) => {
      server.on(statementOfAccount, {
        from: '2026-09-01',
        to: '2026-09-16',
        parent: { id: parent.id, username: 'mwila', name: 'Mutinta Mwila' },
        opening: { balance: 0, credit: 0 },
        lines: [],
        closing: { balance, credit: 0 },
      })
      openPortal('/account', parent)
      await said(words)
    })

    test('has the columns of the spec', async () => {
      await open([order({ comments: 'no onions' })])
      const rows = await table()
      expect(rows.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
        'Order Date',
        'Menu Item',
        'Week',
        'Day',
        'Details',
        'Price',
        'Status',
        'Payment',
        'Actions',
      ])
      expect(rows.getAllByRole('cell').map((cell) => cell.textContent)).toEqual([
        '14 Sept 2026 at 08:05',
        'Stew',
        'Week 2',
        'Mon 14 Sept',
        'beef\u00a0· rice“no onions”',
        'K45.00',
        'Pending',
        'ConfirmedPaid Card',
        'Cancel Order',
      ])
    })

    test.each([
      ['confirmed', 'Confirmed'],
      ['pending', 'Pending'],
      ['failed', 'Failed'],
    ] as const)('a payment that is %s reads %s', async (paymentStatus, words) => {
      await open([order({ status: 'completed', paymentStatus })])
      expect((await table()).getByText(words)).toBeInTheDocument()
    })

    test.each([
      ['by card', { payBy: 'card' }, 'Paid Card'],
      ['by credit', { payBy: null }, 'Paid'],
      [
        'in a chosen way, not seen yet',
        { payBy: 'airtel', paymentStatus: 'pending' },
        'Not paid yet Airtel Money',
      ],
      ['that failed', { paymentStatus: 'failed' }, null],
      ['with nothing to pay', { payBy: null, discountedPrice: 0 }, null],
      ['that was cancelled', { status: 'cancelled' }, null],
    ] as const)('a meal paid for %s says whether it is paid', async (_name, more, words) => {
      await open([order({ status: 'completed', ...more })])
      await table()
      expect(screen.queryByText(/^(Paid|Not paid yet)$/)?.parentElement?.textContent ?? null).toBe(words)
    })

    describe('cancelled and paid for', () => {
      const cancelled = order({ status: 'cancelled' })
      const refund = {
        orderId: cancelled.id,
        amount: 33,
        owed: 33,
        dueSince: '2026-09-14T07:10:00.000Z',
        doneAt: null as string | null,
        asCredit: false,
      }
      const entry = {
        at: '2026-09-14T07:11:00.000Z',
        kind: 'cancelled' as const,
        amount: 12,
        balanceAfter: 12,
        about: { orderId: cancelled.id },
        text: 'Cancelled',
      }
      const takenBack = { ...entry, kind: 'takenBack' as const, amount: -12 }

      test.each([
        ['what is owed', [refund], [], ['K33.00 is owed back to you since 14 September 2026 at 09:10']],
        [
          'what went back of it, and what is still owed',
          [{ ...refund, owed: 13, paidBack: 20 }],
          [],
          ['K20.00 was paid back', 'K13.00 is still owed back to you since 14 September 2026 at 09:10'],
        ],
        [
          'when it went back, as money and as credit',
          [{ ...refund, owed: 0, doneAt: '2026-09-16T07:00:00.000Z' }],
          [entry],
          [
            'K33.00 was paid back on 16 September 2026 at 09:00',
            'K12.00 became your credit on 14 September 2026 at 09:11',
          ],
        ],
        [
          'once what became credit later',
          [{ ...refund, owed: 0, doneAt: entry.at, asCredit: true }],
          [entry, takenBack, entry],
          ['K12.00 became your credit on 14 September 2026 at 09:11'],
        ],
        ['nothing while nobody has said', [], [], []],
      ])('it says %s', async (_name, refunds, entries, words) => {
        server.on(ownRefunds, { data: refunds })
        server.on(getCredit, { balance: 0, held: 0, entries })
        await open([cancelled])
        await table()
        await waitFor(() =>
          expect(
            screen
              .queryAllByText(/^K\d+\.00 (is (still )?owed|was paid|became)/)
              .map((one) => one.textContent),
          ).toEqual(words),
        )
      })

      test('one that was not paid for says nothing of money', async () => {
        server.on(ownRefunds, { data: [refund] })
        await open([order({ status: 'cancelled', paymentStatus: 'pending' })])
        await table()
        await waitFor(() => expect(server.asked(ownRefunds)).toHaveLength(1))
        expect(screen.queryByText(/owed back to you/)).not.toBeInTheDocument()
      })

      test('paid meals that were never ordered stand there with what goes back', async () => {
        const line = {
          ...refund,
          orderId: null,
          mealDate: '2026-09-18',
          student: { name: 'Bwalya', grade: '8' as const },
        }
        const credited = { ...line, mealDate: '2026-09-21', owed: 0, asCredit: true, doneAt: entry.at }
        server.on(ownRefunds, { data: [line, credited] })
        await open([order()])
        const list = within(await screen.findByRole('list', { name: 'Paid, and not ordered' }))
        expect(list.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
          'Bwalya, 18 September 2026K33.00 is owed back to you since 14 September 2026 at 09:10',
          'Bwalya, 21 September 2026K33.00 became your credit',
        ])
      })
    })

    test.each([
      [767, 'list'],
      [768, 'table'],
    ] as const)('at %i px is a %s', async (width, role) => {
      jest.spyOn(window, 'matchMedia').mockImplementation(
        (query) =>
          ({
            matches: width <= Number(/max-width: ([\d.]+)px/.exec(query)?.[1]),
            addEventListener: () => undefined,
            removeEventListener: () => undefined,
          }) as never,
      )
      await open([order()])
      await screen.findAllByText('Stew')
      expect(screen.queryAllByRole('table')).toHaveLength(role === 'table' ? 1 : 0)
      jest.restoreAllMocks()
    })

    test('says what became of the meal at the hatch', async () => {
      const at = '2026-09-15T10:14:00.000Z'
      await open([
        placed('2026-09-15', 'Soup', { given: { at, state: 'given' } }),
        placed('2026-09-16', 'Fish', { given: { at, state: 'absent' } }),
        placed('2026-09-17', 'Curry', { given: { at, state: 'problem' } }),
        placed('2026-09-18', 'Pizza'),
      ])
      const [, ...rows] = (await table()).getAllByRole('row')
      const of = (meal: string) => rows.find((row) => row.textContent.includes(meal))!
      expect(of('Soup')).toHaveTextContent('Given at 12:14')
      expect(of('Fish')).toHaveTextContent('Not collected')
      for (const meal of ['Curry', 'Pizza']) expect(of(meal)).not.toHaveTextContent(/Given|Not collected/)
    })
    test('is cards on a phone', async () => {
      onAPhone()
      await open([order()])
      const cards = within(await screen.findByRole('list', { name: 'Orders for Chanda' }))
      expect(cards.getByText('Monday, 14 September · Week 2')).toBeInTheDocument()
      expect(cards.getByText('Payment confirmed')).toBeInTheDocument()
      expect(cards.getByText('Can be cancelled until 09:05')).toBeInTheDocument()
      expect(cards.getByRole('button', { name: /^Cancel Order/ })).toBeInTheDocument()
      expect(screen.queryByRole('table')).not.toBeInTheDocument()
    })

    test('is headed on a phone by one list by day, a line a child, with one badge; what can be done is behind a press', async () => {
      onAPhone()
      const forBwalya = { studentId: 2, student: { name: 'Bwalya', grade: '8' } as const }
      const hands = await open([
        order({ id: '4', dayOfWeek: 2, paymentStatus: 'pending' }),
        order({ id: '3', ...forBwalya, absent: true }),
        order({ id: '2', orderDate: '2026-09-14T06:06:00.000Z' }),
        order({ id: '1', mealDate: '2026-09-07', allowed: { cancel: false } }),
      ])
      const list = within(await screen.findByRole('list', { name: 'Next meals' }))
      expect(list.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
        'Chanda Stew Paid',
        'Bwalya Stew Ill',
        'Chanda Stew Payment pending',
      ])
      expect(list.getByText('Monday, 14 September')).toBeInTheDocument()
      expect(list.queryByRole('button', { name: /^Cancel Order/ })).not.toBeInTheDocument()
      server.on(cancelOrder, () => {
        server.on(listOrders, [order({ id: '2', status: 'cancelled' })])
        return order({ id: '2', status: 'cancelled' })
      })
      await hands.click(list.getByRole('button', { name: /Chanda Stew Paid/ }))
      expect(list.getByText('K45.00')).toBeInTheDocument()
      await hands.click(list.getByRole('button', { name: /^Cancel Order/ }))
      await hands.click(
        within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel Order' }),
      )
      await waitFor(() =>
        expect(server.asked(cancelOrder).map(({ params }) => params)).toEqual([{ id: '2' }]),
      )
      await waitFor(() => expect(list.getByText('Cancelled').closest('li')).toHaveFocus())
      const groups = screen.getByRole('list', { name: 'Orders for Chanda' })
      expect(screen.getByRole('list', { name: 'Next meals' }).compareDocumentPosition(groups)).toBe(
        Node.DOCUMENT_POSITION_FOLLOWING,
      )
    })

    test('that can be cancelled until another day says which', async () => {
      onAPhone()
      await open([order({ cancellableUntil: '2031-05-06T06:00:00.000Z' })])
      expect(await screen.findByText('Can be cancelled until 6 May 2031 at 08:00')).toBeInTheDocument()
    })

    test('nothing yet, and a failure', async () => {
      await open([])
      await said('No orders yet')
    })

    test('cannot be read', async () => {
      server.on(listOrders, () => refusal(500, 'fault', 'It broke'))
      openPortal('/?tab=orders', parent)
      await said('Failed to fetch orders')
    })
  })

  const confirmed = async (hands: Awaited<ReturnType<typeof open>>) => {
    await press(hands, /^Cancel Order/)
    const question = within(await screen.findByRole('dialog', { name: 'Cancel this order?' }))
    expect(question.getByText('Stew for Chanda')).toBeInTheDocument()
    expect(question.getByText('Monday, 14 September')).toBeInTheDocument()
    return question
  }

  describe('cancelling', () => {
    test('is offered exactly when the server allows it', async () => {
      await open([
        order({ allowed: { cancel: false } }),
        order({ id: '1.2026-09-22.1', dayOfWeek: 2, status: 'cancelled', allowed: { cancel: false } }),
      ])
      expect((await table()).getByRole('button', { name: /^Cannot cancel/ }).hasAttribute('disabled')).toBe(
        true,
      )
      await said('Order cancelled')
      expect(screen.queryByRole('button', { name: /^Cancel Order/ })).not.toBeInTheDocument()
    })

    test('asks, cancels, and reads the orders again', async () => {
      const cancelled = order({ status: 'cancelled', allowed: { cancel: false } })
      const hands = await open([order()])
      const question = await confirmed(hands)
      server.on(cancelOrder, cancelled)
      server.on(listOrders, [cancelled])
      await hands.click(question.getByRole('button', { name: 'Cancel Order' }))
      expect((await table()).getByText('Cancelled')).toBeInTheDocument()
      expect(server.asked(cancelOrder)[0]?.params).toEqual({ id: '1.2026-09-21.1' })
    })

    test('Keep Order keeps it', async () => {
      const hands = await open([order()])
      await hands.click((await confirmed(hands)).getByRole('button', { name: 'Keep Order' }))
      expect(await screen.findByRole('button', { name: /^Cancel Order/ })).toBeInTheDocument()
      expect(server.asked(cancelOrder)).toHaveLength(0)
    })

    test.each([
      ["in the server's words", () => refusal(409, 'cancel_window_over', 'Too late'), 'Too late'],
      [
        'without words',
        () => {
          throw new FakeRefusal(502, null)
        },
        'Failed to cancel order',
      ],
    ])('a failure %s', async (_how, answer, words) => {
      server.on(cancelOrder, answer as () => never)
      const hands = await open([order()])
      await hands.click((await confirmed(hands)).getByRole('button', { name: 'Cancel Order' }))
      await said(words)
    })
  })
})

describe('history', () => {
  const open = async (list: Order[]) => {
    server.on(listOrders, list)
    openPortal('/?tab=orders', parent)
    await screen.findByText(/Total Spent/)
  }

  test('a payment that is neither confirmed nor pending is failed and costs nothing', async () => {
    onAPhone()
    await open([order(), order({ id: '7.2', paymentStatus: 'failed' })])
    expect(screen.getAllByText('Payment failed')[1]!.className).toContain('danger')
    expect(screen.getByText(/Total Spent/).textContent).toBe('Total Spent K45.00')
  })

  test('while it is read its place is kept; nothing yet says where to go', async () => {
    const answers: ((list: Order[]) => void)[] = []
    server.on(listOrders, () => new Promise<Order[]>((done) => answers.push(done)))
    openPortal('/?tab=orders', parent)
    const panel = await screen.findByRole('tabpanel')
    await waitFor(() => expect(answers).not.toHaveLength(0))
    expect(panel.querySelector('output')?.textContent).toBe('Loading')
    await act(async () => answers[0]?.([]))
    expect(await screen.findByText(/place the order in the Cart/)).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Browse the menu' })).toBeInTheDocument()
  })

  test('what could not be read can be asked for again', async () => {
    server.on(listOrders, () => refusal(500, 'fault', 'It broke'))
    const hands = openPortal('/?tab=orders', parent)
    await screen.findByText('Failed to fetch orders')
    server.on(listOrders, [order()])
    await press(hands, 'Try again')
    expect(await screen.findByText(/Total Spent/)).toBeInTheDocument()
  })
})
