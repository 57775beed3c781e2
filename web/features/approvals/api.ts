import { approvePayout, listPayouts, withdrawPayout } from '#contracts/approvals'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'

/** The payouts of credit that wait, of all families or of one; read anew whenever they are shown. */
export const payoutsQuery = (parentId?: number) => ({
  ...endpointQuery('refunds', listPayouts, { query: parentId === undefined ? {} : { parentId } }),
  staleTime: 0,
})

export const approve = endpointMutation(approvePayout, 'refunds')
export const withdraw = endpointMutation(withdrawPayout, 'refunds')
