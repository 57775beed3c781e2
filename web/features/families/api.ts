import { getFamily } from '#contracts/families'
import { endpointQuery } from '../../lib/endpoint-query'

/** Everything about a family, read anew whenever its page is opened. */
export const familyQuery = (id: number) => ({
  ...endpointQuery('payments', getFamily, { params: { id } }),
  staleTime: 0,
})
