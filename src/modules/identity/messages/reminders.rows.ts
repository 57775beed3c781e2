import type { Knex } from 'knex'

export type Reminded = { userId: number; studentIds: number[] }

/** By id after `afterUserId`, at most `atMost`; with a child at the school. */
export const toRemind =
  (knex: Knex) =>
  async (afterUserId: number, atMost: number): Promise<Reminded[]> => {
    const { rows } = await knex.raw<{ rows: Reminded[] }>(
      `select account.id as "userId", array_agg(child.id order by child.id) as "studentIds"
       from identity.users account
       join identity.students child on child."userId" = account.id or coalesce(child."mergedInto", child.id) in
         (select "studentId" from identity.guardians where "userId" = account.id)
       where account.id > ? and account.role = 'parent' and account.reminders
         and account."deletedAt" is null and account."disabledAt" is null and child.grade <> 'teacher'
       group by account.id
       having bool_or(child."leftAt" is null and child."mergedInto" is null)
       order by account.id limit ?`,
      [afterUserId, atMost],
    )
    return rows
  }
