import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import type { BodyOf } from '#contracts/endpoint'
import { checkoutWays, type CheckoutWay } from '#contracts/ordering'
import {
  openPayments,
  getPaymentBypass,
  savePaymentBypass,
  paymentBypass,
  type PaymentBypass,
  type OpenPayment,
} from '#contracts/payments'
import { graceEnd, moneyOf, portionKeptUntil, type MealLine, type UserMessage } from '#kernel/meal-line'
import { kwachaFromNgwee } from '#kernel/money'
import { timeText, schoolMoment, type SchoolDate } from '#kernel/school-time'
import type { OrderFacts } from '#modules/ordering/index'
import { saveSettings } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { onlyRoles, route, signedIn, withFeature, type Route } from '#platform/http/route'
import { withVersion } from '#platform/versions'
import { toPayFor, type StartedAttempt } from '../attempt/payment-attempt'
import type { PaymentsNeeds } from '../ports'
import { visibleBypass, detailsChangedLetter, paymentReply, instructionsLetter } from './instructions'

export const alternativeRoutes = (needs: PaymentsNeeds): Route[] => [
  route(getPaymentBypass, signedIn, async ({ user }) =>
    withVersion(
      record,
      visibleBypass(await readPaymentBypass(needs.database.knex), switchedOff, {
        role: user.role,
        hasCards: needs.provider !== null,
      }),
    ),
  ),

  route(
    savePaymentBypass,
    withFeature('settings'),
    ({ body, user, by }) => setPaymentBypass(needs, body, user, by),
    { limit: { name: 'payment-bypass', points: 20, seconds: 300, by: 'user' } },
  ),

  route(openPayments, onlyRoles('parent', 'teacher'), async ({ user }) => ({
    data: await openPaymentsOf(needs, user.userId),
  })),
]

const record = 'settings:payment-bypass'

/** Changed details need the caller's password and are reported to every superadmin: they say where families send money. */
const setPaymentBypass = (
  { identity, messaging, now }: PaymentsNeeds,
  { currentPassword, version, ...settings }: BodyOf<typeof savePaymentBypass>,
  user: { userId: number; username: string },
  by: By,
): Promise<PaymentBypass & { version: string }> =>
  messaging.tellingSuperadmins(async (transaction, tell) => {
    const before = await lockPaymentBypass(transaction)
    const { enabled, beside, prompt, unpaidUntil } = before
    const moved = !isDeepStrictEqual(before, { ...settings, enabled, beside, prompt, unpaidUntil })
    if (moved || (settings.prompt && !prompt)) await identity.confirmPassword(user.userId, currentPassword)
    const at = now()
    const what = 'Payment settings changed'
    const saved = { record, what, version, before, after: settings }
    const reply = await saveSettings(transaction, { ...by, at }, saved, () =>
      writePaymentBypass(transaction, settings, at),
    )
    if (moved) await tell(detailsChangedLetter(user.username))
    return reply
  })

const openPaymentsOf = async (needs: PaymentsNeeds, userId: number): Promise<OpenPayment[]> => {
  const { knex } = needs.database
  const unpaid = await needs.ordering.unpaidOrdersOf(userId)
  const attemptIds = [...new Set(unpaid.map(({ attemptId }) => attemptId))]
  const [references, settings, lapsing, replies] = await Promise.all([
    referencesOf(knex, attemptIds),
    readPaymentBypass(knex),
    readLapsing(needs),
    needs.ordering.orderReplies(
      unpaid.map(({ id }) => id),
      needs.now(),
    ),
  ])
  return attemptIds.flatMap((attemptId) => {
    const orders = unpaid.filter((order) => order.attemptId === attemptId)
    const reference = references.get(attemptId)
    const [first] = orders
    const amount = orders.reduce((sum, order) => sum + moneyOf(order), 0)
    // The rest of a checkout may be free or paid by credit.
    if (reference === undefined || !first || amount === 0) return []
    const { instructions } = paymentReply({ reference, amount, payBy: chosenWay(first) }, settings)
    const ids = new Set(orders.map(({ id }) => id))
    return [
      {
        reference,
        amount: kwachaFromNgwee(amount),
        payBy: first.payBy ?? 'other',
        placedAt: first.placedAt.toISOString(),
        lapsesAt: firstLapse(orders, lapsing)?.toISOString() ?? null,
        orders: replies.filter(({ id }) => ids.has(id)),
        instructions,
      },
    ]
  })
}

const chosenWay = ({ payBy }: OrderFacts): CheckoutWay | undefined =>
  checkoutWays.find((way) => way === payBy)

const switchedOff: PaymentBypass = {
  enabled: false,
  beside: false,
  prompt: false,
  unpaidUntil: 'never',
  airtelMoney: { name: '', number: '' },
  mtnMoney: { name: '', number: '' },
  bankTransfer: { bankName: '', accountName: '', accountNumber: '', branchName: '', swiftCode: '' },
}

const name = 'payment-bypass'

export const readPaymentBypass = async (knex: Knex): Promise<PaymentBypass> => {
  const [value] = await knex('payments.settings').where({ name }).pluck('value')
  return value === undefined ? switchedOff : paymentBypass.parse(value)
}

const lockPaymentBypass = async (transaction: Knex.Transaction): Promise<PaymentBypass> => {
  await transaction('payments.settings')
    .insert({ name, value: JSON.stringify(switchedOff) })
    .onConflict('name')
    .ignore()
  const [value] = await transaction('payments.settings').where({ name }).forUpdate().pluck('value')
  return paymentBypass.parse(value)
}

const writePaymentBypass = async (
  transaction: Knex.Transaction,
  settings: PaymentBypass,
  at: Date,
): Promise<void> => {
  await transaction('payments.settings')
    .where({ name })
    .update({
      value: JSON.stringify(settings),
      lapsing_since:
        settings.unpaidUntil === 'cutoff' ? transaction.raw('coalesce(lapsing_since, ?)', [at]) : null,
    })
}

/** Unpaid meals of today and later lapse from `from` on; those with their cutoff before the rule (`since`) are spared. */
export type Lapsing = { since: Date; from: Date; today: SchoolDate }

/** Null: unpaid meals stay. */
export const readLapsing = async ({
  database: { knex },
  now,
  zone,
  graceMinutes,
}: PaymentsNeeds): Promise<Lapsing | null> => {
  const [since] = await knex('payments.settings').where({ name }).pluck<(Date | null)[]>('lapsing_since')
  if (!since) return null
  const from = new Date(since.getTime() + graceMinutes * 60_000 + 1)
  return { since, from, today: schoolMoment(now(), zone).date }
}

export const instructionsCause = (attemptId: string): string => `payment-instructions/${attemptId}`

/** How to pay for this checkout. */
export const instructionsOf = async (
  needs: PaymentsNeeds,
  { status, checkout }: StartedAttempt,
): Promise<UserMessage | null> => {
  const { database, zone, graceMinutes } = needs
  const { companyRef, lines, payBy, office, at } = checkout
  // Of money that is there the receipt tells.
  if (status !== 'fulfilled' || companyRef === null || office?.received) return null
  const toPay = lines.filter((line) => moneyOf(line) > 0)
  const lapsesAt = firstLapse(
    toPay.map((line) => ({
      ...line,
      lapsesAt: line.late ? null : graceEnd(line, graceMinutes),
      portionUntil: null,
    })),
    await readLapsing(needs),
  )
  return instructionsLetter(
    {
      reference: companyRef,
      amount: toPayFor(lines),
      meals: lines,
      payBy,
      atOffice: office !== undefined,
      until: lapsesAt && timeText(lapsesAt, zone),
      limited: limitedIn(toPay, at, zone),
    },
    await readPaymentBypass(database.knex),
  )
}

const limitedIn = (lines: readonly MealLine[], at: string, zone: string) => {
  const kept = lines.flatMap((line) => {
    const until = portionKeptUntil(line, at)
    return until === null ? [] : [{ item: line.item.name, until }]
  })
  const [first] = kept
  return first
    ? { items: [...new Set(kept.map(({ item }) => item))], until: timeText(new Date(first.until), zone) }
    : null
}

// Without 0, O, 1, I and L, which are confused when typed.
const letters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const length = 6

/** The nth candidate for an attempt, e.g. `LP-7K3QW9`. */
export const referenceFor = (attemptId: string, round: number): string => {
  const bytes = createHash('sha256').update(`${attemptId}/${round}`).digest().subarray(0, length)
  return `LP-${[...bytes].map((byte) => letters[byte % letters.length]).join('')}`
}

const references = (knex: Knex) => knex('payments.alternative_references')
const payments = (knex: Knex) => knex('payments.attempts').where({ kind: 'alternative' })

/** Derived from the attempt, so that it is stable, and claimed, so that it is unique. */
export const claimReference = async (knex: Knex, attemptId: string): Promise<string> => {
  for (let round = 0; ; round += 1) {
    const reference = referenceFor(attemptId, round)
    if (await claimed(knex, reference, attemptId)) return reference
  }
}

const claimed = async (knex: Knex, reference: string, attemptId: string): Promise<boolean> => {
  // Claims may be lost with a disk: also checks the attempts, which are rebuilt.
  const [used] = await payments(knex).where({ reference }).whereNot({ id: attemptId }).pluck('id')
  if (used) return false
  await references(knex).insert({ reference, attempt_id: attemptId }).onConflict().ignore()
  const [owner] = await references(knex).where({ reference }).pluck('attempt_id')
  return owner === attemptId
}

export const referencesOf = async (
  knex: Knex,
  attemptIds: readonly string[],
): Promise<Map<string, string>> => {
  const rows: { id: string; reference: string }[] = await payments(knex)
    .whereIn('id', attemptIds)
    .select('id', 'reference')
  return new Map(rows.map(({ id, reference }) => [id, reference]))
}

export const attemptsReferredTo = (knex: Knex, text: string): Promise<string[]> =>
  payments(knex).whereRaw('position(lower(?) in lower(reference)) > 0', [text]).pluck('id')

const transferTakesMs = 30 * 60_000

/** The date of the meal whose cutoff comes first, if a transfer from now on would come too late for it. */
export const tooLateForTransfer = (lines: readonly MealLine[], at: Date): SchoolDate | null => {
  const [first] = lines
    .filter((line) => moneyOf(line) > 0)
    .toSorted((one, other) => one.cutoffAt.localeCompare(other.cutoffAt))
  return first && Date.parse(first.cutoffAt) - at.getTime() <= transferTakesMs ? first.mealDate : null
}

type Unpaid = { mealDate: SchoolDate; lapsesAt: Date | null; portionUntil: Date | null }

/** When the rule cancels it unpaid, the grace after its cutoff included; null: not by its cutoff. */
export const lapseByCutoff = (
  { mealDate, lapsesAt }: Omit<Unpaid, 'portionUntil'>,
  lapsing: Lapsing | null,
): Date | null =>
  lapsing !== null && lapsesAt !== null && lapsesAt >= lapsing.from && mealDate >= lapsing.today
    ? lapsesAt
    : null

/** The first instant at which one lapses, by cutoff or portion limit; null for none. */
export const firstLapse = (orders: readonly Unpaid[], lapsing: Lapsing | null): Date | null => {
  const times = orders.flatMap((order) =>
    [lapseByCutoff(order, lapsing), order.portionUntil].flatMap((at) => at?.getTime() ?? []),
  )
  return times.length === 0 ? null : new Date(Math.min(...times))
}
