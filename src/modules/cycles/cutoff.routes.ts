import { getCutoff, saveCutoff } from '#contracts/cycles'
import type { Database } from '#platform/database'
import { route, signedIn, withFeature } from '#platform/http/route'
import { readCutoff, writeCutoff } from './cutoff.rows'
import type { Cutoff } from './cycle'

const cutoffReply = ({ hour, minute }: Cutoff) => ({ cutoffHour: hour, cutoffMinute: minute })

export const cutoffRoutes = ({ knex }: Database) => [
  route(getCutoff, signedIn, async () => cutoffReply(await readCutoff(knex))),
  route(saveCutoff, withFeature('settings'), async ({ body }) => {
    await writeCutoff(knex, body)
    return cutoffReply(body)
  }),
]
