import { Refusal } from '#kernel/refusal'
import { confirmTransfers, undoTransfer } from '#modules/transfers/confirmations/confirm-transfers.commands'
import { type RequestedTransfer, transferDecider } from '#modules/transfers/confirmations/confirmation.decide'
import { transferConfirmed, transferUndone } from '#modules/transfers/events'
import { comparedTransactionId, typedTransferId, transfersView } from '#modules/transfers/transfers.view'
import { pendingPaymentsPage } from '#modules/transfers/unpaid/pending.routes'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { after, mary, tuesdayMeal } from '../ordering/lunches'
import { by, nshimaOn, oneByOne, till } from '../payments/till'
import { specificationOf } from '../support/given-when-then'
import { standIn } from '../support/stand-ins'
import { viewSpec } from '../support/view-spec'

describe('transfers', () => {
  const price = tuesdayMeal.price
  const cutoff = new Date(tuesdayMeal.cutoffAt)
  // A quarter of an hour of grace.
  const lapse = after(cutoff, 15)
  const office = { administrator: 1, idempotencyKey: null, by }
  const id = (kind: number, number: number) => `0199a000-0000-7000-800${kind}-00000000000${number}`
  const act = (number: number) => ({ confirmationId: id(1, number), administrator: 1, by })

  /** The nth row of an Airtel statement, of the day before the first meal. */
  const row = (
    number: number,
    orderIds: readonly string[],
    amount: number,
    surplusTo?: number,
  ): RequestedTransfer => ({
    money: {
      transferId: id(2, number),
      rowId: id(2, number),
      method: 'airtel',
      transactionId: `PP${number}`,
      paidAt: after(cutoff, -600),
      amount,
      payer: 'Mary Banda',
      note: null,
    },
    orderIds,
    surplusTo: surplusTo ?? null,
  })

  /** Chanda's meals on these days, yet to be paid by Airtel Money. */
  const unpaid = async (days: readonly number[], ...asked: Parameters<typeof till>) => {
    const school = till(...asked)
    school.school.hasAlternative = true
    const lines = days.map((day) => nshimaOn(day))
    const ids = (await school.place(lines, 'key-1', mary, false, 'airtel')).map((order) => order.id)
    return { ...school, ids }
  }
  type School = Awaited<ReturnType<typeof unpaid>>

  const confirm = (school: School, asked: RequestedTransfer[], number = 1) =>
    confirmTransfers(school.transfers)(asked, act(number))
  const codeOf = async (doing: Promise<unknown>) => {
    const error = await doing.then(
      () => null,
      (refused: unknown) => refused,
    )
    return error instanceof Refusal ? error.code : error
  }
  const payments = async (school: School) =>
    Promise.all(
      school.ids.map(async (one) => {
        const [order] = await school.needs.ordering.ordersToPay([one], null, school.clock.now)
        return order!.state
      }),
    )

  describe('a row of a statement', () => {
    test('pays its orders, and what is too much is credit', async () => {
      const school = await unpaid([2, 3])
      await confirm(school, [row(1, school.ids, 2 * price + 300)])
      expect(await payments(school)).toEqual(['paid', 'paid'])
      expect(await school.credit()).toEqual([300, 0])
      expect(await school.told(`transfer-${id(2, 1)}`)).toEqual(['transfer-confirmed'])
    })
    test('by the same act again pays nothing more, by another is refused', async () => {
      const school = await unpaid([2])
      await confirm(school, [row(1, school.ids, price + 300)])
      const size = await school.size()
      await confirm(school, [row(1, school.ids, price + 300)])
      expect(await codeOf(confirm(school, [row(1, school.ids, price + 300)], 2))).toBe('row_confirmed')
      expect(await codeOf(confirm(school, [row(2, school.ids, price)], 2))).toBe('already_paid')
      expect(await school.size()).toBe(size)
    })
    test('whose transaction id was typed since has paid', async () => {
      const school = await unpaid([2, 3])
      const asked = row(1, school.ids.slice(0, 1), price)
      const typed = { ...asked, money: { ...asked.money, transferId: typedTransferId('PP1'), rowId: null } }
      await confirm(school, [typed])
      expect(await codeOf(confirm(school, [row(1, school.ids.slice(1), price)], 2))).toBe('row_confirmed')
      expect(await payments(school)).toEqual(['paid', 'unpaid'])
    })
    test('that is too small marks nothing', async () => {
      const school = await unpaid([2, 3])
      expect(await codeOf(confirm(school, [row(1, school.ids, 2 * price - 1)]))).toBe('short')
      expect(await payments(school)).toEqual(['unpaid', 'unpaid'])
      await confirm(school, [row(1, school.ids.slice(0, 1), price)])
      expect(await payments(school)).toEqual(['paid', 'unpaid'])
    })
    test('and others for the same orders are summed; a double payment is credit', async () => {
      const school = await unpaid([2, 3])
      await confirm(school, [
        row(1, school.ids, price + 100),
        row(2, school.ids, price - 100),
        row(3, school.ids, 700),
      ])
      expect(await payments(school)).toEqual(['paid', 'paid'])
      expect(await school.credit()).toEqual([700, 0])
      await undoTransfer(school.transfers)(id(2, 2), act(2))
      expect(await payments(school)).toEqual(['unpaid', 'unpaid'])
      expect(await school.credit()).toEqual([0, 0])
      await confirm(school, [row(1, school.ids.slice(1), price + 100)], 3)
      expect(await payments(school)).toEqual(['unpaid', 'paid'])
      await school.sweeps()
      expect(await payments(school)).toEqual(['unpaid', 'paid'])
    })
    test('becomes credit as a whole for a family that is named', async () => {
      const school = await unpaid([2])
      expect(await codeOf(confirm(school, [row(1, [], 500)]))).toBe('surplus_to')
      await confirm(school, [row(1, [], 500, mary)])
      expect(await school.credit()).toEqual([500, 0])
    })
    test('a surplus goes to a family that is paid for', async () => {
      const school = await unpaid([2])
      expect(await codeOf(confirm(school, [row(1, school.ids, price + 1, 99)]))).toBe('surplus_to')
    })
  })

  const lapsed = async () => {
    const school = await unpaid([2])
    school.clock.now = after(lapse, 1)
    await school.changeOrders(school.ids, 'lapsed', by)
    return school
  }

  describe('a meal that lapsed', () => {
    test.each([
      ['before the cutoff', after(cutoff, -600)],
      ['in the grace after it', after(cutoff, 14)],
    ])('is placed again by money that came %s', async (_when, paidAt) => {
      const school = await lapsed()
      const one = row(1, school.ids, price)
      await confirm(school, [{ ...one, money: { ...one.money, paidAt } }])
      expect(await payments(school)).toEqual(['paid'])
      expect(await school.credit()).toEqual([0, 0])
    })
    test.each<[string, Date | null, number]>([
      ['came after the grace', after(lapse, 0, 1), 1],
      ['came nobody knows when', null, 1],
      ['is confirmed when the day is over', after(cutoff, -600), 24 * 60],
    ])('is credit where the money %s', async (_what, paidAt, minutes) => {
      const school = await lapsed()
      school.clock.now = after(lapse, minutes)
      const one = row(1, school.ids, price + 200)
      await confirm(school, [{ ...one, money: { ...one.money, paidAt } }])
      expect(await payments(school)).toEqual(['lapsed'])
      expect(await school.credit()).toEqual([price + 200, 0])
    })
    test('is credit where its day went to another order meanwhile', async () => {
      const school = await lapsed()
      school.clock.now = after(cutoff, -30)
      await school.place([nshimaOn(2)], 'key-2', mary, false, 'airtel')
      school.clock.now = after(lapse, 1)
      await confirm(school, [row(1, school.ids, price)])
      expect(await payments(school)).toEqual(['lapsed'])
      expect(await school.credit()).toEqual([price, 0])
    })
  })

  const paid = async () => {
    const school = await unpaid([2, 3])
    await confirm(school, [row(1, school.ids, 2 * price + 300)])
    return school
  }
  const undo = (school: School) => undoTransfer(school.transfers)(id(2, 1), act(2))

  describe('undoing', () => {
    test('sets the orders back to unpaid and takes the surplus back, once', async () => {
      const school = await paid()
      await undo(school)
      const size = await school.size()
      await undo(school)
      expect(await school.size()).toBe(size)
      expect(await payments(school)).toEqual(['unpaid', 'unpaid'])
      expect(await school.credit()).toEqual([0, 0])
    })
    test('is refused once a meal was cooked, and once the surplus was spent', async () => {
      const eaten = await paid()
      await eaten.changeOrders(eaten.ids.slice(0, 1), 'completed', by)
      expect(await codeOf(undo(eaten))).toBe('meal_eaten')
      const spent = await paid()
      await spent.place([nshimaOn(4)], 'key-2', mary, true, 'airtel')
      expect(await codeOf(undo(spent))).toBe('credit_spent')
      expect(await payments(spent)).toEqual(['paid', 'paid'])
    })
  })

  describe('by hand', () => {
    test('what is verified can be taken back on its day, whole or in part', async () => {
      const school = await unpaid([2, 3, 4])
      await school.verifyByHand({ orderIds: school.ids, note: 'Seen' }, office)
      await school.undoByHand({ orderIds: school.ids.slice(1) }, office)
      expect(await payments(school)).toEqual(['paid', 'unpaid', 'unpaid'])
      school.clock.now = after(school.clock.now, 24 * 60)
      expect(await codeOf(school.undoByHand({ orderIds: school.ids.slice(0, 1) }, office))).toBe('not_today')
      expect(await payments(school)).toEqual(['paid', 'unpaid', 'unpaid'])
    })
    test('a meal that lapses between the look and the act is credit, and the answer says so', async () => {
      const school = await unpaid([2, 5])
      const { ordering } = school.needs
      const { ordersToPay } = ordering
      school.clock.now = after(lapse, -1)
      let looks = 0
      ordering.ordersToPay = async (...asked) => {
        const found = await ordersToPay(...asked)
        looks += 1
        school.clock.now = after(lapse, 1)
        if (looks === 1) await school.changeOrders(school.ids.slice(0, 1), 'lapsed', by)
        return found
      }
      expect(await school.verifyByHand({ orderIds: school.ids }, office)).toEqual({
        message: '1 payment verified, 1 is credit: its meal was cancelled meanwhile',
        updated: 1,
      })
      expect(await payments(school)).toEqual(['lapsed', 'paid'])
      expect(await school.credit()).toEqual([price, 0])
    })
    test('again changes nothing', async () => {
      const school = await unpaid([2])
      expect(await school.verifyByHand({ orderIds: school.ids }, office)).toEqual({
        message: '1 payment verified',
        updated: 1,
      })
      const size = await school.size()
      expect(await school.verifyByHand({ orderIds: school.ids }, office)).toMatchObject({ updated: 1 })
      expect(await school.size()).toBe(size)
    })
  })

  const rows = (ids: readonly string[]) => [row(1, ids, price + 100), row(2, ids, price + 200)]

  describe('cut off between two appends', () => {
    test.each([0, 1, 2, 3, 4])(
      'a confirmation dies at append %i: no money is lost, none counts twice',
      async (step) => {
        const store = memoryEventStore()
        const first = await unpaid([2, 3], undefined, store)
        const dying = till(
          oneByOne((at) => at === step),
          store,
        )
        await confirmTransfers(dying.transfers)(rows(first.ids), act(1)).catch(() => null)
        first.clock.now = after(first.clock.now, 1)
        await first.sweeps()
        await first.sweeps()
        await confirmTransfers(first.transfers)(rows(first.ids), act(1)).catch(() => null)
        first.clock.now = after(first.clock.now, 1)
        await first.sweeps()
        const [credit] = await first.credit()
        const paidFor = (await payments(first)).filter((state) => state === 'paid').length
        const came = await Promise.all(
          [1, 2].map(
            async (number) => (await first.told(`transfer-${id(2, number)}`)).length * (price + number * 100),
          ),
        )
        expect(credit! + paidFor * price).toBe(came[0]! + came[1]!)
      },
    )

    test.each([0, 1, 2, 3, 4])(
      'an undoing dies at append %i: all of it is undone, or nothing',
      async (step) => {
        const store = memoryEventStore()
        const first = await unpaid([2, 3], undefined, store)
        await confirmTransfers(first.transfers)(rows(first.ids), act(1))
        const dying = till(
          oneByOne((at) => at === step),
          store,
        )
        await undoTransfer(dying.transfers)(id(2, 1), act(2)).catch(() => null)
        first.clock.now = after(first.clock.now, 1)
        await first.sweeps()
        await first.sweeps()
        const isUndone = (await first.told(`transfer-${id(2, 1)}`)).length === 2
        expect(await payments(first)).toEqual(isUndone ? ['unpaid', 'unpaid'] : ['paid', 'paid'])
        expect(await first.credit()).toEqual([isUndone ? 0 : 300, 0])
      },
    )
  })
})

describe('transfer', () => {
  const transfer = specificationOf(transferDecider)
  const now = new Date('2026-09-15T06:00:00.000Z')
  const later = new Date('2026-09-15T07:00:00.000Z')
  const transferId = '0199a000-0000-7000-8000-000000000020'
  const firstAct = '0199a000-0000-7000-8000-000000000021'
  const secondAct = '0199a000-0000-7000-8000-000000000022'
  const confirmation = {
    transferId,
    confirmationId: firstAct,
    rowId: transferId,
    method: 'mtn' as const,
    transactionId: 'Ab 12',
    paidAt: '2026-09-14T06:00:00.000Z',
    amount: 5000,
    payer: 'Mary Banda',
    note: null,
    by: 1,
    families: [{ userId: 5, orders: [{ orderId: '118.2026-09-22.1', amount: 4500 }], surplus: 500 }],
  }
  const confirm = { kind: 'confirm', confirmation, now } as const
  const again = { ...confirm, confirmation: { ...confirmation, confirmationId: secondAct } }
  const confirmed = transferConfirmed({ ...confirmation, at: now.toISOString() })
  const undo = { kind: 'undo', by: 2, now: later } as const
  const undone = transferUndone({
    transferId,
    confirmationId: firstAct,
    by: 2,
    families: confirmation.families,
    method: 'mtn',
    at: later.toISOString(),
  })

  describe('a transfer', () => {
    test('is confirmed', () => transfer.given().when(confirm).then(confirmed))
    test('confirmed again by the same act changes nothing', () =>
      transfer.given(confirmed).when(confirm).nothingHappens())
    test('that is confirmed pays nothing else', () =>
      transfer.given(confirmed).when(again).refused('row_confirmed'))
    test('is undone', () => transfer.given(confirmed).when(undo).then(undone))
    test('can be confirmed once it was undone', () =>
      transfer
        .given(confirmed, undone)
        .when(again)
        .then(transferConfirmed({ ...again.confirmation, at: now.toISOString() })))
    test('is not confirmed again by an act that was undone', () =>
      transfer.given(confirmed, undone).when(confirm).refused('undone_since'))
    test('undone twice is undone once', () => {
      transfer.given(confirmed, undone).when(undo).nothingHappens()
      transfer.given().when(undo).nothingHappens()
    })
  })

  test.each([
    ['case, spaces, dots and dashes', ' pp26 0915-c7\t', 'PP260915.C7'],
    ['an O for a zero', 'PP26O915.C7', 'PP260915.C7'],
    ['an I or l for a one', 'PPI1l', 'PP111'],
    ['a sign without width', 'PP\u200b260915\u00adC7\ufeff', 'PP260915C7'],
    ['letters of other alphabets', 'РР260915.С7', 'PP260915.C7'],
    ['wide signs', 'ＰＰ２６０９１５Ｃ７', 'PP260915C7'],
    ['zeros that a spreadsheet took away', '000910000002', '910000002'],
    ['the fraction that a spreadsheet gave', '910000002.0', '910000002'],
  ])('a transaction is one whatever its id has of %s', (_what, typed, written) => {
    expect(comparedTransactionId(typed)).toBe(comparedTransactionId(written))
  })

  test('other ids are other transactions, and what stands for none is none', () => {
    const ids = [
      '910000002',
      '91000000.2',
      '910000020',
      'PP910000002',
      'PP260915.C7',
      'PP260915.C8',
      'PP260915.5',
      'PP260915.S',
    ]
    expect(new Set(ids.map(comparedTransactionId)).size).toBe(ids.length - 1)
    expect(['0', '-', '0.0', ' '].map(comparedTransactionId)).toEqual(['', '', '', ''])
  })

  test('a typed id is one transfer, however it is written', () => {
    expect(typedTransferId('pp 1')).toBe(typedTransferId('PP1 '))
    expect(typedTransferId('PP1')).not.toBe(typedTransferId('PP2'))
  })

  test('the list of transfers tells what stands', () => {
    const row = {
      id: transferId,
      confirmed: true,
      confirmation_id: firstAct,
      row_id: transferId,
      method: 'mtn',
      transaction_id: 'Ab 12',
      transaction_key: 'AB12',
      paid_at: '2026-09-14T06:00:00.000Z',
      amount: 5000,
      payer: 'Mary Banda',
      phone: null,
      note: null,
      families: confirmation.families,
      user_ids: [5],
      order_ids: ['118.2026-09-22.1'],
      by_user: 1,
      confirmed_at: now.toISOString(),
      changed_at: now.toISOString(),
    }
    const view = viewSpec(transfersView)
    view.given(confirmed).thenRow(transferId, row)
    view.given(confirmed, undone).thenRow(transferId, {
      ...row,
      confirmed: false,
      changed_at: later.toISOString(),
    })
    view.given(undone).thenNoRow(transferId)
    const from = (phone: string) => transferConfirmed({ ...confirmation, phone, at: now.toISOString() })
    for (const phone of ['260977123456', '0977 123 456'])
      view.given(from(phone)).thenRow(transferId, { ...row, phone: '+260977123456' })
    view.given(from('[deleted]')).thenRow(transferId, row)
  })
})

test.each([
  [1, 101, 3, true, false, 0],
  [2, 101, 3, true, true, 50],
  [3, 101, 3, false, true, 100],
  [1, 0, 1, false, false, 0],
])('page %i of %i groups', async (page, totalGroups, totalPages, hasNextPage, hasPreviousPage, offset) => {
  const asked: unknown[] = []
  const reply = await pendingPaymentsPage(
    standIn({
      payments: { lapsing: async () => null, alternativeReferences: async () => new Map() },
      ordering: {
        unpaidOrders: async (_filter, wanted) => {
          asked.push(wanted)
          return { groups: [], totalGroups }
        },
        totals: async () => new Map(),
      },
      now: () => new Date('2026-09-14T05:00:00Z'),
      identity: {
        usernamesOf: async () => new Map(),
        usersNamed: async () => [],
        peopleOf: async () => new Map(),
      },
    }),
    { page },
  )
  expect(reply.pagination).toEqual({ page, totalGroups, totalPages, hasNextPage, hasPreviousPage })
  expect(asked).toEqual([{ sort: 'waiting', direction: 'asc', usersByName: [], offset, limit: 50 }])
})
