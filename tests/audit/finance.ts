import { cancelOrder, type Order } from '#contracts/ordering'
import { attemptHistory } from '#contracts/payments-console'
import { completeRefund, listRefunds } from '#contracts/refunds'
import { checkoutStarted, paymentVerified } from '#modules/payments/published'
import { stampEvents } from '#platform/event-store/command-handler'
import type { Client } from '../../src/app/demo/client'
import { openAlternativeCanteen, order } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { sample } from './sample-events'
import { settled } from './settled'

export type Finance = Awaited<ReturnType<typeof openFinance>>

const longerThanAnyTest = 3_600_000

/**
 * A school with something in its books: mwila has ordered two stews (K91.00), to be paid for otherwise; one was paid,
 * cancelled and paid back. natasha's porridge was free. Somebody's card payment of K45.00 waits to become an order. No
 * sweep runs: the daily audit would write its run while a test compares tables.
 */
export const openFinance = async (
  variables: Record<string, string> = {},
  more: Parameters<typeof openAlternativeCanteen>[1] = {},
) => {
  const canteen = await openAlternativeCanteen(variables, { sweepEveryMs: longerThanAnyTest, ...more })
  const { eventStore } = canteen.infrastructure
  const bursar = await canteen.administrator('bursar', 'history', 'refunds')

  const mwila = await canteen.family('mwila', '9')
  const { orders } = await order(mwila.parent, [
    canteen.stewFor(mwila.children[0]!, 2),
    canteen.stewFor(mwila.children[0]!, 3),
  ])
  const [refunded, unpaid] = orders as [Order, Order]
  canteen.setClock('2026-09-14T07:10:00+02:00')
  await canteen.verify([refunded.id])
  canteen.setClock('2026-09-14T07:20:00+02:00')
  await mwila.parent.call(cancelOrder, { params: { id: refunded.id } })
  const isOwed = async () => (await bursar.call(listRefunds)).data.some(({ id }) => id === refunded.id)
  await eventually(isOwed)
  canteen.setClock('2026-09-14T07:30:00+02:00')
  await bursar.call(completeRefund, { params: { id: refunded.id }, body: { method: 'cash', note: '=1+1' } })

  const natasha = await canteen.family('natasha', '2')
  await order(natasha.parent, [canteen.porridgeFor(natasha.children[0]!, 2)])

  const card = sample(checkoutStarted.type)
  const paid = sample(paymentVerified.type)
  await eventStore.append([
    {
      stream: 'paymentAttempt-of-a-card',
      expectedRevision: -1,
      events: stampEvents([card, paid], {
        actor: 'job:sweep-payments',
        correlationId: 'test',
        at: canteen.now(),
        idSeed: 'card',
      }),
    },
  ])
  await settled(canteen)
  return { ...canteen, bursar, mwila, natasha, refunded, unpaid, settled: () => settled(canteen) }
}

/** What happened to an attempt, as `[what, amount]`. */
export const whatHappened = async (client: Client, attemptId: string) =>
  (await client.call(attemptHistory, { params: { id: attemptId } })).data.map(({ what, amount }) => [
    what,
    amount,
  ])
