import { mutationOptions } from '@tanstack/react-query'
import { getCutoff, saveCutoff } from '#contracts/cycles'
import type { BodyOf } from '#contracts/endpoint'
import { call } from '../../lib/call'
import { endpointQuery, refresh } from '../../lib/endpoint-query'

/** Read again whenever it is opened: another administrator may have changed it. */
export const cutoffQuery = { ...endpointQuery('cycles', getCutoff, {}), staleTime: 0 }

export const saveCutoffTime = mutationOptions({
  mutationFn: (body: BodyOf<typeof saveCutoff>) => call(saveCutoff, { body }),
  onSettled: (_data, _error, _input, _before, { client }) => refresh(client, 'cycles'),
})
