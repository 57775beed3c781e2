import type { Knex } from 'knex'

/** A family's code stands on each of its children. */
export type ClaimCodeRow = { studentId: number; hash: string; expiresAt: Date }

/** The rows of `identity.claim_codes`, on the database or inside a transaction. */
export const claimCodeRows = (knex: Knex) => {
  const codes = () => knex<ClaimCodeRow>('identity.claim_codes')
  return {
    all: (): Promise<ClaimCodeRow[]> => codes(),

    /** Whatever these children had is void. */
    put: async (rows: readonly ClaimCodeRow[]): Promise<void> => {
      if (rows.length === 0) return
      await codes()
        .insert([...rows])
        .onConflict('studentId')
        .merge()
    },

    /** Uses up a code: the children that it is for, none for a code that is not valid. */
    take: async (hashes: readonly string[], at: Date): Promise<number[]> => {
      const taken = await codes()
        .whereIn('hash', [...hashes])
        .where('expiresAt', '>', at)
        .delete()
        .returning('studentId')
      return taken.map(({ studentId }) => studentId)
    },

    removeOf: async (studentIds: readonly number[]): Promise<void> => {
      await codes()
        .whereIn('studentId', [...studentIds])
        .delete()
    },
  }
}
