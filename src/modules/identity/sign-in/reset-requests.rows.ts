import type { Knex } from 'knex'
import { v7 } from 'uuid'

type ResetRequest = { id: string; identifier: string; dueAt: Date; askedAt: Date }

const patienceMs = 30_000
const laterThan = (at: Date) => new Date(at.getTime() + patienceMs)

export const resetRequestRows = (knex: Knex) => {
  const requests = () => knex<ResetRequest>('identity.reset_requests')
  return {
    add: async (identifier: string, at: Date): Promise<string> => {
      const id = v7()
      await requests().insert({ id, identifier, dueAt: laterThan(at), askedAt: at })
      return id
    },

    /** Deleted on commit; undefined if answered before. */
    take: (id: string): Promise<ResetRequest | undefined> =>
      requests()
        .where({ id })
        .delete()
        .returning('*')
        .then(([request]) => request),

    /** Requests by these names or addresses. */
    removeOf: async (identifiers: readonly string[]): Promise<void> => {
      const typed = identifiers.map((name) => name.trim().toLowerCase())
      await requests().whereRaw('lower(trim(identifier)) = any(?)', [typed]).delete()
    },

    /** Up to 100 overdue ones, due again in half a minute. */
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
