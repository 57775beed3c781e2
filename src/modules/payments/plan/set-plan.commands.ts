import type { BodyOf } from '#contracts/endpoint'
import type { LineRefusal } from '#contracts/ordering'
import type { savePlan } from '#contracts/plan'
import { ngweeFromKwacha } from '#kernel/money'
import {
  firstWeek,
  isHourAllowed,
  lineMessages,
  type FamilyPlan,
  type PlanState,
} from '#modules/ordering/published'
import type { By } from '#platform/event-store/command-handler'
import { httpRefusal } from '#platform/http/request'
import { noteLastChange, refuseChanged } from '#platform/versions'
import type { PaymentsNeeds } from '../ports'
import { planRecord, shownPlan } from './plan-reply.commands'
import { refusePlanWay } from './plan-way.commands'

type Asked = BodyOf<typeof savePlan>

const planOf = ({ children, at: { day, hour, minute }, pay, weekLimit }: Asked): FamilyPlan => ({
  children: children.map(({ studentId, days }) => ({
    studentId,
    days: days.map(({ day: weekday, dishes }) => ({
      day: weekday,
      dishes: dishes.map(({ menuItemId, category, sideDish, price }) => ({
        menuItemId,
        category: category ?? null,
        sideDish: sideDish ?? null,
        price: ngweeFromKwacha(price),
      })),
    })),
  })),
  at: { day, hour, minute },
  pay,
  weekLimit: weekLimit === null ? null : ngweeFromKwacha(weekLimit),
})

/** Throws `changed_meanwhile`, `student_not_found`, refusals of `refusePlanWay`, and 422 with `fields` for a time or a dish that does not fit. */
export const setPlan =
  (needs: PaymentsNeeds) =>
  async (userId: number, asked: Asked, by: By): Promise<void> => {
    const plan = planOf(asked)
    const at = needs.now()
    await refuseMisfits(needs, userId, plan, at)
    await refuseHour(needs, plan, at)
    await refusePlanWay(needs, userId, plan.pay)
    await needs.ordering.plans.change(userId, by, async (state, now) => {
      const paused = asked.paused ?? state.paused
      await refuseOtherVersion(needs, userId, asked.version, state, { plan, paused })
      return { kind: 'set', plan, paused, fromWeek: firstWeek(plan.at, now, needs.zone) }
    })
    await needs.database.knex.transaction((transaction) =>
      noteLastChange(transaction, { ...by, at }, [planRecord(userId)]),
    )
  }

const invalid = (fields: Record<string, string>) =>
  httpRefusal('validation_failed', Object.values(fields)[0]!, { fields })

const fieldOf = (code: LineRefusal): string => {
  if (code === 'protein_required' || code === 'protein_not_offered') return 'category'
  return code === 'side_required' || code === 'side_not_offered' ? 'sideDish' : 'menuItemId'
}

const refuseMisfits = async (
  { ordering }: PaymentsNeeds,
  userId: number,
  plan: FamilyPlan,
  at: Date,
): Promise<void> => {
  const misfits = await ordering.planMisfits(userId, plan, at)
  if (misfits.length === 0) return
  throw invalid(
    Object.fromEntries(
      misfits.map(({ child, day, dish, code }) => [
        `children.${child}.days.${day}.dishes.${dish}.${fieldOf(code)}`,
        lineMessages[code],
      ]),
    ),
  )
}

/** By the cutoff of the first week that it would order. */
const refuseHour = async ({ cycles, zone }: PaymentsNeeds, { at }: FamilyPlan, now: Date): Promise<void> => {
  const week = firstWeek(at, now, zone)
  const { cutoffOf } = await cycles.orderingCalendar()
  if (!isHourAllowed(at, week, cutoffOf(week), zone))
    throw invalid({ at: 'Please choose a time before orders for Monday close.' })
}

const refuseOtherVersion = async (
  { database }: PaymentsNeeds,
  userId: number,
  version: string | undefined,
  { plan: before, paused: wasPaused }: PlanState,
  { plan, paused }: { plan: FamilyPlan; paused: boolean },
): Promise<void> => {
  if (version === undefined) return
  const now = before ? shownPlan(before, wasPaused) : {}
  await database.knex.transaction((transaction) =>
    refuseChanged(transaction, { record: planRecord(userId), version, now, yours: shownPlan(plan, paused) }),
  )
}
