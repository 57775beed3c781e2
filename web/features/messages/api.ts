import { getMessageSettings, saveMessageSettings, stopReminders } from '#contracts/messages'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'

/** Read again whenever it is opened: another administrator may have changed it. */
export const settingsQuery = { ...endpointQuery('identity', getMessageSettings, {}), staleTime: 0 }

export const saveSettings = endpointMutation(saveMessageSettings, 'identity')
export const stop = endpointMutation(stopReminders, 'identity')
