import type { Knex } from 'knex'
import { phoneCodeTries, type PhoneCode } from './phone-code.decide'

type Row = PhoneCode & { userId: number; codeHash: string }

export const phoneCodeRows = (knex: Knex) => {
  const codes = () => knex<Row>('identity.phone_codes')
  return {
    put: async (code: Pick<Row, 'userId' | 'phone' | 'codeHash' | 'expiresAt'>): Promise<void> => {
      await codes()
        .insert({ ...code, triesLeft: phoneCodeTries })
        .onConflict('userId')
        .merge()
    },

    read: (userId: number): Promise<Row | undefined> => codes().where({ userId }).first(),

    lock: (userId: number): Promise<Row | undefined> => codes().where({ userId }).forUpdate().first(),

    countTry: async (userId: number): Promise<number> => {
      const [row] = await codes().where({ userId }).decrement('triesLeft', 1).returning('triesLeft')
      return row!.triesLeft
    },

    remove: async (userId: number): Promise<void> => {
      await codes().where({ userId }).delete()
    },
  }
}
