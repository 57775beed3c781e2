import type { DomainEvent } from '#kernel/event'
import type { MealLine } from '#kernel/meal-line'
import { bookingViews } from '#modules/books/journal/bookings.view'
import * as credit from '#modules/credit/published'
import { creditGiven, creditTakenBack } from '#modules/credit/published'
import * as ordering from '#modules/ordering/published'
import * as payments from '#modules/payments/published'
import { refundDue, refundPaidBack, refundWithdrawn } from '#modules/refunds/published'
import * as transfers from '#modules/transfers/published'
import type { RowView } from '#platform/projections/row-view'
import { attemptId, line, orderId, sample } from '../audit/sample-events'
import { transferId } from '../audit/sample-transfers'
import { viewSpec } from '../support/view-spec'
import { booked, inShort, told, toldLast } from './booking'

const at = '2026-09-15T06:00:00.000Z'

const second = { ...line, index: 1, slot: { ...line.slot, day: 3 }, mealDate: '2026-09-23', price: 3000 }

describe('bookings of payments', () => {
  const about = { orderId, at }
  const report = { explanation: 'Paid', method: null, cardLast4: null, approval: null, fraud: null }
  const transferId = '0199a000-0000-7000-8000-0000000000aa'

  const checkout = (lines: MealLine[] = [line]) =>
    payments.checkoutStarted({
      attemptId,
      kind: 'card',
      userId: 5,
      lines,
      total: lines.reduce((sum, { price }) => sum + price, 0),
      companyRef: 'LP-1',
      bodyHash: 'x',
      at,
    })
  const verified = (amount: number) =>
    payments.paymentVerified({ attemptId, code: '000', amount, fee: 50, late: false, report, at })
  const accepted = (amount: number, surplus: number, shortfall: number) =>
    payments.mismatchAccepted({ attemptId, amount, surplus, shortfall, reason: 'fine', at })
  const ordered = (more: object = {}) =>
    ordering.lunchOrdered({
      ...line,
      originalPrice: line.price,
      orderId,
      attemptId,
      userId: 5,
      paymentStatus: 'confirmed',
      at,
      ...more,
    })
  const cancelled = ordering.orderCancelled({ orderId, by: 'parent', afterCutoff: false, at })
  const transfer = {
    transferId,
    confirmationId: transferId,
    method: 'airtel' as const,
    by: 1,
    families: [{ userId: 5, orders: [{ orderId, amount: 4500 }], surplus: 500 }],
    at,
  }
  const transferred = transfers.transferConfirmed({
    ...transfer,
    rowId: null,
    transactionId: null,
    paidAt: null,
    amount: 5000,
    payer: null,
    note: null,
  })
  test('a card payment is received on the day it was verified, for the days of its meals, without the fee', () => {
    expect(told(checkout([line, second]), verified(7500))).toEqual([
      'received card 45.00 for 2026-09-22',
      'received card 30.00 for 2026-09-23',
    ])
    expect(booked(checkout([line, second]), verified(7500)).map(({ part }) => part)).toEqual([0, 1])
  })

  test('what credit pays of a meal is no money that was received', () => {
    expect(told(checkout([{ ...line, credit: 4500 }, second]), verified(3000))).toEqual([
      'received card 30.00 for 2026-09-23',
    ])
  })

  test('more than was asked for is for no meal, and less is written off when it is accepted', () => {
    expect(told(checkout(), accepted(5000, 500, 0))).toEqual([
      'received card 45.00 for 2026-09-22',
      'received card 5.00',
    ])
    expect(told(checkout(), accepted(4400, 0, 100))).toEqual([
      'received card 45.00 for 2026-09-22',
      'received card -1.00',
      'written_off 1.00',
    ])
  })

  test('a payment that does not fit is nothing until it is decided, and is then what the provider reported', () => {
    const mismatched = payments.paymentMismatched({
      attemptId,
      code: '002',
      received: 4000,
      differences: [],
      report,
      at,
    })
    expect(told(checkout(), mismatched)).toEqual([])
    const waived = payments.remainderWaived({
      attemptId,
      lines: [{ index: 0, amount: 4000 }],
      surplus: 0,
      reason: 'back',
      at,
    })
    expect(toldLast(checkout(), mismatched, waived)).toEqual(['received card 40.00'])
  })

  test('the money of a meal that is given up leaves its day, and that of one that is moved goes with it', () => {
    const waived = payments.remainderWaived({
      attemptId,
      lines: [{ index: 0, amount: 4500 }],
      surplus: 0,
      reason: 'closed',
      at,
    })
    expect(toldLast(checkout(), verified(4500), waived)).toEqual([
      'received card -45.00 for 2026-09-22',
      'received card 45.00',
    ])
    const moved = payments.linesAmended({ attemptId, lines: [{ ...line, mealDate: '2026-09-24' }], at })
    const last = booked(checkout(), verified(4500), moved).slice(1)
    expect(last.map(inShort)).toEqual([
      'received card -45.00 for 2026-09-22',
      'received card 45.00 for 2026-09-24',
    ])
    expect(last.map(({ part }) => part)).toEqual([null, null])
  })

  test('an order costs its family its price until it is cancelled, and counts as free where it costs nothing', () => {
    expect(told(ordered())).toEqual(['meal 45.00 for 2026-09-22'])
    expect(toldLast(ordered(), cancelled)).toEqual(['meal -45.00 for 2026-09-22'])
    expect(toldLast(ordered(), cancelled, ordering.orderReopened(about))).toEqual([
      'meal 45.00 for 2026-09-22',
    ])
    expect(toldLast(ordered(), ordering.orderWithdrawn(about))).toEqual(['meal -45.00 for 2026-09-22'])
    expect(toldLast(ordered(), ordering.orderCompleted(about))).toEqual([])
    expect(toldLast(ordered(), cancelled, ordering.orderRefunded(about))).toEqual([])
    const free = ordered({ price: 0, originalPrice: 0 })
    expect(told(free)).toEqual(['free_meal 1 for 2026-09-22'])
    expect(toldLast(free, cancelled)).toEqual(['free_meal -1 for 2026-09-22'])
  })

  test('a discount is booked with its meal, changes with it and leaves with it', () => {
    const cheap = ordered({ originalPrice: 5000 })
    expect(told(cheap)).toEqual(['meal 45.00 for 2026-09-22', 'discount 5.00 for 2026-09-22'])
    expect(toldLast(cheap, cancelled)).toEqual([
      'meal -45.00 for 2026-09-22',
      'discount -5.00 for 2026-09-22',
    ])
    const { item, category, sideDish, comments, discountPercentage } = line
    const old = { item, category, sideDish, comments, originalPrice: 5000, price: 4500, discountPercentage }
    const meal = { ...old, originalPrice: 6000, price: 5400 }
    const changed = ordering.orderChanged({ orderId, changeId: transferId, by: 'parent', meal, old, at })
    expect(toldLast(cheap, changed)).toEqual(['meal 9.00 for 2026-09-22', 'discount 1.00 for 2026-09-22'])
  })

  test('a cancelled meal gives no more than it cost where its absence was credited before', () => {
    const absence = creditGiven({
      entryId: `absence/${orderId}/1`,
      kind: 'absent',
      userId: 5,
      attemptId,
      amount: 4500,
      about: { orderId, reference: null },
      text: 'Beef Stew for Chipo Banda',
      balanceAfter: 4500,
      at,
    })
    expect(told(ordered(), absence)).toEqual(['meal 45.00 for 2026-09-22', 'granted 45.00 for 2026-09-22'])
    expect(toldLast(ordered(), absence, cancelled)).toEqual([
      'meal -45.00 for 2026-09-22',
      'granted -45.00 for 2026-09-22',
      'credit_given 45.00 for 2026-09-22',
    ])
    const { kind: _kind, ...entry } = absence.data
    const takenBack = creditTakenBack({ ...entry, balanceAfter: 0 })
    expect(toldLast(ordered(), absence, cancelled, takenBack)).toEqual([
      'granted -45.00 for 2026-09-22',
      'granted 45.00 for 2026-09-22',
      'credit_given -45.00 for 2026-09-22',
    ])
  })

  test('an order that is not paid for is unpaid until a transfer pays it, and again when that is undone', () => {
    const unpaid = ordered({ paymentStatus: 'pending', payBy: 'mtn' })
    expect(told(unpaid)).toEqual(['meal 45.00 for 2026-09-22', 'unpaid 45.00 for 2026-09-22'])
    const confirmed = ordering.orderPaymentConfirmed({ ...about, transferId })
    const undone = ordering.orderPaymentUndone({ ...about, transferId })
    expect(toldLast(unpaid, confirmed)).toEqual(['unpaid -45.00 for 2026-09-22'])
    expect(toldLast(unpaid, confirmed, undone)).toEqual(['unpaid 45.00 for 2026-09-22'])
    expect(toldLast(unpaid, cancelled)).toEqual([
      'meal -45.00 for 2026-09-22',
      'unpaid -45.00 for 2026-09-22',
    ])
  })

  test('a payment that was confirmed before transfers were kept is received under the way that was chosen', () => {
    const unpaid = ordered({ paymentStatus: 'pending', payBy: 'mtn', credit: 1000 })
    expect(toldLast(unpaid, ordering.orderPaymentConfirmed(about))).toEqual([
      'unpaid -35.00 for 2026-09-22',
      'received mtn 35.00 for 2026-09-22',
    ])
  })

  test('a meal that becomes dearer or cheaper costs the difference', () => {
    const { item, category, sideDish, comments, originalPrice, discountPercentage } = line
    const old = { item, category, sideDish, comments, originalPrice, price: 4500, discountPercentage }
    const changed = (price: number) =>
      ordering.orderChanged({
        orderId,
        changeId: transferId,
        by: 'parent',
        meal: { ...old, originalPrice: price, price },
        old,
        at,
      })
    expect(toldLast(ordered(), changed(5000))).toEqual(['meal 5.00 for 2026-09-22'])
    expect(toldLast(ordered(), changed(0))).toEqual([
      'meal -45.00 for 2026-09-22',
      'free_meal 1 for 2026-09-22',
    ])
    expect(toldLast(ordered({ paymentStatus: 'pending' }), changed(4000))).toEqual([
      'meal -5.00 for 2026-09-22',
      'unpaid -5.00 for 2026-09-22',
    ])
  })

  test('a meal that is moved costs on its new day, and no money moves', () => {
    const { item, category, sideDish, comments, discountPercentage } = line
    const price = { originalPrice: 4500, price: 4500, discountPercentage }
    const meal = { item, category, sideDish, comments, ...price }
    const moved = { from: '2026-09-22', slot: line.slot, mealDate: '2026-09-24', as: '118.2026-09-24.1' }
    const closes = { cutoffAt: '2026-09-24T06:00:00.000Z' }
    const change = {
      orderId,
      changeId: transferId,
      by: 'parent' as const,
      meal,
      old: meal,
      closes,
      moved,
      at,
    }
    expect(toldLast(ordered({ paymentStatus: 'pending' }), ordering.orderChanged(change))).toEqual([
      'meal -45.00 for 2026-09-22',
      'unpaid -45.00 for 2026-09-22',
      'meal 45.00 for 2026-09-24',
      'unpaid 45.00 for 2026-09-24',
    ])
  })

  test('a transfer is received under its method, surplus included, and goes back when it is undone', () => {
    expect(told(transferred)).toEqual(['received airtel 45.00 for 2026-09-22', 'received airtel 5.00'])
    expect(toldLast(transferred, transfers.transferUndone(transfer))).toEqual([
      'paid_back airtel 45.00 for 2026-09-22',
      'paid_back airtel 5.00',
    ])
  })

  test('what happens late in the evening of Greenwich is booked on the next day of the school', () => {
    const late = { ...verified(4500).data, at: '2026-09-15T22:30:00.000Z' }
    expect(booked(checkout(), payments.paymentVerified(late))[0]).toMatchObject({
      booked: '2026-09-16',
      meal: '2026-09-22',
      user_id: 5,
      attempt_id: attemptId,
    })
  })
})

describe('bookings of refunds and credit', () => {
  const transferId = '0199a000-0000-7000-8000-0000000000aa'

  const refund = {
    refundId: orderId,
    orderId,
    attemptId,
    part: 0,
    amount: 4500,
    at,
  }
  const due = refundDue({
    ...refund,
    userId: 5,
    reason: 'order_cancelled',
    student: line.student,
    item: { name: line.item.name },
    orderedAt: at,
  })
  const paidBack = (method: 'cash' | 'credit' | 'given_up', amount = 4500) =>
    refundPaidBack({
      ...refund,
      amount,
      stillOwed: 4500 - amount,
      payoutId: transferId,
      method,
      reference: null,
      note: null,
      by: 1,
    })

  test('a refund is owed until it is paid back, given up, made credit, or withdrawn', () => {
    expect(told(due)).toEqual(['owed 45.00 for 2026-09-22'])
    expect(toldLast(due, paidBack('cash', 1000))).toEqual([
      'owed -10.00 for 2026-09-22',
      'paid_back 10.00 for 2026-09-22',
      'cash_refund 10.00 for 2026-09-22',
    ])
    expect(toldLast(due, paidBack('given_up'))).toEqual([
      'owed -45.00 for 2026-09-22',
      'given_up 45.00 for 2026-09-22',
    ])
    expect(toldLast(due, paidBack('credit'))).toEqual(['owed -45.00 for 2026-09-22'])
    expect(toldLast(due, refundWithdrawn({ refundId: orderId, at }))).toEqual(['owed -45.00 for 2026-09-22'])
  })

  const change = {
    userId: 5,
    amount: 4500,
    about: { orderId, reference: null },
    text: 'Beef Stew for Chipo Banda',
    balanceAfter: 4500,
    at,
  }

  test('credit is given, taken back, charged and paid out as its events tell', () => {
    const given = (entryId: string, kind: 'cancelled' | 'gift' | 'absent') =>
      credit.creditGiven({ ...change, entryId, kind, attemptId })
    const takenBack = (entryId: string) => credit.creditTakenBack({ ...change, entryId, attemptId })
    const paidOut = (method: 'cash' | 'given_up') =>
      credit.creditPaidOut({
        userId: 5,
        payoutId: transferId,
        amount: 4500,
        method,
        reference: null,
        by: 1,
        balanceAfter: 0,
        at,
      })
    expect(told(given(`order/${orderId}/1`, 'cancelled'))).toEqual(['credit_given 45.00 for 2026-09-22'])
    expect(told(takenBack(`order/${orderId}/1`))).toEqual(['credit_given -45.00 for 2026-09-22'])
    expect(told(given(`gift/${transferId}`, 'gift'))).toEqual(['granted 45.00 for 2026-09-22'])
    expect(told(takenBack(`absence/${orderId}/1`))).toEqual(['granted -45.00 for 2026-09-22'])
    expect(told(credit.creditCharged({ ...change, entryId: `change/${transferId}`, attemptId }))).toEqual([
      'credit_spent 45.00 for 2026-09-22',
    ])
    expect(told(paidOut('cash'))).toEqual(['credit_paid_out cash 45.00'])
    expect(told(paidOut('given_up'))).toEqual(['given_up 45.00'])
  })

  test('credit that a checkout spent is booked for the days of its meals', () => {
    const checkout = payments.checkoutStarted({
      attemptId,
      kind: 'card',
      userId: 5,
      lines: [line, second],
      total: 7500,
      companyRef: 'LP-1',
      bodyHash: 'x',
      at,
    })
    const spent = credit.creditSpent({
      userId: 5,
      attemptId,
      amount: 4600,
      lines: [
        { index: 0, amount: 1600 },
        { index: 1, amount: 3000 },
      ],
      at,
    })
    expect(toldLast(checkout, spent)).toEqual([
      'credit_spent 16.00 for 2026-09-22',
      'credit_spent 30.00 for 2026-09-23',
    ])
  })
})

describe('the journal', () => {
  const [, attempts, orders, refunds, transfers] = bookingViews('Africa/Lusaka') as [
    RowView,
    RowView,
    RowView,
    RowView,
    RowView,
  ]

  const first: Record<string, [DomainEvent, string]> = {
    [attempts.table]: [sample('payments.checkout-started.v1'), attemptId],
    [orders.table]: [sample('ordering.lunch-ordered.v1'), orderId],
    [refunds.table]: [sample('refunds.refund-due.v1'), orderId],
    [transfers.table]: [sample('payments.transfer-confirmed.v1'), transferId],
  }

  const line = { index: 0, mealDate: '2026-09-22', price: 4500, credit: 0, orderId: null, waived: null }

  /** What each event changes in its row, after the first event of that row. */
  const changes: [RowView, string, object][] = [
    [
      attempts,
      'payments.checkout-started.v1',
      { kind: 'card', method: 'card', total: 4500, money: 'none', received: 0 },
    ],
    [attempts, 'payments.prompt-asked.v1', { method: 'airtel', money: 'none' }],
    [attempts, 'payments.card-page-chosen.v1', { method: 'card', money: 'none' }],
    [attempts, 'payments.payment-verified.v1', { money: 'ours', received: 4500, fee: 50 }],
    [attempts, 'payments.payment-mismatched.v1', { money: 'undecided', received: 4000, fee: 0 }],
    [attempts, 'payments.mismatch-accepted.v1', { money: 'ours', received: 4000, shortfall: 500 }],
    [attempts, 'payments.orders-created.v1', { money: 'claimed', lines: [{ ...line, orderId }] }],
    [attempts, 'payments.lines-blocked.v1', { money: 'claimed' }],
    [attempts, 'payments.lines-amended.v1', { lines: [line] }],
    [
      attempts,
      'payments.remainder-waived.v1',
      { money: 'ours', surplus: 100, lines: [{ ...line, waived: 4500 }] },
    ],
    [attempts, 'credit.credit-spent.v1', { money: 'none', lines: [line] }],
    [
      orders,
      'ordering.lunch-ordered.v1',
      { attempt_id: attemptId, line: 0, cycle_id: 7, price: 4500, paid: 'at-once', status: 'pending' },
    ],
    [orders, 'ordering.order-completed.v1', { status: 'completed' }],
    [orders, 'ordering.order-reopened.v1', { status: 'pending' }],
    [orders, 'ordering.order-cancelled.v1', { status: 'cancelled' }],
    [orders, 'ordering.order-withdrawn.v1', { status: 'withdrawn' }],
    [orders, 'ordering.order-refunded.v1', { status: 'refunded' }],
    [orders, 'ordering.order-refund-still-owed.v1', { status: 'cancelled' }],
    [orders, 'ordering.order-payment-confirmed.v1', { paid: 'later', money: 4500 }],
    [orders, 'ordering.order-payment-undone.v1', { paid: 'not-yet', money: 0 }],
    [orders, 'ordering.order-changed.v1', { price: 3000, placed_price: 4500, money: 4500 }],
    [orders, 'credit.credit-given.v1', { deducted: [] }],
    [orders, 'credit.credit-taken-back.v1', { deducted: [] }],
    [orders, 'credit.credit-charged.v1', { charged: 4500 }],
    [refunds, 'refunds.refund-due.v1', { attempt_id: attemptId, part: '0', owed: 4500, status: 'due' }],
    [refunds, 'refunds.refund-withdrawn.v1', { owed: 0, status: 'withdrawn' }],
    [refunds, 'refunds.card-refund-requested.v1', { card: 'under_way' }],
    [refunds, 'refunds.card-refund-answered.v1', { card: 'failed' }],
    [refunds, 'refunds.card-refund-to-be-checked.v1', { card: 'unclear' }],
    [refunds, 'refunds.card-refund-found-failed.v1', { card: 'failed' }],
    [refunds, 'refunds.refund-paid-back.v1', { owed: 1500, paid_back: 3000, status: 'due' }],
    [transfers, 'payments.transfer-confirmed.v1', { id: transferId }],
    [transfers, 'payments.transfer-undone.v1', { id: transferId }],
  ]

  test.each(changes.map(([view, type, row]) => [view.table, type, row, view] as const))(
    '%s counts %s once',
    (table, type, row, view) => {
      const [begin, key] = first[table]!
      const events = begin.type === type ? [begin] : [begin, sample(type)]
      viewSpec(view)
        .given(...events)
        .thenRow(key, expect.objectContaining(row))
    },
  )

  test('every event that these views hear is told above', () => {
    const heard = [attempts, orders, refunds, transfers].flatMap((view) =>
      view.events.map(({ type }) => `${view.table} ${type}`),
    )
    expect(changes.map(([view, type]) => `${view.table} ${type}`).toSorted()).toEqual(heard.toSorted())
  })

  test('what happens to an attempt, order or refund that nobody began makes no row', () => {
    for (const [view, type] of changes)
      if (view !== transfers && first[view.table]![0].type !== type)
        viewSpec(view).given(sample(type)).thenRows([])
  })
})
