import {
  openPayments,
  getPaymentBypass,
  savePaymentBypass,
  type PaymentBypass,
  type OpenPayment,
} from '#contracts/payments'
import { pendingPayments, type PendingGroup } from '#contracts/transfers'
import { onlyRoles, route, signedIn, withFeature, type Route } from '#platform/http/route'
import { visibleBypass, detailsChangedLetter, paymentReply } from './instructions'
import type { PaymentsNeeds, UnpaidOrder, Person } from '../needs'
import {
  readPaymentBypass,
  switchedOff,
  lockPaymentBypass,
  writePaymentBypass,
  readLapsingSince,
} from './settings.rows'
import { isDeepStrictEqual } from 'node:util'
import type { BodyOf, QueryOf } from '#contracts/endpoint'
import { recordChanges } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { payWays, type PayWay } from '#contracts/ordering'
import { moneyOf } from '#kernel/meal-line'
import { kwachaFromNgwee } from '#kernel/money'
import { firstLapse, lapsingFrom } from './lapsing'
import { referencesOf, attemptsReferredTo } from './references.rows'
import type { Grade } from '#contracts/identity'
import { inOrderOfNames } from '../console/page-by-user'

/** Paying outside of the card provider: the settings, and what has yet to be paid. */
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

  route(pendingPayments, withFeature('pending_payments'), ({ query }) => pendingPaymentsPage(needs, query)),
]

/**
 * Sets the alternative payments. Other details than before need the current password of who sets them, and every
 * superadmin hears of it: they say where families send their money.
 */
const setPaymentBypass = (
  { identity, now }: PaymentsNeeds,
  { currentPassword, ...settings }: BodyOf<typeof savePaymentBypass>,
  user: { userId: number },
  by: By,
): Promise<PaymentBypass> =>
  identity.tellingSuperadmins(async (transaction, tell) => {
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

/** What a user has yet to pay outside of the card provider, by checkout, the oldest first. */
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
    // What is left of a checkout may be free, or paid by credit.
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

const groupsPerPage = 50
const shownBeforeMs = 60 * 60_000

/** Pending Payments (administrator.md section 2.12): who has yet to pay outside of the card provider, and for what. */
export const pendingPaymentsPage = async (
  needs: PaymentsNeeds,
  {
    page: asked,
    limit = groupsPerPage,
    sort = 'waiting',
    direction = 'asc',
    text = '',
  }: QueryOf<typeof pendingPayments>,
) => {
  const page = Math.max(1, asked ?? 1)
  const { groups, totalGroups } = await needs.ordering.unpaidOrders(await filterOf(needs, text), {
    sort,
    direction,
    usersByName: sort === 'parent' ? await usersByName(needs) : [],
    offset: (page - 1) * limit,
    limit,
  })
  const attemptIds = groups.flatMap(({ orders }) => orders.map(({ attemptId }) => attemptId))
  const [people, references, since] = await Promise.all([
    needs.identity.peopleOf(groups.map(({ userId }) => userId)),
    referencesOf(needs.database.knex, [...new Set(attemptIds)]),
    readLapsingSince(needs.database.knex),
  ])
  const now = needs.now()
  const lapsing = lapsingFrom(since, now, needs.zone)
  const soon = now.getTime() + shownBeforeMs
  const lapsesSoon = (orders: UnpaidOrder[]) => {
    const at = firstLapse(orders, lapsing)
    return at !== null && at.getTime() <= soon ? at.toISOString() : null
  }
  const totalPages = Math.max(1, Math.ceil(totalGroups / limit))
  return {
    data: groups.map((group) => ({
      ...groupReply(group, people.get(group.userId), references),
      lapsesAt: lapsesSoon(group.orders),
    })),
    pagination: {
      page,
      totalGroups,
      totalPages,
      hasNextPage: page < totalPages,
      hasPreviousPage: page > 1,
    },
  }
}

const filterOf = async ({ identity, database }: PaymentsNeeds, text: string) =>
  text === ''
    ? { text, userIds: [], attemptIds: [] }
    : {
        text,
        userIds: await identity.usersNamed(text),
        attemptIds: await attemptsReferredTo(database.knex, text),
      }

const usersByName = async ({ ordering, identity }: PaymentsNeeds): Promise<number[]> => {
  const userIds = await ordering.usersWithUnpaidOrders()
  const users = userIds.map((userId) => ({ userId }))
  return inOrderOfNames(users, await identity.usernamesOf(userIds), 'asc').map(({ userId }) => userId)
}

const groupReply = (
  { userId, orders }: { userId: number; orders: UnpaidOrder[] },
  parent: Person | undefined,
  references: ReadonlyMap<string, string>,
): Omit<PendingGroup, 'lapsesAt'> => ({
  parentId: userId,
  parentUsername: parent?.username ?? '',
  parentName: parent?.name ?? '',
  parentPhone: parent?.phone ?? null,
  totalAmount: kwachaFromNgwee(orders.reduce((sum, order) => sum + moneyOf(order), 0)),
  orders: orders.map((order) => ({
    id: order.id,
    orderDate: order.placedAt.toISOString(),
    student: { name: order.student.name, grade: order.student.grade as Grade },
    menuItem: { name: order.item.name },
    weekNumber: order.week,
    dayOfWeek: order.day,
    amount: kwachaFromNgwee(moneyOf(order)),
    reference: references.get(order.attemptId) ?? '',
    payBy: order.payBy ?? 'other',
  })),
})
