import type { BodyOf } from '#contracts/endpoint'
import * as contract from '#contracts/plan'
import { addDays, schoolMoment, weekdayOf, type SchoolDate } from '#kernel/school-time'
import { firstWeek } from '#modules/ordering/published'
import { ownWritesShown, type Writer } from '#platform/event-store/command-handler'
import { httpRefusal } from '#platform/http/request'
import { answeredOnce, onlyRoles, route, withFeature, type Route } from '#platform/http/route'
import { refusal } from '../refusals'
import { orderWeekNow, type CarryNeeds } from './carry-out-plan.commands'
import { planReply } from './plan-reply.commands'
import { setPlan } from './set-plan.commands'

const families = onlyRoles('parent', 'teacher')
const limited = { limit: { name: 'plan', points: 60, seconds: 600, by: 'user' } } as const

/** plans-and-sponsors.md section 1. Every act answers as reading does. */
export const planRoutes = (needs: CarryNeeds): Route[] => {
  const { ordering } = needs
  const reply = planReply(needs)
  const pause = pausing(needs)
  const answer = async (userId: number, by: Writer) => {
    await ownWritesShown(by, needs)
    return reply(userId)
  }
  const acting =
    (act: (userId: number, by: Writer) => Promise<unknown>) => async (userId: number, by: Writer) => {
      await act(userId, by)
      return answer(userId, by)
    }
  const end = acting((userId, by) => ordering.plans.change(userId, by, () => ({ kind: 'end' })))

  return [
    route(contract.getPlan, families, async ({ user }) => reply(user.userId)),
    route(
      contract.savePlan,
      families,
      async ({ user, body, by }) => {
        await refuseOff(needs)
        return acting((userId) => setPlan(needs)(userId, body, by))(user.userId, by)
      },
      limited,
    ),
    route(contract.pausePlan, families, async ({ user, body, by }) =>
      acting((userId) => pause(userId, body.paused, 'family', by))(user.userId, by),
    ),
    route(contract.endPlan, families, async ({ user, by }) => end(user.userId, by)),
    route(
      contract.skipPlanDay,
      families,
      async ({ user, body, by }) => acting((userId) => skip(needs, userId, body, by))(user.userId, by),
      limited,
    ),
    route(
      contract.orderPlanWeek,
      families,
      async ({ user, body, by }) =>
        acting((userId) => orderNow(needs, userId, body.week, by))(user.userId, by),
      { ...answeredOnce, ...limited, cart: true },
    ),
    route(contract.pausePlanOfFamily, withFeature('parents_students'), async ({ params, body, by }) =>
      acting((userId) => pause(userId, body.paused, 'office', by))(params.id, by),
    ),
  ]
}

const refuseOff = async ({ ordering }: CarryNeeds): Promise<void> => {
  if (!(await ordering.arePlansOffered())) throw refusal('plans_off')
}

/** Throws `plans_off`, `no_plan`. */
const somePlan = async (needs: CarryNeeds, userId: number) => {
  await refuseOff(needs)
  const { plan } = await needs.ordering.plans.stateOf(userId)
  if (!plan) throw refusal('no_plan')
  return plan
}

const pausing =
  (needs: CarryNeeds) =>
  async (userId: number, paused: boolean, who: 'family' | 'office', by: Writer): Promise<void> => {
    const { at } = await somePlan(needs, userId)
    await needs.ordering.plans.change(userId, by, (_state, now) => {
      return { kind: 'pause', paused, by: who, fromWeek: firstWeek(at, now, needs.zone) }
    })
  }

/** The longest cycle, and the one after it. */
const maxDaysAhead = 84

const skip = async (
  needs: CarryNeeds,
  userId: number,
  day: BodyOf<typeof contract.skipPlanDay>,
  by: Writer,
): Promise<void> => {
  const children = await needs.identity.orderableStudentsOf(userId)
  if (!children.some(({ id }) => id === day.studentId)) throw refusal('student_not_found')
  await somePlan(needs, userId)
  const today = schoolMoment(needs.now(), needs.zone).date
  if (day.date < today || day.date > addDays(today, maxDaysAhead))
    throw invalid('date', 'Please choose a day to come')
  await needs.ordering.plans.change(userId, by, () => ({ kind: 'skip', ...day }))
}

const orderNow = async (needs: CarryNeeds, userId: number, week: SchoolDate, by: Writer): Promise<void> => {
  await somePlan(needs, userId)
  if (weekdayOf(week) !== 1 || !(await needs.ordering.isWeekOpen(week, needs.now())))
    throw invalid('week', 'No day of this week can be ordered any more')
  await orderWeekNow(needs)(userId, week, by)
}

const invalid = (field: string, message: string) =>
  httpRefusal('validation_failed', message, { fields: { [field]: message } })
