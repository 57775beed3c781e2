import type { Knex } from 'knex'
import { v7 } from 'uuid'

/** What a family is told of its unpaid meals: that they lapse soon, or that they have lapsed. */
export type LapseNews = 'warning' | 'lapsed'

export type LapseMail = { id: string; userId: number; about: LapseNews; orderIds: string[] }

const mails = (knex: Knex) => knex('payments.lapse_mails')

/**
 * Settles which mail tells of each of these orders that no mail tells of yet: one a family. What is settled stays, so that
 * a mail that is written again after a crash is the same one.
 */
export const noteLapseMails = async (
  knex: Knex,
  about: LapseNews,
  orders: readonly { id: string; userId: number }[],
): Promise<void> => {
  if (orders.length === 0) return
  const ids = orders.map(({ id }) => id)
  const noted = new Set(await mails(knex).whereIn('order_id', ids).where({ about }).pluck('order_id'))
  const mailOf = new Map(orders.map(({ userId }) => [userId, v7()]))
  const rows = orders
    .filter(({ id }) => !noted.has(id))
    .map(({ id, userId }) => ({ order_id: id, about, user_id: userId, mail_id: mailOf.get(userId) }))
  for (let from = 0; from < rows.length; from += 1000)
    await mails(knex)
      .insert(rows.slice(from, from + 1000))
      .onConflict(['order_id', 'about'])
      .ignore()
}

/** The mails that have yet to be written, with the orders that they tell of. */
export const unwrittenLapseMails = (knex: Knex): Promise<LapseMail[]> =>
  mails(knex)
    .whereNull('told_at')
    .groupBy('mail_id', 'user_id', 'about')
    .orderBy('mail_id')
    .select({ id: 'mail_id', userId: 'user_id' }, 'about', knex.raw('array_agg(order_id) as "orderIds"'))

export const noteLapseTold = async (knex: Knex, id: string, at: Date): Promise<void> => {
  await mails(knex).where({ mail_id: id }).update({ told_at: at })
}
