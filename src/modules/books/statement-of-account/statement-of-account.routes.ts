import { stringify } from 'csv-stringify/sync'
import type { Knex } from 'knex'
import {
  statementOfAccount,
  statementOfAccountCsv,
  type StatementOfAccount,
  type BookMethod,
  type StatementLine,
} from '#contracts/books'
import { csvFormat } from '#contracts/csv'
import type { QueryOf } from '#contracts/endpoint'
import { addDays, instantAt, type SchoolDate } from '#kernel/school-time'
import type { Reader } from '#platform/database'
import { csvRoute } from '#platform/http/csv-route'
import { route, signedIn, type Principal, type Route } from '#platform/http/route'
import type { BookingKind, Method } from '../journal/booking'
import type { BooksNeeds } from '../ports'
import { receiptNumber, type CountedRow } from '../receipts/receipt'
import { maySeeAll } from '../receipts/receipts.commands'
import { refusal } from '../refusals'

type Asked = QueryOf<typeof statementOfAccount>

export const statementRoutes = (needs: BooksNeeds): Route[] => {
  const statement = statementOf(needs)
  const asked = (query: Asked, user: Principal) => statement(familyOf(query, user), query)
  return [
    route(statementOfAccount, signedIn, ({ query, user }) => asked(query, user)),

    csvRoute(statementOfAccountCsv, signedIn, async (range, user) => {
      const found = await asked(range, user)
      const name = `tuckshop-account-${found.parent.id}-${range.from}-${range.to}.csv`
      return { name, text: statementFile(found) }
    }),
  ]
}

/** Families see their own account; for others they get the same answer whether it exists or not. */
const familyOf = ({ parentId }: Asked, user: Principal): number => {
  if (user.role !== 'admin' && (parentId ?? user.userId) === user.userId) return user.userId
  if (!maySeeAll(user)) throw refusal('parent_not_found')
  if (parentId === undefined) throw refusal('parent_missing')
  return parentId
}

const head = ['Day', 'What', 'Meal of', 'Receipt', 'In (K)', 'Out (K)', 'Balance (K)']

const statementFile = ({ from, to, opening, lines, closing }: StatementOfAccount): string =>
  stringify(
    [
      head,
      [from, 'Opening balance', '', '', '', '', opening.balance],
      ...lines.map(({ date, text, mealDate, receiptNumber, amount, balance }) => [
        date,
        text,
        mealDate ?? '',
        receiptNumber ?? '',
        amount >= 0 ? amount : '',
        amount < 0 ? -amount : '',
        balance,
      ]),
      [to, 'Closing balance', '', '', '', '', closing.balance],
    ],
    { ...csvFormat, bom: true },
  )

type Range = { from: SchoolDate; to: SchoolDate }

/** Throws `parent_not_found`. */
const statementOf =
  (needs: BooksNeeds) =>
  async (userId: number, range: Range): Promise<StatementOfAccount> => {
    const { pool } = needs.database
    const person = await needs.identity.personOf(userId)
    if (!person) throw refusal('parent_not_found')
    const [opening, closing, steps] = await Promise.all([
      standingBefore(pool, userId, range.from),
      standingBefore(pool, userId, addDays(range.to, 1)),
      accountSteps(pool, userId, range),
    ])
    const [meals, numbers] = await Promise.all([mealsIn(needs, steps), numbersIn(needs, userId, range)])
    let { balance } = opening
    const lines = steps
      .filter(({ amount, kind }) => amount !== 0 || kind === 'meal')
      .map((step): StatementLine => {
        balance += step.amount
        const meal = meals.get(step.orderId ?? '')
        return {
          at: step.at.toISOString(),
          date: step.date,
          ...wordsOf(step, meal?.words ?? null),
          mealDate: meal?.date ?? null,
          orderId: step.orderId,
          receiptNumber: numbers(step),
          amount: step.amount / 100,
          balance: balance / 100,
        }
      })
    return {
      ...range,
      parent: { id: userId, username: person.username, name: person.name ?? '' },
      opening: kwacha(opening),
      lines,
      closing: kwacha(closing),
    }
  }

const kwacha = ({ balance, credit }: { balance: number; credit: number }) => ({
  balance: balance / 100,
  credit: credit / 100,
})

const mealsIn = async ({ ordering }: BooksNeeds, steps: readonly AccountStep[]) => {
  const ids = new Set(steps.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])))
  const meals = await ordering.ordersWhere({ ids: [...ids] })
  return new Map(
    meals.map(
      ({ id, mealDate: date, item, student }) =>
        [id, { date, words: `${item.name} for ${student.name}` }] as const,
    ),
  )
}

/** Assigns receipt numbers to payments and refunds by instant, kind and amount. */
const numbersIn = async ({ database: { knex }, zone }: BooksNeeds, userId: number, { from, to }: Range) => {
  const time = [instantAt(from, 0, 0, zone), instantAt(addDays(to, 1), 0, 0, zone)] as const
  const left = await numberedBetween(knex, userId, time)
  return ({ at, kind, amount }: AccountStep): string | null => {
    const wanted = kind === 'received' ? 'receipt' : kind === 'paid_back' ? 'credit_note' : null
    const isIt = (row: CountedRow) =>
      row.kind === wanted &&
      new Date(row.at).getTime() === at.getTime() &&
      Number(row.amount) === Math.abs(amount)
    const index = left.findIndex(isIt)
    const [found] = index < 0 ? [] : left.splice(index, 1)
    return found ? receiptNumber(found) : null
  }
}

const paidBy: Record<BookMethod, string> = {
  card: 'Paid by card',
  airtel: 'Paid by Airtel Money',
  mtn: 'Paid by MTN Money',
  bank: 'Paid by bank transfer',
  cash: 'Paid in cash',
  other: 'Paid',
}

const wordsOf = (
  { kind, method, amount }: AccountStep,
  meal: string | null,
): Pick<StatementLine, 'kind' | 'text'> => {
  switch (kind) {
    case 'received':
      return { kind: 'payment', text: paidBy[method ?? 'other'] }
    case 'paid_back':
      return { kind: 'refund', text: method === null ? about('Paid back', meal) : 'Payment undone' }
    case 'credit_paid_out':
      return { kind: 'refund', text: 'Credit paid out' }
    case 'meal':
      return { kind: 'meal', text: amount > 0 ? about('Not charged', meal) : (meal ?? 'Meal') }
    case 'granted':
      if (meal !== null)
        return { kind: 'credit', text: about(amount > 0 ? 'Absent' : 'Absence no longer counts', meal) }
      return { kind: 'credit', text: amount > 0 ? 'Credit from the school' : 'Credit taken back' }
    case 'written_off':
      return { kind: 'other', text: 'Accepted as paid' }
    default:
      return { kind: 'other', text: 'Given up' }
  }
}

const about = (what: string, meal: string | null): string => (meal === null ? what : `${what}: ${meal}`)

const inFavour = `case when kind in ('received', 'granted', 'written_off') then amount
  when kind in ('paid_back', 'meal', 'credit_paid_out', 'given_up') then -amount else 0 end`
const credit = `case when kind in ('credit_given', 'granted') then amount
  when kind in ('credit_spent', 'credit_paid_out') or (kind = 'given_up' and attempt_id is null) then -amount end`

type AccountStanding = { balance: number; credit: number }

const standingBefore = async (at: Reader, userId: number, date: SchoolDate): Promise<AccountStanding> => {
  const { rows } = await at.query<AccountStanding>({
    name: 'books-account-standing',
    text: `select coalesce(sum(${inFavour}), 0)::float8 as balance, coalesce(sum(${credit}), 0)::float8 as credit
      from books.bookings where user_id = $1 and booked < $2`,
    values: [userId, date],
  })
  return rows[0]!
}

type AccountStep = {
  at: Date
  date: SchoolDate
  kind: BookingKind
  method: Method | null
  amount: number
  orderId: string | null
}

const accountSteps = async (
  at: Reader,
  userId: number,
  { from, to }: { from: SchoolDate; to: SchoolDate },
): Promise<AccountStep[]> => {
  const { rows } = await at.query<AccountStep>({
    name: 'books-account-steps',
    text: `select max(at) as at, max(booked)::text as date, case kind when 'free_meal' then 'meal' else kind end as kind,
        max(method) as method,
        sum(${inFavour})::float8 as amount,
        case when count(distinct order_id) = 1 then max(order_id) end as "orderId"
      from books.bookings
      where user_id = $1 and booked between $2 and $3
        and kind not in ('owed', 'unpaid', 'late_meal', 'discount', 'cash_refund', 'credit_given', 'credit_spent')
      group by event_id, 3
      order by max(at), min(meal), event_id, 3`,
    values: [userId, from, to],
  })
  return rows
}

const numberedBetween = (
  knex: Knex,
  userId: number,
  [from, until]: readonly [Date, Date],
): Promise<CountedRow[]> =>
  knex<CountedRow>('books.receipts')
    .where({ user_id: userId })
    .whereIn('kind', ['receipt', 'credit_note'])
    .where('at', '>=', from)
    .where('at', '<', until)
    .orderBy(['year', 'number'])
