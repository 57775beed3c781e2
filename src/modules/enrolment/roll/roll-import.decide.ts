import type { Discount } from '#kernel/money'
import { staffGrade, type Student, type RollChild } from '#modules/identity/published'
import type { BursarySet } from '#modules/ordering/index'
import { refuse } from '../refusals'
import { numberKey, type RollLine } from './roll-file.decide'
import { valuesFor, valuesOf, type ChildValues, type PlannedRow, type RollPlan } from './roll-plan.decide'

/** The roll drops guardian data once an account has the child. */
export const withoutRollGuardian = { guardianName: null, guardianEmail: null, guardianPhone: null }

export const decideChild = <Child extends Student>(student: Child | undefined): Child => {
  if (!student) throw refuse('student_not_found', 'Student not found')
  if (student.grade === staffGrade)
    throw refuse('staff_account', 'A staff account cannot be edited or deleted')
  return student
}

export const decideTwins = (id: number, intoId: number): void => {
  if (id === intoId) throw refuse('same_student', 'This is the same child. Choose another')
}

/** A meal in payment belongs to its payer. */
export const decideNothingInPayment = (mealsInPayment: number): void => {
  if (mealsInPayment === 0) return
  const meals = mealsInPayment === 1 ? 'A meal is' : `${mealsInPayment} meals are`
  throw refuse('meals_in_payment', `${meals} being paid for. Please try again when that is done.`, {
    extra: { mealsInPayment },
  })
}

export const decideNoSameDate = (dates: readonly string[]): void => {
  if (dates.length === 0) return
  const message = `Both have a lunch on ${dates.slice(0, 3).join(', ')}${dates.length > 3 ? ' and more dates' : ''}: cancel one of them first`
  throw refuse('same_date', message, { extra: { dates } })
}

export const joined = <Row extends Record<string, unknown>>(
  into: Row,
  from: Row,
  keys: readonly (keyof Row & string)[],
): Partial<Row> => Object.fromEntries(keys.map((key) => [key, into[key] ?? from[key]])) as Partial<Row>

export type TouchedChild = {
  id: number
  before: RollChild | null
  after: RollChild
  bursary?: BursarySet
}

const undoMs = 7 * 24 * 60 * 60 * 1000

export const undoUntil = (appliedAt: Date): Date => new Date(appliedAt.getTime() + undoMs)

/** Throws `import_not_found`, or `undo_too_late` also when done before. */
export const decideUndo = <Applied extends { appliedAt: Date | null; undoneAt: Date | null }>(
  found: Applied | undefined,
  at: Date,
): Applied => {
  if (!found?.appliedAt) throw refuse('import_not_found', 'Import not found')
  if (found.undoneAt) throw refuse('undo_too_late', 'This import has already been undone')
  if (at > undoUntil(found.appliedAt)) throw refuse('undo_too_late', 'An import can be undone for 7 days')
  return found
}

/** Throws `ordered_since`. */
export const decideNothingOrdered = (students: readonly { id: number; name: string }[]): void => {
  if (students.length === 0) return
  const names = students
    .slice(0, 3)
    .map(({ name }) => name)
    .join(', ')
  const more = students.length > 3 ? ` and ${students.length - 3} more` : ''
  const message = `Something was ordered since for ${names}${more}`
  throw refuse('ordered_since', message, { extra: { students: students.slice(0, 100) } })
}

/** Claimed, edited or merged children stay as they are. */
export const undone = (touched: readonly TouchedChild[], now: readonly RollChild[]) => {
  const present = new Map(now.map((child) => [child.id, child]))
  const own = touched.filter(({ id, after }) => isSame(present.get(id), after))
  const isOwn = new Set(own.map(({ id }) => id))
  return {
    removed: own.flatMap(({ id, before }) => (before === null ? id : [])),
    restored: own.flatMap(({ before }) => before ?? []),
    kept: touched.flatMap(({ id }) => (isOwn.has(id) ? [] : (present.get(id) ?? []))),
  }
}

/** JSON stores dates as text. */
const isSame = (child: RollChild | undefined, kept: RollChild): boolean =>
  child !== undefined && JSON.stringify(inOrder(child)) === JSON.stringify(inOrder(kept))

const inOrder = (child: RollChild) =>
  Object.entries(child).toSorted(([one], [other]) => (one < other ? -1 : 1))

type Decisions = Readonly<Record<string, number | 'new'>>

/** `leftOut`: undecided rows. */
export type RollChanges = {
  added: ChildValues[]
  changed: { child: RollChild; values: ChildValues }[]
  leaving: RollChild[]
  leftOut: number
  /** Rows with a bursary or sponsor, of a child or of the added one at this place. */
  bursaries: { line: RollLine; child: number | null; added: number }[]
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
    'The roll has changed since. Upload the file again to see what it would do now.',
  )
}

/** Throws `confirm_leaving` above a tenth of the school. */
export const decideLeaving = (
  { leaving, size }: RollPlan,
  asked: { remove: boolean; confirm?: number | undefined },
) => {
  if (!asked.remove || leaving.length * 10 <= size || asked.confirm === leaving.length) return
  const message = `${leaving.length} of ${size} children would leave. Confirm that number`
  throw refuse('confirm_leaving', message, { extra: { leaving: leaving.length, roll: size } })
}

/** Throws `decision_wrong` for a decision nobody asked for. */
export const changesOf = (
  plan: RollPlan,
  { remove, decisions }: { remove: boolean; decisions: Decisions },
): RollChanges => {
  const changes: RollChanges = {
    added: [],
    changed: [],
    leaving: remove ? plan.leaving : [],
    leftOut: 0,
    bursaries: [],
  }
  const open = new Set(Object.keys(decisions))
  const chosen = new Set<number>()
  const add = (line: RollLine) => {
    changes.bursaries.push({ line, child: null, added: changes.added.length })
    changes.added.push(valuesOf(line, false))
  }
  const change = (line: RollLine, child: RollChild) => {
    changes.bursaries.push({ line, child: child.id, added: -1 })
    changes.changed.push({ child, values: valuesFor(line, child) })
  }
  for (const { line, state, child, candidates } of plan.rows) {
    if (state === 'new') add(line)
    if (state === 'changed') change(line, child!)
    if (state === 'same') changes.bursaries.push({ line, child: child!.id, added: -1 })
    if (state !== 'matched') continue
    const decision = decisions[String(line.row)]
    open.delete(String(line.row))
    if (decision === undefined) changes.leftOut += 1
    else if (decision === 'new') add(line)
    else {
      const found = candidates.find(({ id }) => id === decision)
      if (!found || chosen.has(found.id)) throw decisionWrong(line.row)
      chosen.add(found.id)
      change(line, found)
    }
  }
  freeNumbers(plan, changes)
  const [unasked] = open
  if (unasked !== undefined) throw decisionWrong(Number(unasked))
  return changes
}

/** An empty cell leaves what is; null where nothing changes. */
export const bursaryOf = (
  { bursary, sponsor }: Pick<RollLine, 'bursary' | 'sponsor'>,
  now: Discount | undefined,
): Discount | null => {
  const wanted = { percentage: bursary ?? now?.percentage ?? 0, sponsor: sponsor ?? now?.sponsor ?? null }
  if (wanted.percentage === 0) return now ? wanted : null
  return now?.percentage === wanted.percentage && now.sponsor === wanted.sponsor ? null : wanted
}

/** Undecided rows do not count. */
export const bursariesChanged = (rows: readonly PlannedRow[], now: ReadonlyMap<number, Discount>): number =>
  rows.filter(
    ({ line, state, child }) => state !== 'matched' && bursaryOf(line, child ? now.get(child.id) : undefined),
  ).length

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
