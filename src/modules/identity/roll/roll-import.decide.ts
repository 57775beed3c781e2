import { refuse } from '../refusals'
import { valuesOf, type ChildValues, type RollChild, type RollPlan } from './roll-plan.decide'

/** By the number of a matched row: the child that it is, or that it is a new one. */
export type Decisions = Readonly<Record<string, number | 'new'>>

/** What applying writes. `leftOut`: matched rows on which nobody has decided. */
export type RollChanges = {
  added: ChildValues[]
  changed: { child: RollChild; values: ChildValues }[]
  leaving: RollChild[]
  leftOut: number
}

/** A plan as text, which tells it from another: what it would do, and to which children as they are. */
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

/** Throws `roll_changed` for a plan that is not the one which was shown. */
export const decideAsPreviewed = (shown: string, now: string): void => {
  if (now === shown) return
  throw refuse(
    'roll_changed',
    'The roll was changed since. Upload the file again to see what it would do now.',
  )
}

/** More than a tenth of the school does not leave by a slip: throws `confirm_leaving`. */
export const decideLeaving = (
  { leaving, size }: RollPlan,
  asked: { remove: boolean; confirm?: number | undefined },
) => {
  if (!asked.remove || leaving.length * 10 <= size || asked.confirm === leaving.length) return
  const message = `${leaving.length} of ${size} children would leave: confirm that number`
  throw refuse('confirm_leaving', message, { extra: { leaving: leaving.length, roll: size } })
}

/** What the plan does with these decisions; throws `decision_wrong` for one that no matched row asks for. */
export const changesOf = (
  plan: RollPlan,
  { remove, decisions }: { remove: boolean; decisions: Decisions },
): RollChanges => {
  const changes: RollChanges = { added: [], changed: [], leaving: remove ? plan.leaving : [], leftOut: 0 }
  const open = new Set(Object.keys(decisions))
  const chosen = new Set<number>()
  for (const { line, state, child, candidates } of plan.rows) {
    if (state === 'new') changes.added.push(valuesOf(line, false))
    if (state === 'changed')
      changes.changed.push({ child: child!, values: valuesOf(line, child!.userId !== null) })
    if (state !== 'matched') continue
    const decision = decisions[String(line.row)]
    open.delete(String(line.row))
    if (decision === undefined) changes.leftOut += 1
    else if (decision === 'new') changes.added.push(valuesOf(line, false))
    else {
      const found = candidates.find(({ id }) => id === decision)
      if (!found || chosen.has(found.id)) throw decisionWrong(line.row)
      chosen.add(found.id)
      changes.changed.push({ child: found, values: valuesOf(line, found.userId !== null) })
    }
  }
  const [unasked] = open
  if (unasked !== undefined) throw decisionWrong(Number(unasked))
  return changes
}

const decisionWrong = (row: number) =>
  refuse('decision_wrong', `Row ${row} cannot be that child`, { extra: { row } })
