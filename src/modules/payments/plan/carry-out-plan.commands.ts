import type { CartLine } from '#contracts/ordering'
import { kwachaFromNgwee } from '#kernel/money'
import { maskedPhone } from '#kernel/phone-number'
import { Refusal } from '#kernel/refusal'
import type { SchoolDate } from '#kernel/school-time'
import { planStep, type PlanDue } from '#modules/ordering/index'
import {
  announcedBeforeMs,
  cartLineOf,
  hourOf,
  weekOf,
  type PlannedWeek,
  type PlanState,
  type WeekKept,
} from '#modules/ordering/published'
import { loadStream, type By } from '#platform/event-store/command-handler'
import { paymentAttempt } from '../attempt/fold'
import type { CardPaymentStart } from '../card/card-checkout.commands'
import type { FreeCheckout } from '../checkout/place-order.commands'
import type { PaymentsNeeds } from '../ports'
import { planCartLink } from '../settlement/payment-letters'
import { announcement, failedWeek, planLink } from './plan-letters'
import { closeMsOf, moneyOfWeek, planAttempt, planKey, provedPhone, refusePlanWay } from './plan-way.commands'

export type CarryNeeds = PaymentsNeeds & {
  place: (asked: FreeCheckout) => Promise<unknown>
  start: CardPaymentStart
}

/** At its hour: announces what a prompt will ask for, or orders. Repeatable at any time, by several at once. */
export const carryOutPlan =
  (needs: CarryNeeds) =>
  async (due: PlanDue, by: By): Promise<void> => {
    const { userId, week } = due
    const state = await needs.ordering.plans.stateOf(userId)
    const step = stepNow(needs, state, due)
    if (step === 'announce') await announce(needs, state, due, by)
    else if (step === 'begin') await begin(needs, { ...due, why: 'hour', isDue: isBeginning(needs, due) }, by)
    else if (weekOf(state, week)?.state === 'waiting') await carryOn(needs, userId, week, by)
  }

/** By the family's press. Throws refusals of `refusePlanWay`. */
export const orderWeekNow =
  (needs: CarryNeeds) =>
  async (userId: number, week: SchoolDate, by: By): Promise<void> => {
    const { plan } = await needs.ordering.plans.stateOf(userId)
    if (plan) await refusePlanWay(needs, userId, plan.pay)
    await begin(needs, { userId, week, why: 'press', isDue: () => true }, by)
  }

/** The plan as it is now may be another than the one that was found due. */
const stepNow = ({ now, zone }: CarryNeeds, state: PlanState, due: PlanDue) => {
  const { plan, paused, fromWeek, announced } = state
  const isBegun = (weekOf(state, due.week)?.number ?? 0) > 0
  if (!plan || paused || isBegun || fromWeek === null || fromWeek > due.week) return 'wait'
  return planStep({ ...due, at: plan.at, byPrompt: plan.pay.by === 'prompt', announced }, now(), zone)
}

const isBeginning = (needs: CarryNeeds, due: PlanDue) => (state: PlanState) =>
  stepNow(needs, state, due) === 'begin'

const planned = async (
  needs: CarryNeeds,
  { plan, skipped, ...known }: PlanState,
  { userId, week }: { userId: number; week: SchoolDate },
  at: Date,
): Promise<PlannedWeek> => {
  const attemptId = planAttempt(userId, week, (weekOf({ ...known, plan, skipped }, week)?.number ?? 0) + 1)
  const asked = { userId, week, attemptId, closeMs: await closeMsOf(needs, plan!.pay), at }
  return needs.ordering.planWeek({ plan: plan!, skipped }, asked)
}

/** Where there is nothing to ask for, or nobody to ask, the plan is carried out at its hour as it is. */
const announce = async (needs: CarryNeeds, state: PlanState, due: PlanDue, by: By): Promise<void> => {
  const { userId, week } = due
  const at = needs.now()
  const hour = hourOf(week, state.plan!.at, needs.zone)
  const [coming, phone] = await Promise.all([planned(needs, state, due, at), provedPhone(needs, userId)])
  const { toPay } = moneyOfWeek(coming)
  const isTold = toPay > 0 && phone !== null && (await tell(needs, { userId, week, coming, phone, hour, at }))
  if (isTold) {
    await needs.ordering.plans.change(userId, by, (now) =>
      stepNow(needs, now, due) === 'announce' ? { kind: 'announce', planned: coming } : null,
    )
    return
  }
  if (at < hour) return
  const isDue = (now: PlanState) => stepNow(needs, now, due) !== 'wait'
  const why = phone === null ? 'Your phone is not confirmed any more.' : 'No message reaches you.'
  await begin(needs, { userId, week, why: 'hour', isDue, ...(toPay > 0 && { unable: why }) }, by)
}

type Told = { userId: number; week: SchoolDate; coming: PlannedWeek; phone: string; hour: Date; at: Date }

const tell = async (
  { identity, messaging, publicUrl, zone }: CarryNeeds,
  { userId, week, coming, phone, hour, at }: Told,
): Promise<boolean> => {
  const ids = [...new Set(coming.lines.map(({ studentId }) => studentId))]
  const names = await identity.studentNamesOf(ids)
  const message = announcement({
    planned: coming,
    toPay: moneyOfWeek(coming).toPay,
    names: ids.flatMap((id) => names.get(id)?.split(' ')[0] ?? []),
    phone: maskedPhone(phone) ?? '',
    askedAt: new Date(Math.max(hour.getTime(), at.getTime() + announcedBeforeMs)),
    zone,
    link: planLink(publicUrl),
  })
  return messaging.messageUser(userId, message, `plan-announced-${userId}-${week}`)
}

type BeginWeek = {
  userId: number
  week: SchoolDate
  why: 'hour' | 'press'
  isDue: (state: PlanState) => boolean
  /** Why nobody is asked for the money. */
  unable?: string
}

/** Fixes the week's lines, with the plan as it is in the same append, and orders them. */
const begin = async (needs: CarryNeeds, asked: BeginWeek, by: By): Promise<void> => {
  const { userId, week, why, isDue, unable } = asked
  await needs.ordering.plans.change(userId, by, async (state, at) =>
    state.plan && isDue(state)
      ? { kind: 'begin', why, planned: await planned(needs, state, asked, at) }
      : null,
  )
  if (unable === undefined) await carryOn(needs, userId, week, by)
  else await fail(needs, userId, week, unable, by)
}

const maxTries = 5

/** Places what was begun where its checkout is not there yet. What changed meanwhile is decided anew. */
export const carryOn = async (needs: CarryNeeds, userId: number, week: SchoolDate, by: By): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    const kept = weekOf(await needs.ordering.plans.stateOf(userId), week)
    if (kept?.state !== 'waiting' || (await isPlaced(needs, userId, kept))) return
    const refused = await placeWeek(needs, userId, kept, by).then(
      () => null,
      (error: unknown) => {
        if (error instanceof Refusal) return error
        throw error
      },
    )
    if (!refused) return
    if (!isOutdated(refused) || tries >= maxTries) return fail(needs, userId, week, refused.message, by)
    const attempt = await attemptOfWeek(needs, userId, kept)
    if (attempt.status !== 'none' && attempt.status !== 'refused' && attempt.status !== 'create_failed')
      return
    await needs.ordering.plans.change(userId, by, async (state, at) =>
      state.plan && weekOf(state, week)?.number === kept.number
        ? {
            kind: 'begin',
            why: 'again',
            planned: await planned(needs, state, { userId, week }, at),
            sameTry: attempt.status === 'none',
          }
        : null,
    )
  }
}

const outdated: ReadonlySet<string> = new Set([
  'lines_refused',
  'credit_short',
  'credit_covers',
  'amount_mismatch',
  'nothing_to_pay',
  'payment_required',
  'idempotency_key_reused',
])

const isOutdated = ({ code }: Refusal): boolean => outdated.has(code)

const attemptOfWeek = async (needs: PaymentsNeeds, userId: number, { week, number }: WeekKept) =>
  (await loadStream(needs.eventStore, paymentAttempt, planAttempt(userId, week, number))).state

/** A prompt that was never asked for is sent by the same key, which also begins a card's checkout anew that nobody answered. */
const isPlaced = async (needs: CarryNeeds, userId: number, kept: WeekKept): Promise<boolean> => {
  const attempt = await attemptOfWeek(needs, userId, kept)
  if (unplaced.has(attempt.status)) return false
  if (attempt.status !== 'initiated' || attempt.checkout.kind !== 'card') return true
  const isOver = attempt.token === null || needs.now().getTime() >= Date.parse(attempt.token.limitAt)
  return attempt.prompt !== undefined || isOver
}

const unplaced: ReadonlySet<string> = new Set(['none', 'draft', 'create_failed'])

const cartOf = ({ lines }: PlannedWeek): CartLine[] =>
  lines.map((line) => ({
    ...cartLineOf(line, line, line.originalPrice),
    discountedPrice: kwachaFromNgwee(line.price),
  }))

const placeWeek = async (needs: CarryNeeds, userId: number, kept: WeekKept, by: By): Promise<void> => {
  const { week, number, pay } = kept
  const { total, toPay } = moneyOfWeek(kept)
  const lines = cartOf(kept)
  const cart = { userId, lines, useCredit: true, idempotencyKey: planKey(week, number), plan: week, by }
  if (pay.by !== 'prompt' || toPay === 0) {
    const payBy = toPay === 0 || pay.by === 'credit' || pay.by === 'prompt' ? null : pay.by
    await needs.place({ ...cart, payBy, body: { plan: week, number, lines, payBy } })
    if (toPay === 0)
      await needs.ordering.plans.change(userId, by, () => ({ kind: 'turn', week, state: 'ordered' }))
    return
  }
  const [person, phone] = await Promise.all([needs.identity.personOf(userId), provedPhone(needs, userId)])
  if (!person || phone === null)
    throw new Refusal('phone_not_verified', 'Your phone is not confirmed any more')
  await needs.start({
    ...cart,
    customer: { name: person.name || person.username, email: person.email, phone: person.phone },
    // Counted by number and account alone: no address asks.
    ip: '',
    prompt: { network: pay.network, phone },
    claimedAmount: kwachaFromNgwee(total),
    site: needs.siteOf(needs.publicUrl),
  })
}

/** Told first, once for a try. */
const fail = async (
  needs: CarryNeeds,
  userId: number,
  week: SchoolDate,
  why: string,
  by: By,
): Promise<void> => {
  const { ordering, messaging, publicUrl } = needs
  const kept = weekOf(await ordering.plans.stateOf(userId), week)
  if (kept?.state !== 'waiting') return
  const letter = failedWeek(week, why.endsWith('.') ? why : `${why}.`, planCartLink(publicUrl, week))
  await messaging.messageUser(userId, letter, `plan-failed-${userId}-${week}-${kept.number}`)
  await ordering.plans.change(userId, by, () => ({ kind: 'turn', week, state: 'failed' }))
}
