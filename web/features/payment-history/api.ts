import { attemptHistory, orderHistory } from '#contracts/payments-console'
import { endpointQuery } from '../../lib/endpoint-query'
import type { HistorySubject } from './history-subject'

/** Read again whenever it is opened. */
export const historyQuery = ({ of, id }: HistorySubject) => ({
  ...endpointQuery('payments', of === 'order' ? orderHistory : attemptHistory, { params: { id } }),
  staleTime: 0,
})
