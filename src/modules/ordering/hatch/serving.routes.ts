import {
  notCollected,
  sendMarks,
  serving,
  takeMarksBack,
  type SentMark,
  type ServedLunch,
} from '#contracts/serving'
import { classKey } from '#contracts/cycles'
import { classNamed } from '#contracts/names'
import { schoolMoment, instantAt, type SchoolDate } from '#kernel/school-time'
import { route, withFeature, type Route } from '#platform/http/route'
import type { OrderingNeeds } from '../ports'
import { withEaters, byGrade, lunchesOn, maxLunches } from '../orders/orders.rows'
import { parseOrderId } from '#kernel/id'
import { Refusal } from '#kernel/refusal'
import {
  advanced,
  handleCommand,
  handleUntilShown,
  loadStreams,
  type By,
  type LoadedStream,
} from '#platform/event-store/command-handler'
import type { Position } from '#platform/event-store/event-store'
import { eatenAfterAll } from '../orders/orders.commands'
import { refusal } from '../refusals'
import {
  effectiveMark,
  countedAfter,
  absentAtHatch,
  lunchGiven,
  markUndone,
  problemAtHatch,
  type MarkAnswer,
  type CountedMarks,
} from '../slot/lunch-marks'
import { ordersOf, type MealSlot, type SlotEvent } from '../slot/meal-slot'
import { mealSlot } from '../slot/meal-slot.decide'
import { answerToMark } from '../slot/order-in-slot.decide'
import { v7 } from 'uuid'
import type { Knex } from 'knex'
import { grades, type Grade } from '#contracts/identity'
import { rowView } from '#platform/projections/row-view'
import { orderPaymentConfirmed, orderPaymentUndone } from '../slot/events'

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
  const lunches = await withEaters(needs, found, ({ orderId }) => orderId)
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

type AnsweredMark = { markId: string; code: string | null } & (
  | MarkAnswer
  | { result: 'refused'; other: null }
)

type ByUser = By & { userId: number; session: string | null }

const batchSize = 100
const latestInstant = Date.parse('9999-12-31T23:59:59.999Z')

export const servingCommands = ({ eventStore, waitForViews, now, zone, credit, database }: OrderingNeeds) => {
  const keepBatch = (marks: readonly SentMark[], by: ByUser) =>
    handleCommand({ eventStore, now }, by, async (at) => {
      const lunches = marks.flatMap(({ orderId }) => parseOrderId(orderId)?.lunch ?? [])
      const each = new Map(lunches.map((lunch) => [mealSlot.streamOf(lunch), lunch]))
      const loaded = await loadStreams(eventStore, mealSlot, [...each.values()])
      const slots = new Map(loaded.map((slot) => [slot.stream, { before: slot, now: slot }]))
      const results = marks.map((mark) => keep(mark, by, slots, at))
      const changes = [...slots.values()].map(({ before, now: after }) => ({
        loaded: before,
        events: after.events.slice(before.events.length),
      }))
      // Spent credit stays given with the meal; the family's page shows it to the office.
      const reclaimed = await credit.reclaimAbsence(eatenAfterAll(changes), at)
      return { changes: [...reclaimed.changes, ...changes], results }
    })

  const keep = (mark: SentMark, { userId: by, session }: ByUser, slots: Slots, at: Date): AnsweredMark => {
    const { markId, orderId } = mark
    try {
      const lunch = parseOrderId(orderId)?.lunch
      if (!lunch) throw refusal('order_not_found')
      const slot = slots.get(mealSlot.streamOf(lunch))!
      const told = {
        ...mark,
        by,
        session,
        deviceAt: deviceInstant(mark.at),
        note: mark.note || null,
        undoes: mark.undoes ?? null,
      }
      const dayStartsAt = instantAt(lunch.date, 0, 0, zone)
      const events = mealSlot.decide({ kind: 'mark', mark: told, dayStartsAt, now: at }, slot.now.state)
      slot.now = advanced(mealSlot, slot.now, events)
      return { markId, ...answerToMark(slot.now.state, told), code: null }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { markId, result: 'refused', code: error.code, other: null }
    }
  }

  /** Stores each mark once: a stored one repeats its first answer, a refused one is judged again. Answers once the views have them. */
  const keepMarks = async (marks: readonly SentMark[], by: ByUser): Promise<AnsweredMark[]> => {
    const results: AnsweredMark[] = []
    const positions: Position[] = []
    for (let from = 0; from < marks.length; from += batchSize) {
      const batch = await keepBatch(marks.slice(from, from + batchSize), by)
      results.push(...batch.results)
      if (batch.position !== null) positions.push(batch.position)
    }
    const last = positions.toSorted().at(-1)
    if (last !== undefined) await waitForViews(last)
    return results
  }

  /** Of the lunches of a date; answers how many stood. */
  const takeBack = async (
    { date, of }: { date: SchoolDate; of: number },
    { userId, ...by }: Omit<ByUser, 'session'>,
  ): Promise<number> => {
    const orderIds = await markedOn(database.knex, date)
    let takenBack = 0
    for (let from = 0; from < orderIds.length; from += batchSize) {
      const batch = orderIds.slice(from, from + batchSize).map((orderId) => parseOrderId(orderId)!.lunch)
      const lunches = new Map(batch.map((lunch) => [mealSlot.streamOf(lunch), lunch]))
      const { changes } = await handleUntilShown({ eventStore, waitForViews, now }, by, async (at) => {
        const slots = await loadStreams(eventStore, mealSlot, [...lunches.values()])
        return { changes: slots.map((slot) => takenBackIn(slot, { of, by: userId, now: at })) }
      })
      takenBack += changes
        .flatMap(({ events }) => events)
        .filter(({ type }) => type === markUndone.type).length
    }
    return takenBack
  }

  return { keepMarks, takeBack }
}

type Slot = LoadedStream<MealSlot, SlotEvent>
/** By stream: as read, and after the marks so far. */
type Slots = ReadonlyMap<string, { before: Slot; now: Slot }>

const takenBackIn = (loaded: Slot, told: { of: number; by: number; now: Date }) => ({
  loaded,
  events: ordersOf(loaded.state)
    .filter(({ status }) => status !== 'withdrawn')
    .flatMap(({ id: orderId }) =>
      mealSlot.decide({ kind: 'take-marks-back', orderId, markIds: [v7(), v7()], ...told }, loaded.state),
    ),
})

/** At most 10,000. */
const markedOn = (knex: Knex, date: SchoolDate): Promise<string[]> =>
  knex('ordering.lunch_marks').where({ date }).orderBy('order_id').limit(maxLunches).pluck('order_id')

/** Clamped to years the log can store. */
const deviceInstant = (at: string): string =>
  new Date(Math.min(Math.max(Date.parse(at), 0), latestInstant)).toISOString()

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
      orderId: 'orders.id',
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

type LunchMarksRow = CountedMarks & { order_id: string; date: string; changed_at: string | Date }

const unmarked = (orderId: string): Omit<LunchMarksRow, 'changed_at'> => ({
  order_id: orderId,
  date: parseOrderId(orderId)!.lunch.date,
  given: null,
  noticed: null,
})

export const lunchMarksView = rowView({
  table: 'ordering.lunch_marks',
  columns: { order_id: 'text', date: 'date', given: 'jsonb', noticed: 'jsonb', changed_at: 'timestamptz' },
  primaryKey: 'order_id',
  events: [lunchGiven, absentAtHatch, problemAtHatch, markUndone, orderPaymentConfirmed, orderPaymentUndone],
  key: ({ data }) => data.orderId,
  evolve: (row: LunchMarksRow | null, event): LunchMarksRow => {
    const before = row ?? unmarked(event.data.orderId)
    const isPayment = event.type === orderPaymentConfirmed.type || event.type === orderPaymentUndone.type
    const after = isPayment ? before : countedAfter(before, event)
    return { ...after, changed_at: event.data.at }
  },
})
