import type { Reader } from './database'

/** Rows of a part at most; the newest are given. */
export const maxFamilyRows = 5_000

type Row = Record<string, unknown>

/** `studentIds`: whom the account orders for. */
type FamilyOfPart = { userId: number; studentIds: readonly number[]; attemptIds: readonly string[] }

/** One part of what is kept about an account, for its owner: no secrets, nothing of other families, amounts in kwacha. */
export type FamilyPart = {
  name: string
  /** Newest first, one row more than `maxFamilyRows` where there are more. */
  read: (at: Reader, of: FamilyOfPart) => Promise<Row[]>
}

/** A query with `$1` for the account and `$2` for the most rows. */
export const partOfAccount = (name: string, sql: string): FamilyPart => ({
  name,
  read: async (at, { userId }) => (await at.query<Row>(sql, [userId, maxFamilyRows + 1])).rows,
})

/** A query with `$1` for the ids of the account's payment attempts and `$2` for the most rows. */
export const partOfAttempts = (name: string, sql: string): FamilyPart => ({
  name,
  read: async (at, { attemptIds }) => (await at.query<Row>(sql, [attemptIds, maxFamilyRows + 1])).rows,
})
