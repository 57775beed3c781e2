import { confirmPhone as confirm, getUserMessages, saveUserMessages, verifyPhone } from '#contracts/messages'
import { endpointMutation, endpointQuery } from '../../../../lib/endpoint-query'

/** Read again whenever it is shown: the school may have changed what it sends. */
export const messagesQuery = { ...endpointQuery('identity', getUserMessages, {}), staleTime: 0 }

export const saveMessages = endpointMutation(saveUserMessages, 'identity')
export const askForCode = endpointMutation(verifyPhone, 'identity')
export const confirmPhone = endpointMutation(confirm, 'identity')
