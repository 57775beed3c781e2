import type { Knex } from 'knex'
import { v7 } from 'uuid'
import { mealMessage, moneyOf, type UserMessage } from '#kernel/meal-line'
import { decimalFromNgwee } from '#kernel/money'
import { deadlinesText, timeText } from '#kernel/school-time'
import type { OrderFacts } from '#modules/ordering/index'
import type { Lapsing } from '#modules/payments/index'
import { ownWritesShown, writing } from '#platform/event-store/command-handler'
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
    const unpaid = await ordering.ordersWhere({ state: 'lapsing', portionUntil: now })
    // Orders keep a portion when the limit is removed.
    const portions = unpaid.filter(({ portionUntil }) => portionUntil !== null)
    await lapseUnpayable(needs, portions, 'portion-lapsed')
    if (lapsing !== null) {
      await lapseUnpayable(needs, await ordersToLapse(needs, lapsing, lapsing.from, now), 'lapsed')
      await noteLapseMails(knex, 'warning', await ordersToWarnOf(needs, lapsing, now))
    }
    const toldSince = new Date(now.getTime() - toldWithinDays * dayMs)
    await noteLapseMails(knex, 'lapsed', await ordering.ordersWhere({ lapsedSince: toldSince }))
    await writeMails(needs)
  },
})

/** An open row that could pay keeps a meal until the office looks. */
const lapseUnpayable = async (
  needs: TransfersNeeds,
  orders: readonly OrderFacts[],
  act: 'lapsed' | 'portion-lapsed',
): Promise<void> => {
  if (orders.length === 0) return
  const due = orders.map(({ id }) => id)
  const payable = await openRowsThatCouldPay(needs, due)
  const unpayable = due.filter((id) => !payable.has(id))
  const by = writing({ actor: `job:${name}`, correlationId: v7() })
  if (unpayable.length > 0) await needs.ordering.change(unpayable, act, by)
  // The letters name what has lapsed.
  await ownWritesShown(by, needs)
}

const ordersToLapse = (
  { ordering }: TransfersNeeds,
  { today }: Lapsing,
  lapsesFrom: Date,
  lapsesUntil: Date,
): Promise<OrderFacts[]> => ordering.ordersWhere({ state: 'lapsing', from: today, lapsesFrom, lapsesUntil })

/** Orders of the last day were announced with instructions. */
const ordersToWarnOf = async (needs: TransfersNeeds, lapsing: Lapsing, now: Date): Promise<OrderFacts[]> => {
  const first = new Date(Math.max(now.getTime() + 1, lapsing.from.getTime()))
  const orders = await ordersToLapse(needs, lapsing, first, new Date(now.getTime() + dayMs))
  return orders.filter(
    ({ placedAt, lapse }) =>
      placedAt.getTime() <= Math.max(lapse!.getTime() - dayMs, lapsing.since.getTime()),
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
  const isTrue = about === 'warning' ? isUnpaid : ({ lapsed }: OrderFacts) => lapsed
  const orders = (await ordering.ordersWhere({ ids: orderIds })).filter(isTrue)
  const references = await payments.alternativeReferences([
    ...new Set(orders.map(({ attemptId }) => attemptId)),
  ])
  const message = about === 'warning' ? lapseWarning(orders, references, zone) : lapsedLetter(orders)
  if (orders.length > 0) await messaging.messageUser(userId, message, `lapse-${id}`)
  await noteLapseTold(database.knex, id, now())
}

const isUnpaid = ({ status, paymentStatus, lapse }: OrderFacts): boolean =>
  status === 'pending' && paymentStatus === 'pending' && lapse !== null

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

export const lapseWarning = (
  orders: readonly OrderFacts[],
  references: ReadonlyMap<string, string>,
  zone: string,
): UserMessage =>
  mealMessage({
    what: 'Not paid yet',
    meals: orders,
    start: 'we have not seen the payment for these meals. What is not paid for in time is cancelled:',
    more: (order) => `, K${decimalFromNgwee(moneyOf(order))}, reference ${references.get(order.attemptId)}`,
    end: [
      `Please pay ${deadlinesText(
        orders.map(({ mealDate, lapse }) => ({ mealDate, until: lapse! })),
        zone,
      )}.`,
      'If you have paid already, you need not pay again: we shall see it soon.',
    ],
    short: (meals) => {
      const toPay = orders.reduce((sum, order) => sum + moneyOf(order), 0)
      const first = new Date(Math.min(...orders.map(({ lapse }) => lapse!.getTime())))
      const named = [...new Set(orders.map(({ attemptId }) => references.get(attemptId)))].join(', ')
      return `Not paid yet: ${meals}, K${decimalFromNgwee(toPay)}, reference ${named}. Cancelled from ${timeText(first, zone)}.`
    },
  })

export const lapsedLetter = (orders: readonly OrderFacts[]): UserMessage =>
  mealMessage({
    what: 'Cancelled',
    why: ': not paid for',
    meals: orders,
    start: 'these meals were not paid for in time and are cancelled:',
    more: ({ credit }) =>
      credit > 0
        ? `, you owe nothing, and K${decimalFromNgwee(credit)} goes back to your credit`
        : ', you owe nothing',
    end: ['If you have paid, please tell the school your reference.'],
    short: (meals) =>
      `Cancelled, not paid for: ${meals}. If you have paid, please tell the school your reference.`,
  })

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
