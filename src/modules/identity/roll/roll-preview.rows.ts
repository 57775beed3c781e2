import type { Knex } from 'knex'
import type { RollRow } from '#contracts/roll-import'
import { rollImportRows } from './roll-imports.rows'
import type { PlannedRow, RollChild } from './roll-plan.decide'

/** Planned rows as the office sees them, with the names of the accounts that have their children. */
export const shownRows = async (knex: Knex, planned: readonly PlannedRow[]): Promise<RollRow[]> => {
  const met = planned.flatMap(({ child, candidates }) => [child, ...candidates])
  const names = await rollImportRows(knex).namesOf(met.flatMap((child) => child?.userId ?? []))
  const shown = ({ id, userId, name, grade, class: of, admissionNumber }: RollChild) => {
    const parent = userId === null ? null : (names.get(userId) ?? null)
    return { id, name, grade, class: of, admissionNumber, parent }
  }
  return planned.map(({ line, state, child, candidates }) => ({
    row: line.row,
    state,
    admissionNumber: line.admissionNumber,
    student: line.name,
    grade: line.grade,
    class: line.class ?? null,
    guardian: line.guardian ?? null,
    email: line.email ?? null,
    phone: line.phone ?? null,
    before: child && shown(child),
    candidates: candidates.map(shown),
  }))
}
