import { getAllergens, getHealth, saveHealth } from '#contracts/health'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'

/** Read again whenever it is opened; forgotten once nothing shows it. */
export const healthQuery = (id: number) => ({
  ...endpointQuery('identity', getHealth, { params: { id } }),
  staleTime: 0,
  gcTime: 0,
})

export const allergensQuery = endpointQuery('identity', getAllergens, {})

export const saveHealthOf = endpointMutation(saveHealth, 'identity', 'ordering')
