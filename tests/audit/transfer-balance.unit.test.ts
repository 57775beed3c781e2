import { journalSums } from '#modules/audit/checks/journal-sums'
import { transferFaults } from '#modules/audit/checks/balance.decide'
import { creditGiven, creditTakenBack } from '#modules/credit/family-credit'
import { orderPaymentConfirmed, orderPaymentUndone, lunchOrdered } from '#modules/ordering/published'
import { transferConfirmed, transferUndone } from '#modules/transfers/published'
import type { DomainEvent } from '#kernel/event'
import { recordedEvents } from '../support/recorded-events'
import { changed, minutesLater } from './auditing'
import { orderId, sample } from './sample-events'
import { transferId } from './sample-transfers'

const at = '2026-09-15T06:00:00.000Z'
const nextDay = new Date('2026-09-16T06:00:00.000Z')
const act = '0199a000-0000-7000-8000-000000000021'

const unpaid = changed(sample(lunchOrdered.type), { paymentStatus: 'pending' })
const came = sample(transferConfirmed.type)
const paid = orderPaymentConfirmed({ orderId, transferId, at })
const undone = sample(transferUndone.type)
const unpaidAgain = orderPaymentUndone({ orderId, transferId, at })
const about = { orderId: null, reference: null }
const credit = (entry: string, amount: number) =>
  creditGiven({
    userId: 5,
    entryId: `transfer/${transferId}/${act}/${entry}`,
    kind: 'overpaid',
    amount,
    attemptId: null,
    about,
    text: 'Too much',
    balanceAfter: amount,
    at,
  })
const surplus = credit('5', 500)
const surplusBack = creditTakenBack({
  userId: 5,
  entryId: `transfer/${transferId}/${act}/5`,
  amount: 500,
  attemptId: null,
  about,
  text: 'Undone',
  balanceAfter: 0,
  at,
})

const faults = (events: readonly DomainEvent[], now = nextDay) => {
  const { add, sums } = journalSums()
  add(recordedEvents(...events))
  return transferFaults(sums, now)
}

test.each<[string, DomainEvent[]]>([
  ['pays its order, and its surplus is credit', [unpaid, came, paid, surplus]],
  ['was undone with all that it paid', [unpaid, came, paid, surplus, undone, unpaidAgain, surplusBack]],
  ['is credit for an order that was gone', [unpaid, came, credit(orderId, 4500), surplus]],
  [
    'was never, where a payment was confirmed before there were transfers',
    [unpaid, orderPaymentConfirmed({ orderId, at })],
  ],
])('nothing is wrong with a transfer that %s', (_what, events) => expect(faults(events)).toEqual([]))

const notPaid = `Order ${orderId} counts K0.00 as paid by transfers, and these pay K45.00 for it.`
const paidByNone = `Order ${orderId} counts K45.00 as paid by transfers, and these pay K0.00 for it.`
const surplusMissing = `The surplus of K5.00 of transfer ${transferId} for user 5 was never given.`

test.each<[string, DomainEvent[], string]>([
  ['whose order was never marked', [unpaid, came, surplus], notPaid],
  ['that is unknown', [unpaid, paid], paidByNone],
  ['that was undone and still pays', [unpaid, came, paid, surplus, undone, surplusBack], paidByNone],
  ['whose surplus was never given', [unpaid, came, paid], surplusMissing],
  [
    'whose surplus stands though it was undone',
    [unpaid, came, paid, surplus, undone, unpaidAgain],
    `The surplus of K5.00 of transfer ${transferId} for user 5 still stands, though it was undone.`,
  ],
  [
    'that brought another amount than it pays',
    [unpaid, changed(came, { amount: 5100 }), paid, surplus],
    `Transfer ${transferId} brought K51.00, and pays K50.00 in all.`,
  ],
])('a transfer %s is found', (_what, events, fault) => expect(faults(events)).toEqual([fault]))

test('what was confirmed within the hour may still be on its way', () => {
  expect(faults([unpaid, came], minutesLater)).toEqual([])
})
