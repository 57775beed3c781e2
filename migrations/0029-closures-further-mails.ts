import type { Knex } from 'knex'

/** Which mail of a family names an order, counted from 1, so that what slipped in after a mail gets one of its own. */
export const up = async (knex: Knex): Promise<void> => {
  const closures = () => knex.schema.withSchema('closures')
  await closures().alterTable('told', (table) => {
    table.integer('mail').notNullable().defaultTo(1)
    table.dropPrimary()
    table.primary(['closure_id', 'about', 'user_id', 'mail'])
  })
  await closures().alterTable('orders', (table) => {
    // Null: no mail names it yet.
    table.integer('closing_mail')
    table.integer('undoing_mail')
  })
  for (const [about, became] of [
    ['closing', 'cancelled'],
    ['undoing', 'restored'],
  ])
    await knex.raw(
      `update closures.orders o set ${about}_mail = 1 from closures.told t
       where t.closure_id = o.closure_id and t.user_id = o.user_id and t.about = ? and o.${about} = ?`,
      [about!, became!],
    )
}
