import { getCutoff, saveCutoff } from '#contracts/cycles'
import { getOrderingRules, saveOrderingRules } from '#contracts/ordering-rules'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'

/** Read again whenever it is opened: another administrator may have changed it. */
export const cutoffQuery = { ...endpointQuery('cycles', getCutoff, {}), staleTime: 0 }

export const saveCutoffTime = endpointMutation(saveCutoff, 'cycles')

export const rulesQuery = { ...endpointQuery('ordering', getOrderingRules, {}), staleTime: 0 }

export const saveRules = endpointMutation(saveOrderingRules, 'ordering', 'catalogue', 'cycles')
