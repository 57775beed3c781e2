import type { Knex } from 'knex'

/** Accounts and the children of parents, mails that are to be sent, and whom parents can write to. */
export const up = async (knex: Knex): Promise<void> => {
  const identity = () => knex.schema.withSchema('identity')
  await knex.schema.createSchema('identity')

  /**
   * `usernameKey` is the username as accounts are told apart by it (no case, one Unicode form); lower() would follow
   * the database's locale and leave É and é two users where that locale is C. A deleted account stays as a username,
   * so that the books can still name who ordered.
   */
  await identity().createTable('users', (table) => {
    // An identity column, here and in the other schemas: knex's increments would be a serial, which takes any number
    // that an insert brings along.
    table.specificType('id', 'integer generated always as identity primary key')
    table.text('username').notNullable()
    table.text('usernameKey').notNullable().unique({ indexName: 'users_username_unique' })
    table.text('name').notNullable()
    table.text('email')
    table.text('phone')
    table.text('role').notNullable().checkIn(['parent', 'teacher', 'admin'])
    table.specificType('features', 'text[]').notNullable().defaultTo('{}')
    table.boolean('isSuperadmin').notNullable().defaultTo(false)
    table.text('passwordHash')
    table.text('temporaryHash')
    table.timestamp('temporaryExpiresAt')
    table.boolean('mustChangePassword').notNullable().defaultTo(false)
    table.timestamp('emailVerifiedAt')
    table.timestamp('createdAt').notNullable()
    table.timestamp('deletedAt')
    table.check('("temporaryHash" is null) = ("temporaryExpiresAt" is null)')
    table.check('"passwordHash" is not null or "mustChangePassword"')
    table.check(`role = 'admin' or (features = '{}' and not "isSuperadmin")`)
    table.index([knex.raw('lower(email)')], 'users_email')
    table.unique(['isSuperadmin'], {
      indexName: 'users_one_superadmin',
      predicate: knex.whereRaw('"isSuperadmin"'),
    })
    table.index(['temporaryExpiresAt'], 'users_temporary', {
      predicate: knex.whereNotNull('temporaryExpiresAt'),
    })
  })

  await identity().createTable('students', (table) => {
    table.specificType('id', 'integer generated always as identity primary key')
    table.integer('userId').notNullable().references('id').inTable('identity.users').index('students_of_user')
    table.text('name').notNullable()
    table.text('grade').notNullable()
    table.unique(['userId'], {
      indexName: 'students_one_staff_entry',
      predicate: knex.whereRaw(`grade = 'teacher'`),
    })
  })

  await identity().createTable('mail_outbox', (table) => {
    table.uuid('id').primary()
    table.text('to').notNullable()
    table.text('replyTo')
    table.text('subject').notNullable()
    table.text('text').notNullable()
    table.integer('attempts').notNullable().defaultTo(0)
    table.timestamp('createdAt').notNullable()
    table.timestamp('dueAt').notNullable()
    table.timestamp('sentAt')
    table.timestamp('givenUpAt')
    table.index(['dueAt'], 'mail_outbox_due', {
      predicate: knex.whereRaw('"sentAt" is null and "givenUpAt" is null'),
    })
    // What tells that a mail is old: finding it is to cost the same however many there are.
    table.index([knex.raw('coalesce("sentAt", "givenUpAt")')], 'mail_outbox_ended', {
      predicate: knex.whereRaw('coalesce("sentAt", "givenUpAt") is not null'),
    })
    table.index(['givenUpAt'], 'mail_outbox_given_up', { predicate: knex.whereNotNull('givenUpAt') })
  })

  /** Who asked for a temporary password and has not been answered yet. */
  await identity().createTable('reset_requests', (table) => {
    table.uuid('id').primary()
    table.text('identifier').notNullable()
    table.timestamp('dueAt').notNullable().index('reset_requests_due')
    table.timestamp('askedAt').notNullable().defaultTo(knex.fn.now())
  })

  /** One row. */
  await identity().createTable('communication', (table) => {
    table.boolean('id').primary().defaultTo(true)
    table.text('supportEmail').notNullable()
    table.text('whatsappNumber').notNullable()
    table.check('id')
  })
  await knex('identity.communication').insert({ supportEmail: '', whatsappNumber: '' })
}
