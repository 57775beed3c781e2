import type { Knex } from 'knex'
import type { Pool } from 'pg'
import { getReceipt, type Receipt } from '#contracts/books'
import { moneyOf, type MealLine } from '#kernel/meal-line'
import { kwachaFromNgwee, type Ngwee } from '#kernel/money'
import { schoolMoment } from '#kernel/school-time'
import type { Identity } from '#modules/identity/index'
import type { Ordering } from '#modules/ordering/index'
import type { Payments } from '#modules/payments/index'
import type { Refunds } from '#modules/refunds/index'
import type { Reader } from '#platform/database'
import { route, signedIn, type Principal, type Route } from '#platform/http/route'
import type { Ports } from '#platform/ports'
import { refusal } from '../refusals'
import { readBooksSettings, vatPercentAt } from '../settings/settings.routes'
import { readReceiptNumber, receiptNumber, type CountedRow, type Numbered } from './receipt'

export type ReceiptNeeds = Ports & {
  identity: Identity
  ordering: Ordering
  payments: Payments
  refunds: Refunds
}

export const receiptRoutes = (needs: ReceiptNeeds): Route[] => {
  const { receipt } = receiptCommands(needs)
  return [
    route(getReceipt, signedIn, ({ params, user }) =>
      receipt(params.number, (userId) => userId === user.userId || maySeeAll(user)),
    ),
  ]
}

const officeFeatures = ['refunds', 'live_orders', 'pending_payments']

export const maySeeAll = ({ role, isSuperadmin, features }: Principal): boolean =>
  role === 'admin' && (isSuperadmin || features.some((feature) => officeFeatures.includes(feature)))

/** As paid. */
type PaidMeal = Pick<
  MealLine,
  'mealDate' | 'category' | 'sideDish' | 'originalPrice' | 'price' | 'credit'
> & {
  student: { name: string }
  item: { name: string }
}

type Told = { meals: readonly PaidMeal[]; references: readonly string[]; providerReference: string | null }

export const receiptCommands = (needs: ReceiptNeeds) => {
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
      readBooksSettings(knex),
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

const receiptDetails = async (needs: ReceiptNeeds, row: CountedRow): Promise<Told> => {
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
  }
}

const momentOf = ({ at }: CountedRow): string => new Date(at).toISOString()

const ofOrders = async (
  { ordering, payments }: ReceiptNeeds,
  row: CountedRow,
  orderIds: readonly string[],
  providerReference: string | null,
): Promise<Told> => {
  const orders = await ordering.ordersNow(orderIds, momentOf(row))
  const attemptIds = [...new Set(orders.map(({ attemptId }) => attemptId))]
  const checkouts = await Promise.all(attemptIds.map((id) => payments.paidCheckout(id, momentOf(row))))
  return {
    meals: orders,
    references: checkouts.flatMap((checkout) => checkout?.reference ?? []),
    providerReference,
  }
}

const refunded = async (needs: ReceiptNeeds, row: CountedRow, refundId: string): Promise<Told> => {
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
  }
}

const receiptOfNumber = async (
  knex: Knex,
  { kind, year, number }: { kind: Numbered; year: number; number: number },
): Promise<CountedRow | null> =>
  (await knex<CountedRow>('books.receipts').where({ kind, year, number }).first()) ?? null

const receiptOfId = async (knex: Knex, id: string): Promise<CountedRow | null> =>
  (await knex<CountedRow>('books.receipts').where({ id, kind: 'receipt' }).first()) ?? null

export const receiptsOfIds = (knex: Knex, ids: readonly string[]): Promise<CountedRow[]> =>
  knex<CountedRow>('books.receipts')
    .where({ kind: 'receipt' })
    .whereRaw('id = any(?::text[])', [[...ids]])

const creditNotesOf = (knex: Knex, receiptId: string): Promise<CountedRow[]> =>
  knex<CountedRow>('books.receipts')
    .where({ receipt_id: receiptId, kind: 'credit_note' })
    .orderBy(['year', 'number'])

export const creditNotesOfRefunds = async (
  knex: Knex,
  refundIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const notes = await knex<CountedRow & { refund_id: string }>('books.receipts')
    .where({ kind: 'credit_note' })
    .whereIn('refund_id', [...refundIds])
    .orderBy(['year', 'number'])
  return new Map(notes.map((note) => [note.refund_id, receiptNumber(note)]))
}

const maxUntold = 500

export const untoldReceipts = (
  knex: Knex,
  { from, until }: { from: Date; until: Date },
  isUndone: string,
): Promise<{ id: string; userId: number }[]> =>
  knex('books.receipts as letter')
    .where({ kind: 'receipt' })
    .whereNotNull('transfer_id')
    .whereNotNull('user_id')
    .whereBetween('at', [from, until])
    .whereRaw(isUndone)
    .orderBy(['at', 'id'])
    .limit(maxUntold)
    .select('id', { userId: 'user_id' })

type ReceiptLead = { userId: number; attemptId: string | null; orderIds: string[] }

export const receiptsByNumber = async (
  at: Reader,
  { kind, year, number }: { kind: Numbered; year: number; number: number },
): Promise<ReceiptLead[]> => {
  const { rows } = await at.query<ReceiptLead>(
    `with called as (
       select id, receipt_id from books.receipts where kind = $1 and year = $2 and number = $3)
     select user_id as "userId", attempt_id as "attemptId",
       array_remove(array_append(
         array(select line->>'orderId' from jsonb_array_elements(coalesce(orders, '[]')) line), order_id), null)
         as "orderIds"
     from books.receipts
     where id in (select id from called union select receipt_id from called) and user_id is not null`,
    [kind, year, number],
  )
  return rows
}

type OrderOfPayment = { id: string; attemptId: string }

// Card: the checkout's receipt; otherwise the order names it or is one.
const numbersOfOrders = {
  name: 'receipt-numbers-of-orders',
  text: `select asked.id as "orderId", r.kind, r.year, r.number
    from unnest($1::text[], $2::text[]) as asked (id, attempt_id)
    left join books.receipts own on own.id = asked.id
    join books.receipts r on r.kind = 'receipt'
      and r.id = coalesce(case own.kind when 'receipt' then own.id else own.receipt_id end, asked.attempt_id)`,
}

export const receiptNumbers =
  (pool: Pool) =>
  async (orders: readonly OrderOfPayment[]): Promise<ReadonlyMap<string, string>> => {
    if (orders.length === 0) return new Map()
    const { rows } = await pool.query<Pick<CountedRow, 'kind' | 'year' | 'number'> & { orderId: string }>({
      ...numbersOfOrders,
      values: [orders.map(({ id }) => id), orders.map(({ attemptId }) => attemptId)],
    })
    return new Map(rows.map((row) => [row.orderId, receiptNumber(row)]))
  }
