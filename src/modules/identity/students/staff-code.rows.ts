import type { Knex } from 'knex'

const security = (knex: Knex) => knex<{ staffCode: string }>('identity.security')

/** The school's staff code as it is set now; '' is none. */
export const readStaffCode = async (knex: Knex): Promise<string> =>
  (await security(knex).first('staffCode'))!.staffCode

/** Answers the code before. */
export const writeStaffCode = async (transaction: Knex.Transaction, staffCode: string): Promise<string> => {
  const before = await security(transaction).forUpdate().first('staffCode')
  await security(transaction).update({ staffCode })
  return before!.staffCode
}
