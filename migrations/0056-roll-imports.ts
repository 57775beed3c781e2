import type { Knex } from 'knex'

/**
 * Lists of the school that were uploaded, and the codes by which families come to their children. `file`: the rows as they were
 * read; `plan`: what was shown of them; `done`: what applying did, so that it can be put back. A code stands here as
 * a hash alone, on each child of its family.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('identity').createTable('roll_imports', (table) => {
    table.uuid('id').primary()
    table.timestamp('createdAt').notNullable()
    table.jsonb('file').notNullable()
    table.text('plan').notNullable()
    table.timestamp('appliedAt')
    table.jsonb('done')
    table.timestamp('undoneAt')
    table.check('("appliedAt" is null) = (done is null)', {}, 'roll_imports_done_when_applied')
  })
  await knex.schema.withSchema('identity').createTable('claim_codes', (table) => {
    table.integer('studentId').primary().references('id').inTable('identity.students').onDelete('CASCADE')
    table.text('hash').notNullable().index('claim_codes_by_hash')
    table.timestamp('expiresAt').notNullable()
  })
}
