import { getCutoff, saveCutoff } from '#contracts/cycles'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'

/** Read again whenever it is opened: another administrator may have changed it. */
export const cutoffQuery = { ...endpointQuery('cycles', getCutoff, {}), staleTime: 0 }

export const saveCutoffTime = endpointMutation(saveCutoff, 'cycles')
