import { getCommunication, saveCommunication } from '#contracts/identity'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'

/** Read again whenever it is opened: another administrator may have changed it. */
export const communicationQuery = { ...endpointQuery('identity', getCommunication, {}), staleTime: 0 }

export const saveContacts = endpointMutation(saveCommunication, 'identity')
