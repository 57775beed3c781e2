import { refuse } from '../refusals'
import { numberKey } from './roll-file.decide'
import { valuesFor, valuesOf, type ChildValues, type RollChild, type RollPlan } from './roll-plan.decide'

export type Decisions = Readonly<Record<string, number | 'new'>>

/** `leftOut`: undecided rows. */
export type RollChanges = {
  added: ChildValues[]
  changed: { child: RollChild; values: ChildValues }[]
  leaving: RollChild[]
  leftOut: number
}

/** Text that identifies a plan with the children's present state. */
export const planTold = ({ rows, leaving }: RollPlan): string => {
  return JSON.stringify([
    rows.map(({ line, state, child, candidates }) => [
      line.row,
      state,
      child,
      candidates.map(({ id }) => id),
    ]),
    leaving.map(({ id }) => id),
  ])
}

/** Throws `roll_changed` for another plan. */
export const decideAsPreviewed = (shown: string, now: string): void => {
  if (now === shown) return
  throw refuse(
    'roll_changed',
    'The roll was changed since. Upload the file again to see what it would do now.',
  )
}

/** Throws `confirm_leaving` above a tenth of the school. */
export const decideLeaving = (
  { leaving, size }: RollPlan,
  asked: { remove: boolean; confirm?: number | undefined },
) => {
  if (!asked.remove || leaving.length * 10 <= size || asked.confirm === leaving.length) return
  const message = `${leaving.length} of ${size} children would leave: confirm that number`
  throw refuse('confirm_leaving', message, { extra: { leaving: leaving.length, roll: size } })
}

/** Throws `decision_wrong` for a decision nobody asked for. */
export const changesOf = (
  plan: RollPlan,
  { remove, decisions }: { remove: boolean; decisions: Decisions },
): RollChanges => {
  const changes: RollChanges = { added: [], changed: [], leaving: remove ? plan.leaving : [], leftOut: 0 }
  const open = new Set(Object.keys(decisions))
  const chosen = new Set<number>()
  for (const { line, state, child, candidates } of plan.rows) {
    if (state === 'new') changes.added.push(valuesOf(line, false))
    if (state === 'changed') changes.changed.push({ child: child!, values: valuesFor(line, child!) })
    if (state !== 'matched') continue
    const decision = decisions[String(line.row)]
    open.delete(String(line.row))
    if (decision === undefined) changes.leftOut += 1
    else if (decision === 'new') changes.added.push(valuesOf(line, false))
    else {
      const found = candidates.find(({ id }) => id === decision)
      if (!found || chosen.has(found.id)) throw decisionWrong(line.row)
      chosen.add(found.id)
      changes.changed.push({ child: found, values: valuesFor(line, found) })
    }
  }
  freeNumbers(plan, changes)
  const [unasked] = open
  if (unasked !== undefined) throw decisionWrong(Number(unasked))
  return changes
}

/** A reassigned number leaves its previous child. */
const freeNumbers = ({ rows }: RollPlan, changes: RollChanges): void => {
  const given = new Set(
    [...changes.added, ...changes.changed.map(({ values }) => values)].flatMap(({ admissionNumber }) =>
      admissionNumber ? numberKey(admissionNumber) : [],
    ),
  )
  const changed = new Set(changes.changed.map(({ child }) => child.id))
  for (const { candidates } of rows)
    for (const child of candidates) {
      const { id, name, grade, admissionNumber } = child
      if (admissionNumber === null || changed.has(id) || !given.has(numberKey(admissionNumber))) continue
      changed.add(id)
      changes.changed.push({ child, values: { name, grade, admissionNumber: null } })
    }
}

const decisionWrong = (row: number) =>
  refuse('decision_wrong', `Row ${row} cannot be that child`, { extra: { row } })
