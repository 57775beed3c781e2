import type { BodyOf } from '#contracts/endpoint'
import { payWays, type PayWay } from '#contracts/ordering'
import {
  openPayments,
  getPaymentBypass,
  savePaymentBypass,
  type PaymentBypass,
  type OpenPayment,
  paymentBypass,
} from '#contracts/payments'
import { moneyOf } from '#kernel/meal-line'
import { kwachaFromNgwee } from '#kernel/money'
import { recordChanges } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { onlyRoles, route, signedIn, withFeature, type Route } from '#platform/http/route'
import type { PaymentsNeeds, UnpaidOrder } from '../needs'
import { visibleBypass, detailsChangedLetter, paymentReply } from './instructions'
import { firstLapse, lapsingFrom } from './lapsing'
import { referencesOf } from './references.rows'
import type { Knex } from 'knex'
import { isDeepStrictEqual } from 'node:util'

export const alternativeRoutes = (needs: PaymentsNeeds): Route[] => [
  route(getPaymentBypass, signedIn, async ({ user }) =>
    visibleBypass(await readPaymentBypass(needs.database.knex), switchedOff, user.role),
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

/** Changed details need the caller's password and are reported to every superadmin: they say where families send money. */
const setPaymentBypass = (
  { identity, messaging, now }: PaymentsNeeds,
  { currentPassword, ...settings }: BodyOf<typeof savePaymentBypass>,
  user: { userId: number },
  by: By,
): Promise<PaymentBypass> =>
  messaging.tellingSuperadmins(async (transaction, tell) => {
    const before = await lockPaymentBypass(transaction)
    const { enabled, beside, unpaidUntil } = before
    const moved = !isDeepStrictEqual(before, { ...settings, enabled, beside, unpaidUntil })
    if (moved) await identity.confirmPassword(user.userId, currentPassword)
    const at = now()
    await writePaymentBypass(transaction, settings, at)
    const change = { kind: 'settings', what: 'Payment settings changed', old: before, new: settings } as const
    await recordChanges(transaction, { ...by, at }, [change])
    if (moved) await tell(detailsChangedLetter)
    return settings
  })

const openPaymentsOf = async (needs: PaymentsNeeds, userId: number): Promise<OpenPayment[]> => {
  const { knex } = needs.database
  const unpaid = await needs.ordering.unpaidOrdersOf(userId)
  const attemptIds = [...new Set(unpaid.map(({ attemptId }) => attemptId))]
  const [references, settings, since, replies] = await Promise.all([
    referencesOf(knex, attemptIds),
    readPaymentBypass(knex),
    readLapsingSince(knex),
    needs.ordering.orderReplies(
      unpaid.map(({ id }) => id),
      needs.now(),
    ),
  ])
  const lapsing = lapsingFrom(since, needs.now(), needs.zone)
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

const chosenWay = ({ payBy }: UnpaidOrder): PayWay | undefined => payWays.find((way) => way === payBy)

const switchedOff: PaymentBypass = {
  enabled: false,
  beside: false,
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

export const readLapsingSince = async (knex: Knex): Promise<Date | null> => {
  const [since] = await knex('payments.settings').where({ name }).pluck<(Date | null)[]>('lapsing_since')
  return since ?? null
}
