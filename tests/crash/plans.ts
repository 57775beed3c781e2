import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { giveCredit } from '#contracts/credit'
import { addStudent, currentUser } from '#contracts/identity'
import {
  confirmPhone,
  getMessageSettings,
  getUserMessages,
  saveMessageSettings,
  saveUserMessages,
  verifyPhone,
} from '#contracts/messages'
import { getOrderingRules, saveOrderingRules } from '#contracts/ordering'
import { getPaymentBypass, savePaymentBypass } from '#contracts/payments'
import { savePlan, type PlanPay } from '#contracts/plan'
import { eventReader } from '#kernel/event'
import { lunchId } from '#kernel/id'
import { familyPlan } from '#modules/ordering/plan/plan.decide'
import {
  announcedBeforeMs,
  lunchOrdered,
  planWeekAnnounced,
  planWeekBegun,
  weekOf,
  type PlanState,
  type WeekKept,
} from '#modules/ordering/published'
import { attemptAfter } from '#modules/payments/card/card-checkout.commands'
import { planAttempt } from '#modules/payments/plan/plan-way.commands'
import type { Client } from '../../src/app/demo/client'
import type { TakenSms } from '../support/sms-gateway'
import { superadminPassword } from './processes'
import type { CrashSchool } from './school'
import { few, monday, within, type Broken, type Story } from './stage'

/** The hour of every plan, on the day before the cycle: half an hour after the clock starts. */
export const planHour = new Date('2026-11-15T17:00:00+02:00')
export const eveOfCycle = new Date('2026-11-15T16:30:00+02:00')
/** By then each has asked: a late announcement is ten minutes before, and prompts of one hour are spread over ten minutes. */
export const plansAskedBy = new Date(planHour.getTime() + 25 * 60_000)

const childrenEach = 2
const schoolDays = [1, 2, 3, 4, 5]

/** Plans are allowed, phones are asked, and SMS go to a gateway that counts them. */
export const offerPlans = async (office: Client): Promise<void> => {
  const rules = await office.call(getOrderingRules)
  await office.call(saveOrderingRules, { body: { ...rules, plans: true } })
  const ways = await office.call(getPaymentBypass)
  const bankTransfer = { ...ways.bankTransfer, accountNumber: '12' }
  await office.call(savePaymentBypass, {
    body: { ...ways, beside: true, bankTransfer, currentPassword: superadminPassword },
  })
  const { orderWithPhone, reminders } = await office.call(getMessageSettings)
  await office.call(saveMessageSettings, {
    body: { sms: true, dailyCeiling: 100_000, orderWithPhone, reminders },
  })
}

const ways: PlanPay[] = [
  { by: 'prompt', network: 'airtel' },
  { by: 'credit' },
  { by: 'bank' },
  { by: 'prompt', network: 'mtn' },
]

/** How the families of a run pay for their plans, by the family's number from 1. */
export const planOfFamily = (family: number): { pay: PlanPay; phone: string } => {
  const pay = ways[(family - 1) % ways.length]!
  const prefix = pay.by === 'prompt' && pay.network === 'mtn' ? '096' : '097'
  return { pay, phone: `${prefix}6600${String(family).padStart(3, '0')}` }
}

/** Covers eight of ten meals. */
const creditGiven = 200

/** The first week of the cycle for two children of their own. */
export const planFirstWeek = async (
  client: Client,
  { office, paid }: CrashSchool,
  pay: PlanPay,
  taken: readonly TakenSms[],
): Promise<void> => {
  const { id, phone } = await client.call(currentUser)
  if (pay.by === 'credit')
    await office.call(giveCredit, {
      params: { id },
      body: { amount: creditGiven, reason: 'A gift' },
      headers: { 'idempotency-key': randomUUID() },
    })
  if (pay.by === 'prompt') await provePhone(client, phone ?? '', taken)
  const dishes = [{ menuItemId: paid.id, category: 'vegetarian', sideDish: null, price: Number(paid.price) }]
  const children: { studentId: number; days: { day: number; dishes: typeof dishes }[] }[] = []
  for (let child = 1; child <= childrenEach; child += 1) {
    const body = { name: `Planned ${child}`, grade: '3' as const }
    const { id: studentId } = await client.call(addStudent, { body })
    children.push({ studentId, days: schoolDays.map((day) => ({ day, dishes })) })
  }
  const at = { day: 0, hour: 17, minute: 0 }
  const { next } = await client.call(savePlan, { body: { children, at, pay, weekLimit: null } })
  if (next?.week !== monday) throw new Error(`The plan begins with ${next?.week} instead of ${monday}`)
}

const codeWithinMs = 30_000

const provePhone = async (client: Client, phone: string, taken: readonly TakenSms[]): Promise<void> => {
  const codes = () =>
    taken.flatMap(({ to, message }) =>
      to.endsWith(phone.slice(1)) ? (/\d{6}/.exec(message)?.[0] ?? []) : [],
    )
  await client.call(verifyPhone)
  await within(codeWithinMs, async () => codes().length > 0)
  await client.call(confirmPhone, { body: { code: codes()[0] ?? '' } })
  const { version } = await client.call(getUserMessages)
  await client.call(saveUserMessages, { body: { channel: 'both', reminders: false, version } })
}

const readPlaced = eventReader(lunchOrdered)
const readAnnounced = eventReader(planWeekAnnounced)
const readBegun = eventReader(planWeekBegun)

const twice = (keys: readonly string[]): string[] => [
  ...new Set(keys.filter((key, index) => keys.indexOf(key) !== index)),
]

const weekName = ({ userId, week }: { userId: number; week: string }): string => `${week} of ${userId}`

/** Each plan as its events tell it. */
const plansOf = (story: Story): Map<number, PlanState> => {
  const plans = new Map<number, PlanState>()
  for (const stored of story) {
    const event = familyPlan.read(stored)
    if (!event) continue
    const { userId } = event.data
    plans.set(userId, familyPlan.evolve(plans.get(userId) ?? familyPlan.initial, event))
  }
  return plans
}

type WeekTried = { userId: number; kept: WeekKept; attempts: ReadonlySet<string> }

/** Every week that was begun, with the attempts of all its tries. */
const weeksTried = (story: Story): WeekTried[] =>
  [...plansOf(story)].flatMap(([userId, { weeks }]) =>
    weeks
      .filter(({ number }) => number > 0)
      .map((kept) => ({
        userId,
        kept,
        attempts: new Set(
          Array.from({ length: kept.number }, (_, tried) =>
            planAttempt(userId, kept.week, tried + 1),
          ).flatMap((id) => [id, attemptAfter(id)]),
        ),
      })),
  )

type Ordered = { lunch: string; attemptId: string }

const lunchesOrdered = (story: Story): Ordered[] =>
  story.flatMap((stored) => {
    const data = readPlaced(stored)?.data
    return data?.byPlan
      ? [
          {
            lunch: lunchId({ studentId: data.slot.studentId, date: data.mealDate }),
            attemptId: data.attemptId,
          },
        ]
      : []
  })

/** What the sandbox knows of a plan's week: how often it asked the phone, by the attempt that the token is for. */
export type PromptsSent = { userId: number; week: string; prompts: number }

export const promptsOfPlans = async (pool: Pool): Promise<PromptsSent[]> => {
  const { rows } = await pool.query<PromptsSent>(
    `select (a.attempt -> 'checkout' ->> 'userId')::int as "userId", a.attempt -> 'checkout' ->> 'plan' as week,
       sum(jsonb_array_length(t.state -> 'prompts'))::int as prompts
     from payments.attempts a join payments.sandbox_transactions t on t.company_ref = a.attempt -> 'checkout' ->> 'companyRef'
     where a.attempt -> 'checkout' ->> 'plan' is not null group by 1, 2`,
  )
  return rows
}

export const isAnnouncement = ({ message }: TakenSms): boolean => message.includes('asks for your PIN')

/** How many have no orders yet, or a prompt that nobody has answered. */
export const plansToAsk = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ open: number }>(
    `select count(*)::int as open from ordering.plans where not exists (
       select from payments.attempts a
       left join payments.sandbox_transactions t on t.company_ref = a.attempt -> 'checkout' ->> 'companyRef'
       where a.user_id = plans.user_id and a.attempt -> 'checkout' ->> 'plan' is not null
         and (a.kind <> 'card' or t.state -> 'prompts' -> -1 ->> 'answer' is not null
           or a.status not in ('draft', 'initiated', 'processing')))`,
  )
  return rows[0]!.open
}

/** What must hold at any moment: announced, asked for and ordered once at most. */
export const brokenPlans = (
  story: Story,
  { prompts, sms }: { prompts: readonly PromptsSent[]; sms: readonly TakenSms[] },
): Broken => {
  const announced = story.flatMap((stored) => readAnnounced(stored)?.data ?? [])
  const begun = story.flatMap((stored) => readBegun(stored)?.data ?? [])
  const unannounced = begun.filter(
    (one) =>
      one.pay.by === 'prompt' &&
      !announced.some(
        (told) =>
          weekName(told) === weekName(one) && Date.parse(one.at) - Date.parse(told.at) >= announcedBeforeMs,
      ),
  )
  const lunches = lunchesOrdered(story).map(({ lunch }) => lunch)
  const announcements = sms.filter(isAnnouncement)
  return [
    ...few('weeks announced twice', twice(announced.map(weekName))),
    ...few(
      'announcements sent twice by SMS',
      twice(announcements.map(({ to, message }) => `${to}: ${message}`)),
    ),
    ...few('weeks asked for without an announcement', unannounced.map(weekName)),
    ...few('weeks asked for twice', prompts.filter((one) => one.prompts > 1).map(weekName)),
    ...few('lunches of a plan ordered twice', twice(lunches)),
  ]
}

/** Weeks that are still to be carried out, or followed; a transfer waits for the school. */
export const openWeeks = (story: Story): string[] =>
  [...plansOf(story)].flatMap(([userId, known]) => {
    const kept = weekOf(known, monday)
    const isOver = kept && kept.state !== 'announced' && (kept.state !== 'waiting' || kept.pay.by === 'bank')
    return known.plan && !isOver ? [weekName({ userId, week: monday })] : []
  })

/** What must hold once every payment was settled: meals are there for what was paid, and for nothing else. */
export const brokenPlansAfterSettling = (story: Story): Broken => {
  const ordered = lunchesOrdered(story)
  const mealsOf = ({ attempts }: WeekTried) =>
    ordered.filter(({ attemptId }) => attempts.has(attemptId)).length
  // A transfer orders at once, and may lapse later.
  const isOrdered = ({ kept: { state, pay } }: WeekTried) =>
    state === 'ordered' || (pay.by === 'bank' && (state === 'waiting' || state === 'not_paid'))
  const wrong = weeksTried(story).filter(
    (week) => mealsOf(week) !== (isOrdered(week) ? week.kept.lines.length : 0),
  )
  const known = new Set(weeksTried(story).flatMap(({ attempts }) => [...attempts]))
  return [
    ...few('plans whose week was lost', openWeeks(story)),
    ...few(
      'weeks with other meals than were ordered',
      wrong.map(({ userId, kept: { week, state } }) => `${weekName({ userId, week })} (${state})`),
    ),
    ...few(
      'meals of no week',
      ordered.filter(({ attemptId }) => !known.has(attemptId)).map(({ lunch }) => lunch),
    ),
  ]
}

/** How many weeks came to which end. */
export const weeksByState = (story: Story): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { kept } of weeksTried(story)) counts[kept.state] = (counts[kept.state] ?? 0) + 1
  return counts
}
