import type { Knex } from 'knex'
import { phoneCodeTries, type PhoneCode } from './phone-code.decide'

type Row = PhoneCode & { userId: number; codeHash: string }

/** The rows of `identity.phone_codes`: one code for an account at a time. */
export const phoneCodeRows = (knex: Knex) => {
  const codes = () => knex<Row>('identity.phone_codes')
  return {
    /** The one before is of no use any more. */
    put: async (code: Pick<Row, 'userId' | 'phone' | 'codeHash' | 'expiresAt'>): Promise<void> => {
      await codes()
        .insert({ ...code, triesLeft: phoneCodeTries })
        .onConflict('userId')
        .merge()
    },

    read: (userId: number): Promise<Row | undefined> => codes().where({ userId }).first(),

    lock: (userId: number): Promise<Row | undefined> => codes().where({ userId }).forUpdate().first(),

    /** Answers how many tries are left. */
    countTry: async (userId: number): Promise<number> => {
      const [row] = await codes().where({ userId }).decrement('triesLeft', 1).returning('triesLeft')
      return row!.triesLeft
    },

    remove: async (userId: number): Promise<void> => {
      await codes().where({ userId }).delete()
    },
  }
}
