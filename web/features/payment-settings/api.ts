import { mutationOptions } from '@tanstack/react-query'
import type { BodyOf } from '#contracts/endpoint'
import { getPaymentBypass, savePaymentBypass } from '#contracts/payments'
import { call } from '../../lib/call'
import { endpointQuery, refresh } from '../../lib/endpoint-query'

/** Read again whenever it is opened: another administrator may have changed it. */
export const bypassQuery = { ...endpointQuery('payments', getPaymentBypass, {}), staleTime: 0 }

export const saveBypass = mutationOptions({
  mutationFn: (body: BodyOf<typeof savePaymentBypass>) => call(savePaymentBypass, { body }),
  onSettled: (_data, _error, _input, _before, { client }) => refresh(client, 'payments'),
})
