import type { QueryOf } from '#contracts/endpoint'
import {
  approveRefund,
  checkCardRefund,
  completeRefund,
  completeRefunds,
  listRefunds,
  refundToCard,
  refundToCredit,
  withdrawRefund,
} from '#contracts/refunds'
import { endpointMutation, listQuery } from '../../lib/endpoint-query'

export const refundsQuery = (query: QueryOf<typeof listRefunds>) =>
  listQuery('refunds', listRefunds, { query })

export const complete = endpointMutation(completeRefund, 'refunds', 'payments', 'ordering')
export const completeMany = endpointMutation(completeRefunds, 'refunds', 'payments', 'ordering')
export const turnIntoCredit = endpointMutation(refundToCredit, 'refunds', 'payments', 'ordering')
export const askCard = endpointMutation(refundToCard, 'refunds', 'payments', 'ordering')
export const sayWhatBecame = endpointMutation(checkCardRefund, 'refunds', 'payments', 'ordering')
export const approve = endpointMutation(approveRefund, 'refunds', 'payments', 'ordering')
export const withdraw = endpointMutation(withdrawRefund, 'refunds')
