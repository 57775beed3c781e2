import { mutationOptions } from '@tanstack/react-query'
import type { BodyOf } from '#contracts/endpoint'
import { getCommunication, saveCommunication } from '#contracts/identity'
import { call } from '../../lib/call'
import { endpointQuery, refresh } from '../../lib/endpoint-query'

/** Read again whenever it is opened: another administrator may have changed it. */
export const communicationQuery = { ...endpointQuery('identity', getCommunication, {}), staleTime: 0 }

export const saveContacts = mutationOptions({
  mutationFn: (body: BodyOf<typeof saveCommunication>) => call(saveCommunication, { body }),
  onSettled: (_data, _error, _input, _before, { client }) => refresh(client, 'identity'),
})
