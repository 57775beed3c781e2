import type { FamilyPage } from '#contracts/find'
import type { Grade } from '#contracts/identity'
import { kwachaFromNgwee } from '#kernel/money'
import { refusalTable } from '#kernel/refusal'
import { schoolMoment, type SchoolDate } from '#kernel/school-time'
import type { Audit } from '#modules/audit/index'
import type { Books } from '#modules/books/index'
import type { Credit } from '#modules/credit/index'
import type { Cycles } from '#modules/cycles/index'
import type { Identity } from '#modules/identity/index'
import type { Messaging, Message } from '#modules/messaging/index'
import type { OrderFacts, Ordering } from '#modules/ordering/index'
import { lapseByCutoff, type Lapsing, type Payments } from '#modules/payments/index'
import type { Refunds, RefundRow } from '#modules/refunds/index'
import type { Transfers } from '#modules/transfers/index'
import { readWithTimeout, tookTooLong, type Reader } from '#platform/database'
import type { FamilyPart } from '#platform/family-data'
import type { Ports } from '#platform/ports'
import {
  eatenThoughCancelled,
  eatenWhileIll,
  helpOf,
  isUnpaid,
  moneyIn,
  paymentText,
  statusOf,
  type WholePayment,
} from './family-status.decide'

export type FindNeeds = Ports & {
  messaging: Messaging
  identity: Identity
  credit: Credit
  cycles: Cycles
  ordering: Ordering
  payments: Payments
  transfers: Transfers
  refunds: Refunds
  books: Books
  audit: Audit
  /** Of all modules. */
  familyParts: () => readonly FamilyPart[]
  /** Parts that fail while the rest goes on, as `/readyz` names them. */
  failing: () => Promise<readonly { what: string; name: string; reason: string }[]>
}

const statementMs = 5_000
const maxEntries = 200
const maxOrders = 500

/** Throws `family_not_found` and `find_took_too_long`. */
export const familyPage =
  (needs: FindNeeds) =>
  async (userId: number, { mayOrder }: { mayOrder: boolean }): Promise<FamilyPage> => {
    try {
      const page = await readWithTimeout(needs.database.pool, statementMs, (at) => pageOf(needs, at, userId))
      return mayOrder ? await withDiscounts(needs, page) : page
    } catch (error) {
      throw tookTooLong(error) ? refusal('find_took_too_long') : error
    }
  }

const withDiscounts = async ({ ordering }: FindNeeds, page: FamilyPage): Promise<FamilyPage> => {
  const ids = page.children.map(({ id }) => id)
  const discount = await ordering.discountOf(page.parent.id, ids)
  const children = page.children.map((child) => ({
    ...child,
    discountPercentage: discount(child.id).percentage,
  }))
  return { ...page, children }
}

const pageOf = async (needs: FindNeeds, at: Reader, userId: number): Promise<FamilyPage> => {
  const [account] = await needs.identity.familyAccounts(at, [userId])
  if (!account || account.isDeleted || account.role === 'admin') throw refusal('family_not_found')
  const attempts = await needs.payments.attemptsOfFamily(at, userId)
  const orders = await needs.ordering.ordersWhere(
    { userIds: [userId] },
    { sort: 'newest', limit: maxOrders, at },
  )
  const attemptIds = [
    ...new Set([...attempts.map(({ shown }) => shown.id), ...orders.map((one) => one.attemptId)]),
  ]
  const refunds = await needs.refunds.refundsOfFamily(at, attemptIds)
  const references = await needs.payments.referencesOf(at, attemptIds)
  const messages = await needs.messaging.messagesOf(at, userId)
  const lapsing = await needs.payments.lapsing()
  const orderIds = orders.map(({ id }) => id)
  const history = await needs.audit.historyText(at, { attemptIds, orderIds }, maxEntries)
  const eaten = orders.filter(({ absent, status }) => !absent && status === 'completed').map(({ id }) => id)
  const spent = await needs.credit.absencesSpent(at, userId, eaten)
  const clock = { now: needs.now(), zone: needs.zone }
  const payments = attempts.map((payment): WholePayment => ({
    payment,
    orders: orders.filter(({ attemptId }) => attemptId === payment.shown.id),
    refunds: refunds.filter(({ attempt_id }) => attempt_id === payment.shown.id),
  }))
  const receipts = await needs.books.receiptNumbers(
    orders.filter(({ paymentStatus, payBy }) => paymentStatus === 'confirmed' && payBy !== null),
  )
  const { id, username, name, email, phone, role } = account
  const children = await needs.identity.familyChildren(at, userId)
  const today = schoolMoment(clock.now, clock.zone).date
  return {
    parent: { id, username, name, email, phone, role },
    children: children.map((child) => ({ ...child, grade: child.grade as Grade })),
    status: [...eatenWhileIll(orders, spent), ...eatenThoughCancelled(orders), ...statusOf(payments, clock)],
    upcoming: orders
      .filter(({ status, mealDate }) => status === 'pending' && mealDate >= today)
      .toSorted((one, other) => one.mealDate.localeCompare(other.mealDate))
      .map((order) => upcomingMeal(order, references, lapsing)),
    money: {
      unpaid: kwachaFromNgwee(moneyIn(orders.filter(isUnpaid))),
      owedBack: kwachaFromNgwee(refunds.reduce((sum, { owed }) => sum + owed, 0)),
      help: helpOf(payments),
      payments: payments.map((whole) => paymentShown(whole, paymentText(whole, clock), receipts)),
      refunds: refunds.map(refundShown),
    },
    credit: await needs.credit.creditOf(userId),
    ...(await needs.payments.planOfFamily(userId)),
    messages: messages.map(messageShown),
    reachedBy: await needs.identity.reachedBy(at, userId),
    history,
  }
}

const upcomingMeal = (
  order: OrderFacts,
  references: ReadonlyMap<string, string>,
  lapsing: Lapsing | null,
): FamilyPage['upcoming'][number] => ({
  id: order.id,
  mealDate: order.mealDate,
  student: { name: order.student.name, grade: order.student.grade as Grade },
  menuItem: { name: order.item.name },
  price: kwachaFromNgwee(order.price),
  status: order.status,
  paymentStatus: order.paymentStatus,
  payBy: order.payBy,
  absent: order.absent,
  reference: references.get(order.attemptId) ?? '',
  lapsesAt: isUnpaid(order) ? (lapseOf(order, lapsing)?.toISOString() ?? null) : null,
})

/** A limited portion is released before the cutoff. */
const lapseOf = (order: OrderFacts, lapsing: Lapsing | null): Date | null =>
  order.portionUntil ?? lapseByCutoff(order, lapsing)

const paymentShown = (
  { payment: { shown }, orders }: WholePayment,
  inWords: string,
  receipts: ReadonlyMap<string, string>,
): FamilyPage['money']['payments'][number] => ({
  id: shown.id,
  at: shown.at,
  reference: shown.reference,
  transactionId: shown.transactionId,
  kind: shown.kind,
  payBy: shown.payBy,
  paidFrom: shown.paidFrom,
  status: shown.status,
  state: shown.state,
  amount: shown.amount,
  receivedAmount: shown.receivedAmount,
  unpaid: kwachaFromNgwee(moneyIn(orders.filter(isUnpaid))),
  inWords,
  receipts: [...new Set(orders.flatMap(({ id }) => receipts.get(id) ?? []))],
  unpaidOrders:
    shown.kind === 'alternative'
      ? orders.filter(isUnpaid).map((order) => ({ id: order.id, amount: kwachaFromNgwee(moneyIn([order])) }))
      : [],
})

const refundShown = (refund: RefundRow): FamilyPage['money']['refunds'][number] => ({
  id: refund.id,
  student: { name: refund.student_name },
  menuItem: { name: refund.item_name },
  amount: kwachaFromNgwee(refund.amount),
  owed: kwachaFromNgwee(refund.owed),
  ...(refund.as_credit > 0 && { givenAsCredit: kwachaFromNgwee(refund.as_credit) }),
  dueSince: new Date(refund.due_since).toISOString(),
  doneAt: refund.paid_back_at === null ? null : new Date(refund.paid_back_at).toISOString(),
  asCredit: refund.paid_back_as === 'credit',
})

const messageShown = (message: Message): FamilyPage['messages'][number] => ({
  ...message,
  at: message.at.toISOString(),
  endedAt: message.endedAt?.toISOString() ?? null,
})

export const { refusal, statuses: findStatuses } = refusalTable({
  find_took_too_long: [503, 'This search took too long. Type more letters.'],
  family_not_found: [404, 'Family not found'],
})

/** What orders still wait for, in all and for this day's meals; amounts in ngwee. */
export const unpaidCounts = async (ordering: FindNeeds['ordering'], at: Reader, day: SchoolDate) => {
  const families = await ordering.totals({ state: 'unpaid' }, 'user', { at })
  const attempts = await ordering.totals({ state: 'unpaid' }, 'attempt', { at })
  const today = (await ordering.totals({ state: 'unpaid', dates: [day] }, 'date', { at })).get(day)
  return {
    families: families.size,
    attempts: attempts.size,
    amount: [...families.values()].reduce((sum, { toPay }) => sum + toPay, 0),
    today: today?.orders ?? 0,
    amountToday: today?.toPay ?? 0,
  }
}

/** Families whom a message of the last days did not reach, at most 500. */
export const unreachedFamilies = async (
  { messaging, identity, now }: Pick<FindNeeds, 'messaging' | 'identity' | 'now'>,
  at: Reader,
) => {
  const userIds = await messaging.undeliveredTo(at, now())
  return (await identity.familyAccounts(at, userIds)).filter(
    ({ role, isDeleted }) => role !== 'admin' && !isDeleted,
  )
}
