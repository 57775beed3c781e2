import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import { allergenNames } from '#contracts/allergens'
import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import {
  getHealth,
  saveAllergens,
  saveHealth,
  type Health,
  type Diet,
  familyMealMarks,
  mealMarks,
} from '#contracts/health'
import type { UserMessage } from '#kernel/meal-line'
import { accountNamed } from '#platform/changes'
import type { Reader } from '#platform/database'
import type { By } from '#platform/event-store/command-handler'
import {
  route,
  buyersOrFeature,
  withFeature,
  type Principal,
  onlyRoles,
  type Route,
} from '#platform/http/route'
import { refuseChanged, withVersion } from '#platform/versions'
import type { IdentityNeeds } from '../ports'
import { refuse } from '../refusals'
import { guardiansOf, guardianship } from '../students/guardians.rows'
import { joinedHealth, type Student } from '../students/student.decide'
import { studentRows } from '../students/students.rows'
import { type Account, someFamily } from '../users/account.decide'
import { recordAccountChange, userRows } from '../users/users.rows'

const guardiansAndOffice = buyersOrFeature('parents_students')

export const healthRoutes = (commands: ReturnType<typeof healthCommands>) => [
  route(getHealth, guardiansAndOffice, ({ params, user, by }) =>
    commands.readHealth(params.id, { user, by }),
  ),

  route(saveHealth, guardiansAndOffice, ({ params, body, user, by }) =>
    commands.saveHealth(params.id, body, { user, by }),
  ),

  route(saveAllergens, withFeature('settings'), ({ body, by }) => commands.saveAllergens(body, by)),
]

type Asker = { user: Pick<Principal, 'userId' | 'role'>; by: By }

/** For guardians and office (families.md section 3). Contents go nowhere else; office reads and all changes are in the history. */
export const healthCommands = (needs: IdentityNeeds) => {
  const { knex } = needs.database

  const note = (transaction: Knex.Transaction, id: number, by: By, what: 'read' | 'changed') =>
    recordAccountChange(transaction, needs, by, `Health record of student ${id} ${what}`, {
      old: null,
      new: null,
      ...(what === 'changed' && { record: healthRecord(id) }),
    })

  return {
    readHealth: (given: number, { user, by }: Asker): Promise<ShownHealth> =>
      knex.transaction(async (transaction) => {
        const { id } = await knownStudent(transaction, given, user)
        if (user.role === 'admin') await note(transaction, id, by, 'read')
        return shownHealth(id, await readHealth(transaction, id))
      }),

    saveHealth: async (
      given: number,
      { allergies, version, ...form }: BodyOf<typeof saveHealth>,
      { user, by }: Asker,
    ): Promise<ShownHealth> =>
      needs.messaging.withMail(async (transaction, post) => {
        const { id, name } = await knownStudent(transaction, given, user)
        const declared = await needs.catalogue.writtenAllergies(transaction, allergies)
        const { updatedAt, ...before } = await readHealth(transaction, id)
        const yours = { ...form, allergies: declared }
        await refuseChanged(transaction, { record: healthRecord(id), version, now: before, yours })
        if (updatedAt !== null && isDeepStrictEqual(yours, before))
          return shownHealth(id, { ...before, updatedAt })
        await writeHealth(transaction, id, { ...yours, updatedAt: needs.now() })
        await note(transaction, id, by, 'changed')
        const tell = needs.messaging.postMessage(transaction, post)
        for (const guardian of await otherGuardians(transaction, id, user.userId))
          await tell(guardian, changedMail(name, user.role))
        return shownHealth(id, await readHealth(transaction, id))
      }),

    saveAllergens: (list: BodyOf<typeof saveAllergens>, by: By): Promise<ReplyOf<typeof saveAllergens>> =>
      needs.catalogue.saveAllergens(list, declaredAllergens, by),
  }
}

type ShownHealth = ReplyOf<typeof getHealth>

export const healthRecord = (studentId: number): string => `health:${studentId}`

const shownHealth = (studentId: number, { updatedAt, ...said }: Health): ShownHealth => ({
  ...withVersion(healthRecord(studentId), said),
  updatedAt,
})

/** Throws unless the caller is guardian or office. */
const knownStudent = async (
  transaction: Knex.Transaction,
  id: number,
  { role, userId }: Asker['user'],
): Promise<Student> => {
  const student = await studentRows(transaction).hold(id)
  const { isGuardianOf } = guardianship(transaction)
  if (!student || (role !== 'admin' && !(await isGuardianOf(userId, student.id))))
    throw refuse('student_not_found', 'Student not found')
  return student
}

const otherGuardians = async (
  transaction: Knex.Transaction,
  studentId: number,
  userId: number,
): Promise<Account[]> => {
  const guardians = (await guardiansOf(transaction, [studentId])).get(studentId) ?? []
  const accounts = await userRows(transaction).byIds(guardians.filter((one) => one !== userId))
  return [...accounts.values()]
}

/** Names no allergen: others read mails too. */
export const changedMail = (name: string, role: Account['role']): UserMessage => {
  const who = role === 'admin' ? 'The school office' : 'Another guardian'
  const look = 'Please log in and check that it is right.'
  return {
    subject: 'What the kitchen knows of your child was changed',
    text: `${who} has changed the allergies, the diet or the note of ${name}. ${look}`,
    bareText: `${who} has changed what the kitchen knows of a child of yours. ${look}`,
  }
}

type HealthRow = Omit<Health, 'updatedAt'> & { studentId: number; updatedAt: Date }

const columns = ['allergies', 'diet', 'medicalNote', 'noteConsent', 'updatedAt'] as const

const health = (knex: Knex) => knex<HealthRow>('identity.student_health')

const undeclared: Health = {
  allergies: null,
  diet: 'none',
  medicalNote: '',
  noteConsent: false,
  updatedAt: null,
}

const readHealth = async (knex: Knex, studentId: number): Promise<Health> => {
  const row = await health(knex)
    .where({ studentId })
    .first(...columns)
  return row ? { ...row, updatedAt: row.updatedAt.toISOString() } : undeclared
}

const writeHealth = async (
  transaction: Knex.Transaction,
  studentId: number,
  { updatedAt, ...record }: Omit<Health, 'updatedAt'> & { updatedAt: Date },
): Promise<void> => {
  const row = { ...record, updatedAt }
  await health(transaction)
    .insert({ studentId, ...row })
    .onConflict('studentId')
    .merge(row)
}

/** The other record wins; allergies are united. */
export const joinHealth = async (
  transaction: Knex.Transaction,
  { id, intoId }: { id: number; intoId: number },
): Promise<void> => {
  const [from, into] = await Promise.all(
    [id, intoId].map((studentId) => health(transaction).where({ studentId }).first()),
  )
  if (!from) return
  await health(transaction).where({ studentId: id }).delete()
  if (!into) return health(transaction).insert({ ...from, studentId: intoId })
  await health(transaction).where({ studentId: intoId }).update(joinedHealth(into, from))
}

/** Health data visible to staff; read at display time, never copied. */
type KnownHealth = {
  /** Null: not declared. Empty: none. */
  allergies: string[] | null
  diet: Diet
  /** Null without consent or without a note. */
  medicalNote: string | null
}

/** Undeclared records stand for missing ones. Never store it in events, tables, logs or mails (families.md section 3). */
export const healthOf =
  (reader: Reader) =>
  async (studentIds: readonly number[]): Promise<Map<number, KnownHealth>> => {
    // Merged children's orders keep their own number.
    const { rows } = await reader.query<Omit<HealthRow, 'updatedAt'> & { id: number }>({
      name: 'identity-health-of',
      text: `select child.id, allergies, diet, "medicalNote", "noteConsent"
             from identity.student_health
             join identity.students child on "studentId" = coalesce(child."mergedInto", child.id)
             where child.id = any($1::int[])`,
      values: [[...studentIds]],
    })
    const declared = new Map(rows.map((row) => [row.id, row]))
    return new Map(
      studentIds.map((id) => {
        const { allergies, diet, medicalNote, noteConsent } = declared.get(id) ?? undeclared
        return [id, { allergies, diet, medicalNote: noteConsent && medicalNote ? medicalNote : null }]
      }),
    )
  }

const declaredAllergens = async (knex: Knex): Promise<string[]> => {
  const rows: { name: string }[] = await knex('identity.student_health').distinct(
    knex.raw('unnest(allergies) as name'),
  )
  return rows.map(({ name }) => name)
}

type StudentsOf = (userId: number) => Promise<readonly { id: number }[]>

export const mealMarkRoutes = (needs: IdentityNeeds, studentsOf: StudentsOf): Route[] => [
  route(mealMarks, onlyRoles('parent', 'teacher'), async ({ user }) =>
    marksOf(needs, await studentsOf(user.userId)),
  ),

  route(familyMealMarks, withFeature('parents_students'), async ({ params: { id }, by }) => {
    const { knex } = needs.database
    someFamily(await userRows(knex).byId(id))
    await knex.transaction((transaction) =>
      recordAccountChange(
        transaction,
        needs,
        by,
        `Allergies and diets of the family of ${accountNamed(id)} read`,
      ),
    )
    return marksOf(needs, await studentsOf(id))
  }),
]

const marksOf = async (
  { catalogue, database }: IdentityNeeds,
  students: readonly { id: number }[],
): Promise<ReplyOf<typeof mealMarks>> => {
  const [rule, health] = await Promise.all([
    catalogue.allergyRule(),
    healthOf(database.pool)(students.map(({ id }) => id)),
  ])
  const marked = students.map(({ id }) => {
    const { allergies = null, diet = 'none' } = health.get(id) ?? {}
    return { studentId: id, allergies: allergies && allergenNames(allergies), diet }
  })
  return { rule, students: marked }
}
