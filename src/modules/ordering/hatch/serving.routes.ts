import type { Knex } from 'knex'
import { classKey } from '#contracts/cycles'
import { grades, type Grade } from '#contracts/identity'
import { classNamed } from '#contracts/names'
import { notCollected, sendMarks, serving, takeMarksBack, type ServedLunch } from '#contracts/serving'
import { column, type RowOf } from '#kernel/column'
import { foldedName } from '#kernel/folded-name'
import { parseOrderId } from '#kernel/id'
import { schoolMoment, type SchoolDate } from '#kernel/school-time'
import { route, withFeature, type Route } from '#platform/http/route'
import { rowView } from '#platform/projections/row-view'
import { namesakesInOrder, withEaters, byGrade, lunchesOn, maxLunches } from '../orders/orders.rows'
import type { OrderingNeeds } from '../ports'
import { refusal } from '../refusals'
import { orderChanged, orderPaymentConfirmed, orderPaymentUndone } from '../slot/events'
import {
  effectiveMark,
  countedAfter,
  absentAtHatch,
  lunchGiven,
  markUndone,
  problemAtHatch,
  type CountedMarks,
} from '../slot/lunch-marks'
import type { servingCommands } from './keep-marks.commands'

/** 500 marks with notes of 200 characters. */
const maxQueue = 1024 * 1024

/** kitchen-and-hatch.md section 3. */
export const servingRoutes = (
  needs: OrderingNeeds,
  { keepMarks, takeBack }: ReturnType<typeof servingCommands>,
): Route[] => [
  route(serving, withFeature('kitchen'), async ({ query }) => {
    const { date, at, lunches } = await servedNow(needs, query.date)
    const nameOf = await namesOf(needs, marksOf(lunches))
    return { date, at, lunches: lunches.map((lunch) => lunchReply(lunch, nameOf)) }
  }),

  route(notCollected, withFeature('kitchen'), async ({ query }) => {
    const { date, at, lunches } = await servedNow(needs, query.date)
    const left = lunches.filter(({ mark }) => mark?.kind !== 'given')
    const nameOf = await namesOf(needs, marksOf(left))
    return { date, at, classes: byClass(left.map((lunch) => lunchReply(lunch, nameOf))) }
  }),

  route(
    sendMarks,
    withFeature('kitchen'),
    async ({ body, user: { userId }, session, by }) => {
      const results = await keepMarks(body.marks, { userId, session: session.id(), ...by })
      const nameOf = await namesOf(
        needs,
        results.flatMap(({ other }) => other ?? []),
      )
      return { results: results.map((one) => ({ ...one, other: one.other && told(one.other, nameOf) })) }
    },
    { maxBodyBytes: maxQueue },
  ),

  route(takeMarksBack, withFeature('history'), async ({ body, user: { userId }, by }) => {
    const of = await needs.identity.userIdOf(body.by)
    if (of === null) throw refusal('marker_not_found')
    return { takenBack: await takeBack({ date: body.date, of }, { userId, ...by }) }
  }),
]

const servedNow = async (needs: OrderingNeeds, asked: SchoolDate | undefined) => {
  const date = asked ?? schoolMoment(needs.now(), needs.zone).date
  const { at, lunches: found } = await servedOn(needs.database.knex, date)
  const eaters = await withEaters(needs, found, ({ orderId }) => orderId)
  const lunches = namesakesInOrder(eaters, ({ grade, student }) => `${grade}/${foldedName(student)}`)
  return { date, at: at?.toISOString() ?? null, lunches }
}

const marksOf = (lunches: readonly Pick<LunchServed, 'mark'>[]) => lunches.flatMap(({ mark }) => mark ?? [])

const namesOf = async ({ identity }: OrderingNeeds, marks: readonly { by: number }[]) => {
  const names = await identity.usernamesOf([...new Set(marks.map(({ by }) => by))])
  return (userId: number): string => names.get(userId) ?? 'System'
}
type NameOf = Awaited<ReturnType<typeof namesOf>>

const lunchReply = <Lunch extends Pick<LunchServed, 'mark'>>({ mark, ...lunch }: Lunch, nameOf: NameOf) => ({
  ...lunch,
  mark: mark && { ...told(mark, nameOf), note: mark.note },
})

const told = (
  { markId, kind, by, deviceAt }: Omit<NonNullable<LunchServed['mark']>, 'note'>,
  nameOf: NameOf,
) => ({
  markId,
  kind,
  by: nameOf(by),
  at: deviceAt,
})

type Row = Omit<
  ServedLunch,
  'class' | 'tellApart' | 'allergies' | 'diet' | 'medicalNote' | 'mark' | 'grade'
> & {
  grade: Grade
} & CountedMarks

/** By grade and name, at most 10,000. `by` is a user id. `at`: last change, null for none. */
const servedOn = async (knex: Knex, date: SchoolDate) => {
  const [rows, at] = await Promise.all([rowsOn(knex, date), lastChangeOn(knex, date)])
  return {
    at,
    lunches: rows.map(({ given, noticed, ...lunch }) => ({
      ...lunch,
      mark: effectiveMark({ given, noticed }),
    })),
  }
}
type LunchServed = Awaited<ReturnType<typeof servedOn>>['lunches'][number]

const rowsOn = (knex: Knex, date: SchoolDate): Promise<Row[]> =>
  lunchesOn(knex, date)
    .leftJoin('ordering.lunch_marks', 'lunch_marks.order_id', 'orders.id')
    .select('category', 'comments', 'absent', 'given', 'noticed', {
      orderId: 'orders.kitchen_id',
      student: 'student_name',
      grade: 'student_grade',
      menuItem: 'item_name',
      sideDish: 'side_dish',
      unpaid: knex.raw(`payment_status = 'pending'`),
    })
    .orderByRaw(`${byGrade.sql}, lower(student_name), orders.id`, byGrade.bindings)
    .limit(maxLunches)

const lastChangeOn = async (knex: Knex, date: SchoolDate): Promise<Date | null> => {
  const { rows } = await knex.raw<{ rows: { at: Date | null }[] }>(
    `select greatest(
       (select max(at) from ordering.kitchen_changes where date = :date),
       (select max(changed_at) from ordering.lunch_marks where date = :date)) as at`,
    { date },
  )
  return rows[0]!.at
}

const gradeLabel = (grade: Grade): string => (grade === 'teacher' ? 'Staff Account' : `Grade ${grade}`)

const byClass = <Lunch extends Pick<ServedLunch, 'class' | 'grade'>>(lunches: readonly Lunch[]) => {
  const classes = new Map<string, { class: string; lunches: Lunch[] }>()
  const placed = lunches.toSorted(
    (one, other) =>
      grades.indexOf(one.grade) - grades.indexOf(other.grade) ||
      (one.class ?? '').localeCompare(other.class ?? '', 'en', { numeric: true }),
  )
  for (const lunch of placed) {
    const name = classNamed(lunch.class ?? gradeLabel(lunch.grade))
    const found = classes.get(classKey(name)) ?? { class: name, lunches: [] }
    found.lunches.push(lunch)
    classes.set(classKey(name), found)
  }
  return [...classes.values()]
}

const lunchMarksColumns = {
  order_id: column<string>('text'),
  date: column<string>('date'),
  given: column<CountedMarks['given']>('jsonb'),
  noticed: column<CountedMarks['noticed']>('jsonb'),
  changed_at: column<string | Date>('timestamptz'),
}
type LunchMarksRow = RowOf<typeof lunchMarksColumns>

const unmarked = (orderId: string): Omit<LunchMarksRow, 'changed_at'> => ({
  order_id: orderId,
  date: parseOrderId(orderId)!.lunch.date,
  given: null,
  noticed: null,
})

export const lunchMarksView = rowView({
  table: 'ordering.lunch_marks',
  columns: lunchMarksColumns,
  primaryKey: 'order_id',
  events: [
    lunchGiven,
    absentAtHatch,
    problemAtHatch,
    markUndone,
    orderPaymentConfirmed,
    orderPaymentUndone,
    orderChanged,
  ],
  key: ({ data }) => data.orderId,
  evolve: (row: LunchMarksRow | null, event): LunchMarksRow | null => {
    const before = row ?? unmarked(event.data.orderId)
    if (event.type === orderChanged.type) {
      const { moved, at } = event.data
      return moved ? { ...before, date: moved.mealDate, given: null, noticed: null, changed_at: at } : row
    }
    const isPayment = event.type === orderPaymentConfirmed.type || event.type === orderPaymentUndone.type
    const after = isPayment ? before : countedAfter(before, event)
    return { ...after, changed_at: event.data.at }
  },
})
