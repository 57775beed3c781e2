import { mutationOptions } from '@tanstack/react-query'
import type { BodyOf, QueryOf } from '#contracts/endpoint'
import { pendingPayments, undoVerified, verifyPending } from '#contracts/pending-payments'
import { call } from '../../lib/call'
import { listQuery, refreshes } from '../../lib/endpoint-query'
import { freshKey } from '../../lib/fresh-key'

export const pendingQuery = (query: QueryOf<typeof pendingPayments>) =>
  listQuery('payments', pendingPayments, { query })

/** The most order ids that one call takes. */
const perCall = 1000

/** Calls with so many of these orders at a time; answers how many it were in all, and the last words of the server. */
const inCalls = async (
  orderIds: readonly string[],
  send: (orderIds: string[]) => Promise<{ message: string; updated: number }>,
) => {
  let all = { message: '', updated: 0 }
  for (let from = 0; from < orderIds.length; from += perCall) {
    const { message, updated } = await send(orderIds.slice(from, from + perCall))
    all = { message, updated: all.updated + updated }
  }
  return all
}

type Verifying = { body: BodyOf<typeof verifyPending>; keyOf: (body: unknown) => string }

/** Marks these orders paid. */
export const verifyOrders = mutationOptions({
  mutationFn: ({ body, keyOf }: Verifying) =>
    inCalls(body.orderIds, (orderIds) => {
      const part = { ...body, orderIds }
      return call(verifyPending, { body: part, idempotencyKey: keyOf(part) })
    }),
  onSettled: refreshes('payments', 'ordering'),
})

/** Takes back that these orders are paid. */
export const undoOrders = mutationOptions({
  mutationFn: (orderIds: readonly string[]) =>
    inCalls(orderIds, (part) => call(undoVerified, { body: { orderIds: part }, idempotencyKey: freshKey() })),
  onSettled: refreshes('payments', 'ordering'),
})
