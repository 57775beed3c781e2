import { refundDue } from '#modules/refunds/refund'
import { refundsView } from '#modules/refunds/refunds.view'
import { viewSpec } from '../support/view-spec'
import { attempt, monday7 } from '../ordering/lunches'
import { cancelledAt, due, orderRefund, owedForNshima, paidBack, withdrawn } from './refund-words'

const view = viewSpec(refundsView)
const row = {
  id: orderRefund,
  order_id: orderRefund,
  attempt_id: attempt,
  student_name: 'Chanda',
  student_grade: '4',
  item_name: 'Nshima with relish',
  amount: 4550,
  owed: 4550,
  status: 'due',
  reason: 'order_cancelled',
  ordered_at: monday7.toISOString(),
  due_since: cancelledAt.toISOString(),
  paid_back_at: null,
  paid_back_as: null,
  as_credit: 0,
}

test('what is owed is listed', () => view.given(due).thenRows([row]))

test('what went back in part is owed less', () =>
  view.given(due, paidBack(1, 1000, 3550)).thenRows([{ ...row, owed: 3550 }]))

test('what went back is owed no more', () =>
  view.given(due, paidBack(1, 1000, 3550), paidBack(2, 3550, 0)).thenRows([
    {
      ...row,
      owed: 0,
      status: 'paid_back',
      paid_back_at: paidBack(2, 3550, 0).data.at,
      paid_back_as: paidBack(2, 3550, 0).data.method,
    },
  ]))

test('what is cooked after all is not owed, until it is cancelled again', () => {
  view.given(due, withdrawn).thenRows([{ ...row, owed: 0, status: 'withdrawn' }])
  view.given(due, withdrawn, due).thenRows([row])
})

test('what was paid too much has no order', () => {
  const id = `${attempt}.surplus`
  const surplus = refundDue({
    ...owedForNshima,
    refundId: id,
    orderId: null,
    reason: 'overpaid',
    at: cancelledAt.toISOString(),
  })
  view.given(surplus).thenRow(id, { ...row, id, order_id: null, reason: 'overpaid' })
})
