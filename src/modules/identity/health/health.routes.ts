import { getHealth, saveAllergens, saveHealth, type Health, type Diet } from '#contracts/health'
import { route, buyersOrFeature, withFeature, type Principal } from '#platform/http/route'
import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import type { BodyOf } from '#contracts/endpoint'
import type { Reader } from '#platform/database'
import type { By } from '#platform/event-store/command-handler'
import { recordAccountChange } from '../accounts/account-changes.rows'
import type { IdentityNeeds } from '../needs'
import { refuse } from '../refusals'
import { guardianship } from '../students/guardians.rows'
import { studentRows } from '../students/students.rows'
import { joinedHealth } from './health.decide'

const guardiansAndOffice = buyersOrFeature('parents_students')

export const healthRoutes = (commands: ReturnType<typeof healthCommands>) => [
  route(getHealth, guardiansAndOffice, ({ params, user, by }) =>
    commands.readHealth(params.id, { user, by }),
  ),

  route(saveHealth, guardiansAndOffice, ({ params, body, user, by }) =>
    commands.saveHealth(params.id, body, { user, by }),
  ),

  route(saveAllergens, withFeature('settings'), async ({ body, by }) => ({
    allergens: await commands.saveAllergens(body.allergens, by),
  })),
]

type Asker = { user: Pick<Principal, 'userId' | 'role'>; by: By }

/**
 * A student's health record, for its guardians and the office (families.md section 3). What it says goes nowhere else;
 * that the office looked at it, and that anybody changed it, stands in the history.
 */
export const healthCommands = (needs: IdentityNeeds) => {
  const { knex } = needs.database

  const note = (transaction: Knex.Transaction, id: number, by: By, what: 'read' | 'changed') =>
    recordAccountChange(transaction, needs, by, `Health record of student ${id} ${what}`)

  return {
    readHealth: (given: number, { user, by }: Asker): Promise<Health> =>
      knex.transaction(async (transaction) => {
        const id = await knownStudent(transaction, given, user)
        if (user.role === 'admin') await note(transaction, id, by, 'read')
        return readHealth(transaction, id)
      }),

    saveHealth: async (
      given: number,
      { allergies, ...form }: BodyOf<typeof saveHealth>,
      { user, by }: Asker,
    ): Promise<Health> =>
      knex.transaction(async (transaction) => {
        const id = await knownStudent(transaction, given, user)
        const declared = await needs.catalogue.writtenAllergies(transaction, allergies)
        const { updatedAt, ...before } = await readHealth(transaction, id)
        const record = { ...form, allergies: declared }
        if (updatedAt !== null && isDeepStrictEqual(record, before)) return { ...before, updatedAt }
        await writeHealth(transaction, id, { ...record, updatedAt: needs.now() })
        await note(transaction, id, by, 'changed')
        return readHealth(transaction, id)
      }),

    /** The school's list: what a child is allergic to stays on it. */
    saveAllergens: (wanted: readonly string[], by: By): Promise<string[]> =>
      needs.catalogue.saveAllergens(wanted, declaredAllergens, by),
  }
}

/** The number of the student whose record it is; throws unless the asker is a guardian or the office. */
const knownStudent = async (
  transaction: Knex.Transaction,
  id: number,
  { role, userId }: Asker['user'],
): Promise<number> => {
  const student = await studentRows(transaction).hold(id)
  const { isGuardianOf } = guardianship(transaction)
  if (!student || (role !== 'admin' && !(await isGuardianOf(userId, student.id))))
    throw refuse('student_not_found', 'Student not found')
  return student.id
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

/** The record of one student, also where nothing was declared. */
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

/**
 * The record of a child that was merged into another becomes the other's: whatever either must not eat counts, the rest is the
 * other's where it says anything.
 */
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

/** What others than its guardians and the office may know of a student, at the moment they show it. */
export type KnownHealth = {
  /** Null: not declared. Empty: none. */
  allergies: string[] | null
  diet: Diet
  /** Null without the family's consent, or without a note. */
  medicalNote: string | null
}

/**
 * Of every one of these students, with an undeclared one where nothing was declared. Keep it nowhere: not in events,
 * tables, logs or mails (families.md section 3).
 */
export const healthOf =
  (reader: Reader) =>
  async (studentIds: readonly number[]): Promise<Map<number, KnownHealth>> => {
    // A merged child's orders carry its own number; its record is that of the child it was merged into.
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

/** What children are declared to be allergic to, each spelling once; never whose it is. */
const declaredAllergens = async (knex: Knex): Promise<string[]> => {
  const rows: { name: string }[] = await knex('identity.student_health').distinct(
    knex.raw('unnest(allergies) as name'),
  )
  return rows.map(({ name }) => name)
}
