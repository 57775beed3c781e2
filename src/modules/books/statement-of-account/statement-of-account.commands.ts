import type { BookMethod, StatementLine, StatementOfAccount } from '#contracts/books-days'
import { addDays, instantAt, type SchoolDate } from '#kernel/school-time'
import type { BooksNeeds } from '../needs'
import { receiptNumber, type CountedRow } from '../receipts/receipt'
import { refusal } from '../refusals'
import { accountSteps, numberedBetween, standingBefore, type AccountStep } from './account.rows'

type Range = { from: SchoolDate; to: SchoolDate }
type StatementNeeds = Pick<BooksNeeds, 'database' | 'identity' | 'ordering' | 'zone'>

/** A family's account between two days: how it stood, what happened, and how it stands. Throws `parent_not_found`. */
export const statementOf =
  (needs: StatementNeeds) =>
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

const mealsIn = async ({ ordering }: Pick<BooksNeeds, 'ordering'>, steps: readonly AccountStep[]) => {
  const ids = new Set(steps.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])))
  const meals = await ordering.mealsOfOrders([...ids])
  return new Map(
    meals.map(({ id, date, item, student }) => [id, { date, words: `${item} for ${student}` }] as const),
  )
}

/** Gives each payment and refund its number: the next one of its instant, kind and amount. */
const numbersIn = async (
  { database: { knex }, zone }: StatementNeeds,
  userId: number,
  { from, to }: Range,
) => {
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
      if (meal !== null) return { kind: 'credit', text: about('Absent', meal) }
      return { kind: 'credit', text: amount > 0 ? 'Credit from the school' : 'Credit taken back' }
    case 'written_off':
      return { kind: 'other', text: 'Accepted as paid' }
    default:
      return { kind: 'other', text: 'Given up' }
  }
}

const about = (what: string, meal: string | null): string => (meal === null ? what : `${what}: ${meal}`)
