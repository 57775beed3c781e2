import type { Knex } from 'knex'
import type { Guardian } from '#contracts/accounts'
import type { Reader } from '#platform/database'

export type SecondGuardian = { studentId: number; userId: number; since: Date }

/**
 * SQL: the ids of all entries that account `userId` (an expression or a parameter) is a guardian of, with every alias
 * (docs/decisions/0031). A set of ids instead of `or`, for which Postgres would read every child of the school.
 */
export const entriesOf = (userId: string): string =>
  `select own.id from identity.students own where own."userId" = ${userId}
   union all select second."studentId" from identity.guardians second where second."userId" = ${userId}
   union all select alias.id from identity.guardians second
     join identity.students alias on alias."mergedInto" = second."studentId" where second."userId" = ${userId}`

export const guardianRows = (knex: Knex) => {
  const guardians = () => knex<SecondGuardian>('identity.guardians')
  return {
    ofStudent: (studentId: number): Promise<SecondGuardian[]> =>
      guardians().where({ studentId }).orderBy(['since', 'userId']),

    namedOf: async (studentId: number): Promise<Guardian[]> => {
      const { rows } = await knex.raw<{ rows: Guardian[] }>(
        `select u.id as "userId", u.name, whose.first from (
           select "userId", true as first, null as since from identity.students where id = :studentId
           union all
           select "userId", false, since from identity.guardians where "studentId" = :studentId) whose
         join identity.users u on u.id = whose."userId"
         order by whose.first desc, whose.since, u.id`,
        { studentId },
      )
      return rows
    },

    namesOfShared: (studentIds: readonly number[]): Promise<string[]> =>
      knex('identity.students as child')
        .whereIn('child.id', [...studentIds])
        .whereIn('child.id', guardians().select('studentId'))
        .orderBy('child.id')
        .pluck('child.name'),

    add: async (guardian: SecondGuardian): Promise<void> => {
      await guardians().insert(guardian).onConflict().ignore()
    },

    remove: async (studentId: number, userId: number): Promise<boolean> =>
      (await guardians().where({ studentId, userId }).delete()) > 0,

    /** Except `firstId`, who is the first guardian. */
    moveTo: async (studentId: number, intoId: number, firstId: number | null): Promise<void> => {
      const moved = await guardians().where({ studentId }).delete().returning(['userId', 'since'])
      for (const { userId, since } of moved)
        await guardians().insert({ studentId: intoId, userId, since }).onConflict().ignore()
      if (firstId !== null) await guardians().where({ studentId: intoId, userId: firstId }).delete()
    },

    removeOfUser: async (userId: number): Promise<void> => {
      await guardians().where({ userId }).delete()
    },
  }
}

/** Oldest entry first, with all guardians. */
export const familyChildren = async (
  at: Reader,
  userId: number,
): Promise<{ id: number; name: string; grade: string; guardians: Guardian[] }[]> => {
  const { rows } = await at.query<{ id: number; name: string; grade: string; guardians: Guardian[] }>(
    `select child.id, child.name, child.grade, (
       select json_agg(json_build_object('userId', u.id, 'name', u.name, 'first', u.id = child."userId")
                order by u.id = child."userId" desc, u.id)
       from identity.users u where u.id in (select child."userId" union all
         select second."userId" from identity.guardians second where second."studentId" = child.id)) as guardians
     from identity.students child
     where child."mergedInto" is null and child.id in (${entriesOf('$1')})
     order by child.id`,
    [userId],
  )
  return rows
}

export const guardianship = (knex: Knex) => ({
  /** First or second guardian, with every alias (docs/decisions/0031), departed children and the own staff entry included. */
  childrenOf: (userId: number): Promise<number[]> =>
    knex('identity.students')
      .whereRaw(`id in (${entriesOf(':userId')})`, { userId })
      .orderBy('id')
      .pluck('id'),

  isGuardianOf: async (userId: number, studentId: number): Promise<boolean> => {
    const { rows } = await knex.raw<{ rows: unknown[] }>(
      `select from identity.students child where child.id = ? and (child."userId" = ? or exists (
         select from identity.guardians second
         where second."studentId" = coalesce(child."mergedInto", child.id) and second."userId" = ?))`,
      [studentId, userId, userId],
    )
    return rows.length > 0
  },
})

/** First guardian first, by alias; unclaimed students are left out. */
export const guardiansOf = async (
  knex: Knex,
  studentIds: readonly number[],
): Promise<Map<number, number[]>> => {
  const { rows } = await knex.raw<{ rows: { studentId: number; userId: number }[] }>(
    `select child.id as "studentId", guardian."userId" from identity.students child
     cross join lateral (
       select child."userId", 0 as place where child."userId" is not null
       union all
       select second."userId", 1 from identity.guardians second
       where second."studentId" = coalesce(child."mergedInto", child.id)) guardian
     where child.id = any(?::int[]) order by child.id, guardian.place, guardian."userId"`,
    [[...studentIds]],
  )
  const guardians = new Map<number, number[]>()
  for (const { studentId, userId } of rows)
    guardians.set(studentId, [...(guardians.get(studentId) ?? []), userId])
  return guardians
}
