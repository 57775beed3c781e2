import type { Receipt } from '#contracts/books'
import { moneyOf, type MealLine } from '#kernel/meal-line'
import { kwachaFromNgwee, type Ngwee } from '#kernel/money'
import { paidFrom } from '#kernel/phone-number'
import { schoolMoment } from '#kernel/school-time'
import { holdsOneOf, type Principal } from '#platform/http/route'
import type { BooksNeeds } from '../ports'
import { refusal } from '../refusals'
import { booksSettings, vatPercentAt } from '../settings/settings.rows'
import { readReceiptNumber, receiptNumber, type CountedRow } from './receipt'
import { receiptOfNumber, receiptOfId, creditNotesOf } from './receipts.rows'

const officeFeatures = ['refunds', 'live_orders', 'pending_payments']

export const maySeeAll = (user: Principal): boolean =>
  user.role === 'admin' && holdsOneOf(user, ...officeFeatures)

type PaidMeal = Pick<
  MealLine,
  'mealDate' | 'category' | 'sideDish' | 'originalPrice' | 'price' | 'credit'
> & {
  student: { name: string }
  item: { name: string }
}

type Told = {
  meals: readonly PaidMeal[]
  references: readonly string[]
  providerReference: string | null
  phones: readonly (string | null)[]
}

export const receiptCommands = (needs: BooksNeeds) => {
  const { knex } = needs.database

  /** `mayRead` is given the owner. Throws `receipt_not_found`. */
  const receipt = async (text: string, mayRead: (userId: number | null) => boolean): Promise<Receipt> => {
    const asked = readReceiptNumber(text)
    const row = asked && (await receiptOfNumber(knex, asked))
    if (!row || !mayRead(row.user_id)) throw refusal('receipt_not_found')
    return replyOf(row)
  }

  const receiptOf = async (id: string): Promise<Receipt | null> => {
    const row = await receiptOfId(knex, id)
    return row && replyOf(row)
  }

  const replyOf = async (row: CountedRow): Promise<Receipt> => {
    const [told, settings, percent, corrected, notes, payer] = await Promise.all([
      receiptDetails(needs, row),
      booksSettings.read(knex),
      vatPercentAt(knex, new Date(row.at)),
      row.kind === 'credit_note' && row.receipt_id !== null ? receiptOfId(knex, row.receipt_id) : null,
      creditNotesOf(knex, row.id),
      row.user_id === null ? null : needs.identity.personOf(row.user_id),
    ])
    return {
      ...bookingOf(row, needs.zone),
      corrects: corrected && receiptNumber(corrected),
      creditNotes: notes.map(receiptNumber),
      school: { name: needs.schoolName, tpin: settings.tpin, address: settings.address },
      payer: payer && (payer.name ?? payer.username),
      paidFrom: paidFrom(told.phones, payer?.phone ?? null),
      references: [...told.references],
      providerReference: told.providerReference,
      ...sumsOf(row.amount, told.meals),
      vat: percent === null ? null : { percent, amount: kwachaFromNgwee(vatIn(row.amount, percent)) },
    }
  }

  return { receipt, receiptOf }
}

const bookingOf = (row: CountedRow, zone: string) => {
  const at = new Date(row.at)
  const { kind, method } = row
  return {
    number: receiptNumber(row),
    kind,
    at: at.toISOString(),
    date: schoolMoment(at, zone).date,
    method,
    amount: kwachaFromNgwee(row.amount),
  }
}

const sumsOf = (amount: Ngwee, meals: readonly PaidMeal[]) => {
  const sum = (of: (meal: PaidMeal) => Ngwee) => meals.reduce((total, meal) => total + of(meal), 0)
  const beyond = amount - sum(moneyOf)
  return {
    lines: meals.map(({ mealDate, student, item, category, sideDish, originalPrice, price, credit = 0 }) => ({
      mealDate,
      student: student.name,
      item: item.name,
      category,
      sideDish,
      originalPrice: kwachaFromNgwee(originalPrice),
      price: kwachaFromNgwee(price),
      credit: kwachaFromNgwee(credit),
    })),
    discount: kwachaFromNgwee(sum(({ originalPrice, price }) => originalPrice - price)),
    creditUsed: kwachaFromNgwee(sum(({ credit = 0 }) => credit)),
    surplus: kwachaFromNgwee(Math.max(0, beyond)),
    missing: kwachaFromNgwee(Math.max(0, -beyond)),
  }
}

/** Rounded half up to a whole ngwee. */
export const vatIn = (amount: Ngwee, percent: number): Ngwee => {
  const hundredths = Math.round(percent * 100)
  return Math.floor((2 * amount * hundredths + 10_000 + hundredths) / (2 * (10_000 + hundredths)))
}

const receiptDetails = async (needs: BooksNeeds, row: CountedRow): Promise<Told> => {
  if (row.refund_id !== null) return refunded(needs, row, row.refund_id)
  if (row.transfer_id !== null)
    return ofOrders(
      needs,
      row,
      (row.orders ?? []).map(({ orderId }) => orderId),
      row.transaction_id,
    )
  if (row.order_id !== null) return ofOrders(needs, row, [row.order_id], null)
  const paid =
    row.attempt_id === null ? null : await needs.payments.paidCheckout(row.attempt_id, momentOf(row))
  return {
    meals: paid?.meals ?? [],
    references: paid?.reference ? [paid.reference] : [],
    providerReference: paid?.providerReference ?? null,
    phones: paid?.phones ?? [],
  }
}

const momentOf = ({ at }: CountedRow): string => new Date(at).toISOString()

const ofOrders = async (
  { ordering, payments, transfers }: BooksNeeds,
  row: CountedRow,
  orderIds: readonly string[],
  providerReference: string | null,
): Promise<Told> => {
  const orders = await ordering.ordersNow(orderIds, momentOf(row))
  const attemptIds = [...new Set(orders.map(({ attemptId }) => attemptId))]
  const checkouts = await Promise.all(attemptIds.map((id) => payments.paidCheckout(id, momentOf(row))))
  const phone = row.transfer_id === null ? null : await transfers.phoneOfTransfer(row.transfer_id)
  return {
    meals: orders,
    references: checkouts.flatMap((checkout) => checkout?.reference ?? []),
    providerReference,
    phones: phone === null ? [] : [phone],
  }
}

const refunded = async (needs: BooksNeeds, row: CountedRow, refundId: string): Promise<Told> => {
  const at = momentOf(row)
  const [refund, checkout] = await Promise.all([
    needs.refunds.paidBack(refundId, row.id),
    row.attempt_id === null ? null : needs.payments.paidCheckout(row.attempt_id, at),
  ])
  const ordered = row.order_id === null ? [] : await needs.ordering.ordersNow([row.order_id], at)
  const line = typeof refund?.part === 'number' ? checkout?.meals[refund.part] : undefined
  const gone = ordered[0] ?? line
  return {
    meals: gone ? [gone] : [],
    references: checkout?.reference ? [checkout.reference] : [],
    providerReference: refund?.reference ?? null,
    phones: checkout?.phones ?? [],
  }
}
