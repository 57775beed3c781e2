import { isDeepStrictEqual } from 'node:util'
import type { BodyOf } from '#contracts/endpoint'
import { checkoutWays, type CheckoutWay } from '#contracts/ordering'
import {
  openPayments,
  getPaymentBypass,
  savePaymentBypass,
  type PaymentBypass,
  type OpenPayment,
} from '#contracts/payments'
import { moneyOf } from '#kernel/meal-line'
import { kwachaFromNgwee } from '#kernel/money'
import type { OrderFacts } from '#modules/ordering/index'
import { saveSettings } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { onlyRoles, route, signedIn, withFeature, type Route } from '#platform/http/route'
import { withVersion } from '#platform/versions'
import {
  lockPaymentBypass,
  readLapsing,
  readPaymentBypass,
  switchedOff,
  writePaymentBypass,
} from '../attempt/payment-bypass.rows'
import { referencesOf } from '../attempt/references.rows'
import { firstLapse } from '../attempt/unpaid.decide'
import type { PaymentsNeeds } from '../ports'
import { visibleBypass, detailsChangedLetter, paymentReply } from './instructions'

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
  const unpaid = await needs.ordering.ordersWhere({ userIds: [userId], state: 'unpaid' }, { sort: 'placed' })
  const attemptIds = [...new Set(unpaid.map(({ attemptId }) => attemptId))]
  const [references, settings, lapsing, replies] = await Promise.all([
    referencesOf(knex, attemptIds),
    readPaymentBypass(knex),
    readLapsing(needs),
    needs.ordering.orderReplies({ ids: unpaid.map(({ id }) => id) }, needs.now()),
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
