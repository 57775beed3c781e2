import type { Knex } from 'knex'
import type { RollRow } from '#contracts/roll-import'
import { rollImportRows } from './roll-imports.rows'
import { isOnRoll, valuesOf, type ChildValues, type PlannedRow, type RollChild } from './roll-plan.decide'

/** Planned rows as the office sees them. */
export const shownRows = async (knex: Knex, planned: readonly PlannedRow[]): Promise<RollRow[]> => {
  const met = planned.flatMap(({ child, candidates }) => [...(child ? [child] : []), ...candidates])
  const shown = new Map((await shownChildren(knex, met)).map((child) => [child.id, child]))
  return planned.map(({ line, state, child, candidates }) => {
    const { name: student, ...values } = valuesShown({ ...child, ...valuesOf(line, false) })
    return {
      row: line.row,
      state,
      student,
      ...values,
      before: child && shown.get(child.id)!,
      candidates: candidates.map(({ id }) => shown.get(id)!),
    }
  })
}

/** Children with the names of the accounts that have them. */
export const shownChildren = async (
  knex: Knex,
  children: readonly RollChild[],
): Promise<RollRow['candidates']> => {
  const names = await rollImportRows(knex).namesOf(children.flatMap((child) => child.userId ?? []))
  return children.map((child) => {
    const parent = child.userId === null ? null : (names.get(child.userId) ?? null)
    return { id: child.id, ...valuesShown(child), parent, onRoll: isOnRoll(child) }
  })
}

const valuesShown = ({
  name,
  grade,
  class: of = null,
  admissionNumber = null,
  guardianName: guardian = null,
  guardianEmail: email = null,
  guardianPhone: phone = null,
}: ChildValues) => ({ name, grade, class: of, admissionNumber, guardian, email, phone })
