import type { Knex } from 'knex'

export type ClaimCodeRow = { studentId: number; hash: string; expiresAt: Date }

export const claimCodeRows = (knex: Knex) => {
  const codes = () => knex<ClaimCodeRow>('identity.claim_codes')
  return {
    all: (): Promise<ClaimCodeRow[]> => codes(),

    put: async (rows: readonly ClaimCodeRow[]): Promise<void> => {
      if (rows.length === 0) return
      await codes()
        .insert([...rows])
        .onConflict('studentId')
        .merge()
    },

    /** Empty for an invalid code; a code works once. */
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
