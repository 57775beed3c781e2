import type { Knex } from 'knex'
import type { Diet } from '#contracts/eating'
import type { Health } from '#contracts/health'
import { joinedHealth } from './health.decide'

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
export const readHealth = async (knex: Knex, studentId: number): Promise<Health> => {
  const row = await health(knex)
    .where({ studentId })
    .first(...columns)
  return row ? { ...row, updatedAt: row.updatedAt.toISOString() } : undeclared
}

export const writeHealth = async (
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
  (knex: Knex) =>
  async (studentIds: readonly number[]): Promise<Map<number, KnownHealth>> => {
    // A merged child's orders carry its own number; its record is that of the child it was merged into.
    const rows: (HealthRow & { id: number })[] = await health(knex)
      .join('identity.students as child', (join) =>
        join.on('studentId', knex.raw('coalesce(child."mergedInto", child.id)')),
      )
      .whereRaw('child.id = any(?::int[])', [[...studentIds]])
      .select('child.id', ...columns)
    const declared = new Map(rows.map((row) => [row.id, row]))
    return new Map(
      studentIds.map((id) => {
        const { allergies, diet, medicalNote, noteConsent } = declared.get(id) ?? undeclared
        return [id, { allergies, diet, medicalNote: noteConsent && medicalNote ? medicalNote : null }]
      }),
    )
  }
