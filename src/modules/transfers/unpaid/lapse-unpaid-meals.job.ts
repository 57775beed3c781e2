import type { Knex } from 'knex'
import { v7 } from 'uuid'
import { bareMealText, mealText, mealsInShort, type UserMessage } from '#kernel/meal-line'
import { decimalFromNgwee } from '#kernel/money'
import { timeText } from '#kernel/school-time'
import type { LapsingOrder } from '#modules/ordering/index'
import type { Lapsing } from '#modules/payments/index'
import { ownWritesShown, writing, type By } from '#platform/event-store/command-handler'
import type { Sweep } from '#platform/module'
import { each } from '#platform/pacing'
import type { Ports } from '#platform/ports'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import type { TransfersNeeds } from '../ports'
import { openRowsThatCouldPay } from '../statements/matches.rows'

const toldWithinDays = 7

const name = 'lapse-unpaid-meals'

/** Limited meals lapse after their portion time, others (if enabled) once the grace after their cutoff is over, unless an open statement row could pay. */
export const lapseUnpaidMeals = (needs: TransfersNeeds): Sweep => ({
  name,
  run: async () => {
    const { knex } = needs.database
    const now = needs.now()
    const { ordering, payments } = needs
    const lapsing = await payments.lapsing()
    await lapseUnpayable(needs, await ordering.portionsToLapse(now), ordering.lapsePortions)
    if (lapsing !== null) {
      const due = (await ordering.ordersToLapse(lapsing.from, now, lapsing.today)).map(({ id }) => id)
      await lapseUnpayable(needs, due, ordering.lapseOrders)
      await noteLapseMails(knex, 'warning', await ordersToWarnOf(needs, lapsing, now))
    }
    const toldSince = new Date(now.getTime() - toldWithinDays * dayMs)
    await noteLapseMails(knex, 'lapsed', await needs.ordering.lapsedOrders(toldSince))
    await writeMails(needs)
  },
})

/** An open row that could pay keeps a meal until the office looks. */
const lapseUnpayable = async (
  needs: TransfersNeeds,
  due: readonly string[],
  lapse: (orderIds: readonly string[], by: By) => Promise<unknown>,
): Promise<void> => {
  if (due.length === 0) return
  const payable = await openRowsThatCouldPay(needs, due)
  const unpayable = due.filter((id) => !payable.has(id))
  const by = writing({ actor: `job:${name}`, correlationId: v7() })
  if (unpayable.length > 0) await lapse(unpayable, by)
  // The letters name what has lapsed.
  await ownWritesShown(by, needs)
}

/** Orders of the last day were announced with instructions. */
const ordersToWarnOf = async (
  { ordering }: TransfersNeeds,
  { since, from, today }: Lapsing,
  now: Date,
): Promise<LapsingOrder[]> => {
  const first = new Date(Math.max(now.getTime() + 1, from.getTime()))
  const orders = await ordering.ordersToLapse(first, new Date(now.getTime() + dayMs), today)
  return orders.filter(
    ({ placedAt, lapsesAt }) => placedAt.getTime() <= Math.max(lapsesAt.getTime() - dayMs, since.getTime()),
  )
}

const writeMails = async (needs: TransfersNeeds): Promise<void> =>
  each(await unwrittenLapseMails(needs.database.knex), (mail) => writeMail(needs, mail))

/** Only what is still true; the same mail if repeated. */
const writeMail = async (
  needs: TransfersNeeds,
  { id, userId, about, orderIds }: LapseMail,
): Promise<void> => {
  const { database, ordering, messaging, payments, zone, now } = needs
  const told = about === 'warning' ? 'unpaid' : 'lapsed'
  const orders = (await ordering.lapsingOrders(orderIds)).filter(({ state }) => state === told)
  const references = await payments.alternativeReferences([
    ...new Set(orders.map(({ attemptId }) => attemptId)),
  ])
  const message = about === 'warning' ? lapseWarning(orders, references, zone) : lapsedLetter(orders)
  if (orders.length > 0) await messaging.messageUser(userId, message, `lapse-${id}`)
  await noteLapseTold(database.knex, id, now())
}

type LapseNews = 'warning' | 'lapsed'

type LapseMail = { id: string; userId: number; about: LapseNews; orderIds: string[] }

const mails = (knex: Knex) => knex('transfers.lapse_mails')

/** Assigns orders to one mail per family; kept, so that a rewrite after a crash is the same mail. */
const noteLapseMails = async (
  knex: Knex,
  about: LapseNews,
  orders: readonly { id: string; userId: number }[],
): Promise<void> => {
  if (orders.length === 0) return
  const ids = orders.map(({ id }) => id)
  const noted = new Set(await mails(knex).whereIn('order_id', ids).where({ about }).pluck('order_id'))
  const mailOf = new Map(orders.map(({ userId }) => [userId, v7()]))
  const rows = orders
    .filter(({ id }) => !noted.has(id))
    .map(({ id, userId }) => ({ order_id: id, about, user_id: userId, mail_id: mailOf.get(userId) }))
  for (let from = 0; from < rows.length; from += 1000)
    await mails(knex)
      .insert(rows.slice(from, from + 1000))
      .onConflict(['order_id', 'about'])
      .ignore()
}

const unwrittenLapseMails = (knex: Knex): Promise<LapseMail[]> =>
  mails(knex)
    .whereNull('told_at')
    .groupBy('mail_id', 'user_id', 'about')
    .orderBy('mail_id')
    .select({ id: 'mail_id', userId: 'user_id' }, 'about', knex.raw('array_agg(order_id) as "orderIds"'))

const noteLapseTold = async (knex: Knex, id: string, at: Date): Promise<void> => {
  await mails(knex).where({ mail_id: id }).update({ told_at: at })
}

const letter = (
  subject: string,
  start: string,
  orders: readonly LapsingOrder[],
  more: (order: LapsingOrder) => string,
  end: string,
  short: (meals: string) => string,
): UserMessage => {
  const wordsOf = (mealOf: typeof mealText) =>
    `${start}\n${orders.map((order) => `- ${mealOf(order)}: ${more(order)}`).join('\n')}\n\n${end}`
  const meals = mealsInShort(orders.map(({ date }) => date))
  return { subject, text: wordsOf(mealText), bareText: wordsOf(bareMealText), short: short(meals) }
}

export const lapseWarning = (
  orders: readonly LapsingOrder[],
  references: ReadonlyMap<string, string>,
  zone: string,
): UserMessage =>
  letter(
    'Meals of yours are not paid for yet',
    'we have not seen the payment for these meals. What is not paid for in time is cancelled:',
    orders,
    ({ toPay, attemptId, lapsesAt }) =>
      `K${decimalFromNgwee(toPay)}, reference ${references.get(attemptId)}, until ${timeText(lapsesAt, zone)}`,
    'If you have paid already, you need not pay again: we shall see it soon.',
    (meals) => {
      const toPay = orders.reduce((sum, order) => sum + order.toPay, 0)
      const first = new Date(Math.min(...orders.map(({ lapsesAt }) => lapsesAt.getTime())))
      const named = [...new Set(orders.map(({ attemptId }) => references.get(attemptId)))].join(', ')
      return `Not paid yet: ${meals}, K${decimalFromNgwee(toPay)}, reference ${named}. Cancelled from ${timeText(first, zone)}.`
    },
  )

export const lapsedLetter = (orders: readonly LapsingOrder[]): UserMessage =>
  letter(
    'Meals of yours were cancelled: they were not paid for',
    'these meals were not paid for in time and are cancelled:',
    orders,
    ({ credit }) =>
      credit > 0
        ? `you owe nothing, and K${decimalFromNgwee(credit)} goes back to your credit`
        : 'you owe nothing',
    'If you have paid, please tell the school your reference.',
    (meals) => `Cancelled, not paid for: ${meals}. If you have paid, please tell the school your reference.`,
  )

/** Asked for within a week; then it still shows who was told. */
const lapseMailsKeptDays = 90

export const lapseMailRetention = ({ database: { pool }, now }: Ports): Retention => ({
  name: 'transfers.lapse_mails',
  kept: `${lapseMailsKeptDays} days`,
  remove: deleteUntil(
    pool,
    'transfers.lapse_mails',
    'told_at < $1',
    () => new Date(now().getTime() - lapseMailsKeptDays * dayMs),
  ),
})
