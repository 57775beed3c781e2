import { listMenu } from '#contracts/catalogue'
import { endpointQuery } from '../lib/endpoint-query'

export const menuQuery = endpointQuery('catalogue', listMenu, {})
