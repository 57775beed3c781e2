import type { NextWeek, PlanReply } from '#contracts/plan'
import { lunchId, parseOrderId } from '#kernel/id'
import { kwachaFromNgwee } from '#kernel/money'
import { addDays, schoolMoment, type SchoolDate } from '#kernel/school-time'
import {
  leftMessages,
  weekOf,
  weekOrderedOn,
  type FamilyPlan,
  type PlannedWeek,
  type PlanState,
  type WeekKept,
} from '#modules/ordering/published'
import type { FamilyPart } from '#platform/family-data'
import { versionOf, withVersion } from '#platform/versions'
import type { PaymentsNeeds } from '../ports'
import { closeMsOf, moneyOfWeek, planAttempt } from './plan-way.commands'

export const planRecord = (userId: number): string => `plan:${userId}`

export const shownPlan = ({ children, at, pay, weekLimit }: FamilyPlan, paused: boolean) => ({
  children: children.map(({ studentId, days }) => ({
    studentId,
    days: days.map(({ day, dishes }) => ({
      day,
      dishes: dishes.map((dish) => ({ ...dish, price: kwachaFromNgwee(dish.price) })),
    })),
  })),
  at,
  pay,
  weekLimit: weekLimit === null ? null : kwachaFromNgwee(weekLimit),
  paused,
})

export const planReply =
  (needs: PaymentsNeeds) =>
  async (userId: number): Promise<PlanReply> => {
    const [offered, state] = await Promise.all([
      needs.ordering.arePlansOffered(),
      needs.ordering.plans.stateOf(userId),
    ])
    const [seen, next] = await Promise.all([
      planSeenOf(needs, userId, state),
      offered && state.plan && !state.paused ? nextWeek(needs, userId, state, state.plan) : null,
    ])
    const { plan, paused } = state
    const version = versionOf(planRecord(userId), plan ? shownPlan(plan, paused) : {})
    return { offered, ...seen, next, version }
  }

/** What the office sees. */
export const planOfFamily =
  (needs: PaymentsNeeds) =>
  async (userId: number): Promise<Pick<PlanReply, 'plan' | 'weeks'>> =>
    planSeenOf(needs, userId, await needs.ordering.plans.stateOf(userId))

/** For the family's copy of its data. */
export const planPart = (needs: PaymentsNeeds): FamilyPart => ({
  name: 'plan',
  read: async (_at, { userId }) => {
    const state = await needs.ordering.plans.stateOf(userId)
    const { plan, paused, skipped } = state
    const { weeks } = await planSeenOf(needs, userId, state)
    return plan || weeks.length > 0 ? [{ ...(plan && shownPlan(plan, paused)), skipped, weeks }] : []
  },
})

const planSeenOf = async (
  needs: PaymentsNeeds,
  userId: number,
  { plan, paused, weeks }: PlanState,
): Promise<Pick<PlanReply, 'plan' | 'weeks'>> => {
  const attemptIds = weeks.flatMap(({ week, number }) =>
    number > 0 ? [planAttempt(userId, week, number)] : [],
  )
  const orders = attemptIds.length > 0 ? await needs.ordering.ordersWhere({ attemptIds }) : []
  // Also of a lunch that was moved since: its id names the day it was ordered for.
  const ids = new Map(
    orders.map(({ id, attemptId }) => [`${attemptId} ${lunchId(parseOrderId(id)!.lunch)}`, id]),
  )
  const shown = weeks.map((kept: WeekKept) => {
    const attemptId = planAttempt(userId, kept.week, kept.number)
    return { ...weekShown(kept, (lunch) => ids.get(`${attemptId} ${lunch}`) ?? null), state: kept.state }
  })
  return { plan: plan && withVersion(planRecord(userId), shownPlan(plan, paused)), weeks: shown }
}

const weekShown = (planned: PlannedWeek, orderIdOf: (lunch: string) => string | null) => {
  const { total, credit, toPay } = moneyOfWeek(planned)
  return {
    week: planned.week,
    at: planned.dueAt,
    total: kwachaFromNgwee(total),
    credit: kwachaFromNgwee(credit),
    toPay: kwachaFromNgwee(toPay),
    orders: planned.lines.map(({ studentId, date, name, price }) => ({
      orderId: orderIdOf(lunchId({ studentId, date })),
      studentId,
      date,
      menuItem: name,
      price: kwachaFromNgwee(price),
    })),
    left: planned.left.map((one) => ({ ...one, message: leftMessages[one.code] })),
  }
}

const nextWeek = async (
  needs: PaymentsNeeds,
  userId: number,
  state: PlanState,
  plan: FamilyPlan,
): Promise<NextWeek> => {
  const at = needs.now()
  const week = comingWeek(state, schoolMoment(at, needs.zone).date)
  const attemptId = planAttempt(userId, week, (weekOf(state, week)?.number ?? 0) + 1)
  const closeMs = await closeMsOf(needs, plan.pay)
  const planned = await needs.ordering.planWeek({ ...state, plan }, { userId, week, attemptId, closeMs, at })
  return { ...weekShown(planned, () => null), state: null }
}

/** The first that the plan has not begun. */
const comingWeek = (state: PlanState, today: SchoolDate): SchoolDate => {
  const first = [weekOrderedOn(today), state.fromWeek ?? ''].toSorted().at(-1)!
  const isBegun = (week: SchoolDate) => (weekOf(state, week)?.number ?? 0) > 0
  let week = first
  while (isBegun(week)) week = addDays(week, 7)
  return week
}
