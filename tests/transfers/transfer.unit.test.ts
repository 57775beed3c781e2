import { transferConfirmed, transferUndone } from '#modules/transfers/confirmations/events'
import { transferDecider } from '#modules/transfers/confirmations/confirmation.decide'
import {
  comparedTransactionId,
  typedTransferId,
  transfersView,
} from '#modules/transfers/confirmations/transfers.view'
import { specificationOf } from '../support/given-when-then'
import { viewSpec } from '../support/view-spec'

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
})
