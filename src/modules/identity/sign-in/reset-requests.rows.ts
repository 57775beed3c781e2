import type { Knex } from 'knex'
import { v7 } from 'uuid'

type ResetRequest = { id: string; identifier: string; dueAt: Date; askedAt: Date }

const patienceMs = 30_000
const laterThan = (at: Date) => new Date(at.getTime() + patienceMs)

/** The rows of `identity.reset_requests`: forgotten passwords that were asked about and not answered yet. */
export const resetRequestRows = (knex: Knex) => {
  const requests = () => knex<ResetRequest>('identity.reset_requests')
  return {
    /** Keeps what somebody typed until it is answered; answers its id. */
    add: async (identifier: string, at: Date): Promise<string> => {
      const id = v7()
      await requests().insert({ id, identifier, dueAt: laterThan(at), askedAt: at })
      return id
    },

    /** The request, which is gone when the transaction commits; undefined when it was answered before. */
    take: (id: string): Promise<ResetRequest | undefined> =>
      requests()
        .where({ id })
        .delete()
        .returning('*')
        .then(([request]) => request),

    /** Forgets what somebody typed who has one of these names or addresses. */
    removeOf: async (identifiers: readonly string[]): Promise<void> => {
      const typed = identifiers.map((name) => name.trim().toLowerCase())
      await requests().whereRaw('lower(trim(identifier)) = any(?)', [typed]).delete()
    },

    /** Takes up to 100 requests that nobody answered in time and makes them due again in half a minute. */
    takeDue: async (at: Date): Promise<string[]> => {
      const due = requests().where('dueAt', '<=', at).orderBy('dueAt').limit(100).forUpdate().skipLocked()
      const rows = await requests()
        .whereIn('id', due.select('id'))
        .update({ dueAt: laterThan(at) })
        .returning('id')
      return rows.map(({ id }) => id)
    },
  }
}
