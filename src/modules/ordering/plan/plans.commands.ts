import { v7 } from 'uuid'
import type { LineRefusal } from '#contracts/ordering'
import { noDiscount } from '#kernel/money'
import { addDays, mondayOf, schoolMoment, type SchoolDate } from '#kernel/school-time'
import { commandHandler, loadStream, type By } from '#platform/event-store/command-handler'
import { cartFacts } from '../cart/cart.commands'
import { factsOfLines } from '../cart/cart.decide'
import { dishPolicies, lineRefusal } from '../cart/line-policies.decide'
import type { OrderNeeds } from '../portions/portions.view'
import type { OrderingNeeds } from '../ports'
import { refusal } from '../refusals'
import { openDaysOf } from '../reminders/reminder.decide'
import { isAway, ordersOf, type MealSlot } from '../slot/meal-slot'
import type { FamilyPlan, PlannedLine, PlannedWeek } from './events'
import { announcedBeforeMs, hourOf, minuteOfWeek, stepAt, weekOrderedOn } from './plan-hours.decide'
import { cartLineOf, daysAsked, decideWeek } from './plan-week.decide'
import { familyPlan, type PlanCommand, type PlanState } from './plan.decide'
import { mealsPlanned, plansDue, type DuePlan } from './plans.view'

/** Told apart by who asks: `userId` and `now` come with the call. */
type PlanAct<Command = PlanCommand> = Command extends unknown ? Omit<Command, 'userId' | 'now'> : never

export type PlanStore = {
  stateOf: (userId: number) => Promise<PlanState>
  /** `act` answers null for nothing to do; repeated on a concurrent change. */
  change: (
    userId: number,
    by: By,
    act: (state: PlanState, at: Date) => PlanAct | null | Promise<PlanAct | null>,
  ) => Promise<PlanState>
}

export const planStore = (needs: OrderingNeeds): PlanStore => {
  const change = commandHandler(familyPlan, needs)
  return {
    stateOf: async (userId) => (await loadStream(needs.eventStore, familyPlan, userId)).state,
    change: async (userId, by, act) => {
      const { state } = await change(userId, by, async (known, now) => {
        const command = await act(known, now)
        return command ? familyPlan.decide({ ...command, userId, now } as PlanCommand, known) : []
      })
      return state
    },
  }
}

/** `closeMs`: how long before its cutoff a day closes for the plan's way to pay. */
type AskedWeek = { userId: number; week: SchoolDate; attemptId: string; closeMs: number; at: Date }

/** As it would be ordered at `at`. */
export const planWeek =
  (needs: OrderNeeds) =>
  async (
    { plan, skipped }: { plan: FamilyPlan; skipped: PlanState['skipped'] },
    { userId, week, attemptId, closeMs, at }: AskedWeek,
  ): Promise<PlannedWeek> => {
    const about = { week, dueAt: hourOf(week, plan.at, needs.zone).toISOString(), pay: plan.pay }
    const { cycle } = await needs.cycles.orderingCalendar()
    const lines = daysAsked(plan, week, cycle).flatMap((one) =>
      one.dishes.map((dish) => cartLineOf(one, dish, 0)),
    )
    if (lines.length === 0) return { ...about, lines: [], left: [], credit: 0 }
    const [{ facts, slots, portions }, discount, account] = await Promise.all([
      cartFacts(needs, { userId, attemptId }, lines, at),
      needs.discountOf(
        userId,
        lines.map(({ studentId }) => studentId),
      ),
      needs.credit.accountOf(userId),
    ])
    const cancelled = [...slots].flatMap(([id, { state, twins }]) =>
      [state, ...twins].some(wasTakenAway) ? id : [],
    )
    return {
      ...about,
      ...decideWeek(plan, week, {
        ...facts,
        discountOf: discount,
        skipped,
        closeMs,
        cancelled: new Set(cancelled),
        balance: account.balance(),
        hasPortion: (line, taken) =>
          !portions.soldOut([...taken, line].map(portionFor(attemptId)), at).has(taken.length),
      }),
    }
  }

/** A lunch of it was cancelled, or moved to another day. */
const wasTakenAway = (slot: MealSlot): boolean =>
  slot.guests.size > 0 || ordersOf(slot).some((order) => isAway(order) || isCancelled(order.status))

const isCancelled = (status: string): boolean => status === 'cancelled' || status === 'refunded'

const portionFor =
  (attemptId: string) =>
  ({ menuItemId: itemId, studentId, date }: PlannedLine) => ({
    itemId,
    studentId,
    date,
    attemptId,
    until: null,
  })

/** Places in the plan whose dish does not fit the child. Throws `student_not_found`. */
export const planMisfits =
  (needs: OrderNeeds) =>
  async (
    userId: number,
    { children }: Pick<FamilyPlan, 'children'>,
    at: Date,
  ): Promise<{ child: number; day: number; dish: number; code: LineRefusal }[]> => {
    const places = children.flatMap(({ studentId, days }, child) =>
      days.flatMap(({ day, dishes }, place) =>
        dishes.map((wanted, dish) => ({
          child,
          day: place,
          dish,
          line: cartLineOf({ studentId, date: '', week: 1, day }, wanted, 0),
        })),
      ),
    )
    const lines = places.map(({ line }) => line)
    const { facts } = await cartFacts(needs, { userId, attemptId: v7() }, lines, at)
    if (children.some(({ studentId }) => !facts.students.has(studentId))) throw refusal('student_not_found')
    const found = factsOfLines(lines, { ...facts, discountOf: () => noDiscount })
    return places.flatMap(({ child, day, dish }, index) => {
      const code = lineRefusal(found[index]!, dishPolicies)
      return code ? [{ child, day, dish, code }] : []
    })
  }

export type PlanDue = DuePlan & { week: SchoolDate }

/** Plans with something to do: their hour has come, comes within ten minutes, or was missed while a day of its week is open. */
export const duePlans =
  ({ database, cycles, zone }: OrderingNeeds) =>
  async (now: Date): Promise<PlanDue[]> => {
    const soon = schoolMoment(new Date(now.getTime() + announcedBeforeMs), zone)
    const week = weekOrderedOn(soon.date)
    const before = addDays(week, -7)
    const missed = openDaysOf(before, await cycles.orderingCalendar(), now).length > 0
    const minute = minuteOfWeek(soon.weekday, soon.hour, soon.minute)
    const due = await plansDue(database.pool, { week, minute, missed })
    return due
      .flatMap((plan) => (missed ? [before, week] : [week]).map((asked) => ({ ...plan, week: asked })))
      .filter((one) => planStep(one, now, zone) !== 'wait')
  }

/** As `stepAt`, of a plan that may have changed since it was found. */
export const planStep = (
  { at, byPrompt, announced, week, place, among }: PlanDue,
  now: Date,
  zone: string,
): ReturnType<typeof stepAt> => {
  const announcedAt = announced?.week === week ? new Date(announced.at) : null
  return stepAt(hourOf(week, at, zone), { byPrompt, announcedAt, place, among }, now)
}

export const isWeekOpen =
  ({ cycles }: OrderingNeeds) =>
  async (week: SchoolDate, now: Date): Promise<boolean> =>
    openDaysOf(week, await cycles.orderingCalendar(), now).length > 0

/** Of one week, by date; none for a day without, nothing while the school offers no plans. */
export const plannedMeals =
  ({ database, cycles, now }: OrderingNeeds, isOffered: () => Promise<boolean>) =>
  async ({
    from,
    to,
  }: {
    from: SchoolDate
    to: SchoolDate
  }): Promise<{ date: SchoolDate; meals: number }[]> => {
    if (!(await isOffered())) return []
    const open = openDaysOf(mondayOf(from), await cycles.orderingCalendar(), now())
    return mealsPlanned(
      database.pool,
      open.filter((date) => date >= from && date <= to),
    )
  }
