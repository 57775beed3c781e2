import { listMenu } from '#contracts/catalogue'
import { endpointQuery } from '../lib/endpoint-query'

/** The whole menu with this user's prices. */
export const menuQuery = endpointQuery('catalogue', listMenu, {})
