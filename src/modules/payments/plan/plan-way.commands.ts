import type { PlanPay } from '#contracts/plan'
import type { Ngwee } from '#kernel/money'
import { mobileNumber } from '#kernel/phone-number'
import { Refusal } from '#kernel/refusal'
import type { SchoolDate } from '#kernel/school-time'
import type { PlannedWeek } from '#modules/ordering/published'
import { sendsPrompts } from '../alternative/instructions'
import { readBypass } from '../attempt/payment-bypass.rows'
import { attemptIdFor } from '../checkout/place-order.commands'
import { refuseOtherWay } from '../checkout/terms.commands'
import type { PaymentsNeeds } from '../ports'
import { refusal } from '../refusals'

/** As `+260977123456`; null where the account has proved none. */
export const provedPhone = async ({ identity }: PaymentsNeeds, userId: number): Promise<string | null> =>
  mobileNumber((await identity.verifiedContactOf(userId)).phone ?? '')

/** Throws `prompt_off`, `phone_not_verified`, `way_not_offered`. */
export const refusePlanWay = async (needs: PaymentsNeeds, userId: number, { by }: PlanPay): Promise<void> => {
  if (by === 'credit') return
  if (by !== 'prompt')
    return refuseOtherWay(needs)(by).catch((refused: unknown) => {
      throw refused instanceof Refusal ? refusal('way_not_offered') : refused
    })
  const settings = await readBypass(needs)
  if (!sendsPrompts(settings, needs.provider !== null)) throw refusal('prompt_off')
  if ((await provedPhone(needs, userId)) === null) throw refusal('phone_not_verified')
}

const transferTakesMs = 30 * 60_000

/** A transfer that lapses is not offered in the last half hour before a cutoff. */
export const closeMsOf = async (needs: PaymentsNeeds, { by }: PlanPay): Promise<number> => {
  if (by === 'prompt' || by === 'credit') return 0
  return (await readBypass(needs)).unpaidUntil === 'cutoff' ? transferTakesMs : 0
}

/** Of a try of a week; the attempt's id comes from it. */
export const planKey = (week: SchoolDate, number: number): string => `plan ${week} ${number}`

export const planAttempt = (userId: number, week: SchoolDate, number: number): string =>
  attemptIdFor(userId, planKey(week, number))

export const moneyOfWeek = ({
  lines,
  credit,
}: PlannedWeek): { total: Ngwee; credit: Ngwee; toPay: Ngwee } => {
  const total = lines.reduce((sum, { price }) => sum + price, 0)
  return { total, credit, toPay: total - credit }
}
