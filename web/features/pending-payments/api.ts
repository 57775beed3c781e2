import { mutationOptions } from '@tanstack/react-query'
import type { QueryOf } from '#contracts/endpoint'
import { pendingPayments, verifyPending } from '#contracts/pending-payments'
import { call } from '../../lib/call'
import { listQuery, refreshes } from '../../lib/endpoint-query'

export const pendingQuery = (query: QueryOf<typeof pendingPayments>) =>
  listQuery('payments', pendingPayments, { query })

/** The most order ids that one call takes. */
const perCall = 1000

/** Marks these orders paid; answers how many it were. */
export const verifyOrders = mutationOptions({
  mutationFn: async (orderIds: string[]) => {
    let updated = 0
    for (let from = 0; from < orderIds.length; from += perCall)
      updated += (await call(verifyPending, { body: { orderIds: orderIds.slice(from, from + perCall) } }))
        .updated
    return { updated }
  },
  onSettled: refreshes('payments', 'ordering'),
})
