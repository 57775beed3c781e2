import { checkoutWays, type CheckoutWay } from '#contracts/ordering'
import { openPayments, getPaymentBypass, savePaymentBypass, type OpenPayment } from '#contracts/payments'
import { moneyOf } from '#kernel/meal-line'
import { kwachaFromNgwee } from '#kernel/money'
import type { OrderFacts } from '#modules/ordering/index'
import { onlyRoles, route, signedIn, type Route } from '#platform/http/route'
import { settingsRoutes } from '#platform/settings'
import { readBypass, readLapsing, storedBypass, switchedOff } from '../attempt/payment-bypass.rows'
import { referencesOf } from '../attempt/references.rows'
import { firstLapse } from '../attempt/unpaid.decide'
import type { PaymentsNeeds } from '../ports'
import { visibleBypass, detailsChangedLetter, paymentReply } from './instructions'

export const alternativeRoutes = (needs: PaymentsNeeds): Route[] => [
  ...settingsRoutes(needs, {
    endpoints: [getPaymentBypass, savePaymentBypass],
    readers: signedIn,
    stored: storedBypass,
    what: 'Payment settings changed',
    visible: (settings, { role }) =>
      visibleBypass(settings, switchedOff, { role, hasCards: needs.provider !== null }),
    check: async ({ before, after, changed, user, currentPassword }) => {
      if (isPaidElsewhere(changed) || (after.prompt && !before.prompt))
        await needs.identity.confirmPassword(user.userId, currentPassword)
    },
    told: {
      telling: needs.messaging.tellingSuperadmins,
      messages: ({ changed, user }) =>
        isPaidElsewhere(changed) ? [detailsChangedLetter(user.username)] : [],
    },
    options: { limit: { name: 'payment-bypass', points: 20, seconds: 300, by: 'user' } },
  }),

  route(openPayments, onlyRoles('parent', 'teacher'), async ({ user }) => ({
    data: await openPaymentsOf(needs, user.userId),
  })),
]

const whenAndHow: readonly string[] = ['enabled', 'beside', 'prompt', 'unpaidUntil']

const isPaidElsewhere = (changed: readonly string[]): boolean =>
  changed.some((field) => !whenAndHow.includes(field))

const openPaymentsOf = async (needs: PaymentsNeeds, userId: number): Promise<OpenPayment[]> => {
  const { knex } = needs.database
  const unpaid = await needs.ordering.ordersWhere({ userIds: [userId], state: 'unpaid' }, { sort: 'placed' })
  const attemptIds = [...new Set(unpaid.map(({ attemptId }) => attemptId))]
  const [references, settings, lapsing, replies] = await Promise.all([
    referencesOf(knex, attemptIds),
    readBypass(needs),
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
