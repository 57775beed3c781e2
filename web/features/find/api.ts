import { find } from '#contracts/find'
import { listQuery } from '../../lib/endpoint-query'

/** What was typed, looked for everywhere; the last answer is shown until the next one has come. */
export const findQuery = (q: string) => listQuery('payments', find, { query: { q } })
