import { isForEverybody } from '#contracts/cycles'
import {
  figureFeatures,
  moneyFeatures,
  today,
  todayFigures,
  waitingFeatures,
  type TodayFigures,
  type Waiting,
  type WaitingKind,
} from '#contracts/find'
import { kwachaFromNgwee, type Ngwee, ngweeFromKwacha } from '#kernel/money'
import { addDays, schoolMoment, weekdayOf, type SchoolDate } from '#kernel/school-time'
import { readWithTimeout, tookTooLong, type Reader } from '#platform/database'
import { holdsOneOf, route, withFeature, type Principal, type Route } from '#platform/http/route'
import { refusal, type FindNeeds, unpaidCounts, unreachedFamilies } from './family.commands'

export const todayRoutes = (needs: FindNeeds): Route[] => [
  route(today, withFeature(...moneyFeatures), async ({ user }) => {
    const counts = await readQuickly(needs, (at) => countAll(needs, at, user))
    return { data: counts.filter(({ count }) => count > 0) }
  }),
  route(todayFigures, withFeature(...moneyFeatures), ({ user }) =>
    readQuickly(needs, (at) => figuresOf(needs, at, user)),
  ),
]

const statementMs = 2_000
const maxNamed = 5

type Count = Omit<Waiting, 'what'>

/** Throws `find_took_too_long`. */
const readQuickly = async <Result>(
  { database }: FindNeeds,
  read: (at: Reader) => Promise<Result>,
): Promise<Result> => {
  try {
    return await readWithTimeout(database.pool, statementMs, read)
  } catch (error) {
    throw tookTooLong(error) ? refusal('find_took_too_long') : error
  }
}

const figuresOf = async (needs: FindNeeds, at: Reader, user: Principal): Promise<TodayFigures> => {
  const date = schoolMoment(needs.now(), needs.zone).date
  const lastWeek = addDays(date, -7)
  const may = (name: keyof typeof figureFeatures) => holdsOneOf(user, ...figureFeatures[name])
  const booked = may('received') || may('owed') ? await bookFigures(needs, at, date) : null
  return {
    date,
    received: may('received') ? booked!.received : null,
    lunches: may('lunches') ? await lunchFigures(needs, at, date) : null,
    unpaid: may('unpaid')
      ? {
          today: kwachaFromNgwee(await needs.books.unpaidForMeals(at, date)),
          lastWeek: kwachaFromNgwee(await needs.books.unpaidForMeals(at, lastWeek)),
          lunches: (await unpaidCounts(needs.ordering, at, date)).today,
        }
      : null,
    owed: may('owed') ? booked!.owed : null,
  }
}

const receiptDays = 14

const bookFigures = async ({ books }: FindNeeds, at: Reader, date: SchoolDate) => {
  const asked = { from: addDays(date, 1 - receiptDays), to: date, by: 'payment' } as const
  const { days } = await books.dayEndBetween(at, asked)
  const [now, before] = [days.at(-1)!, days.at(-8)!]
  const received = days.map((day) => ({ date: day.date, amount: kwachaSum(day.methods) }))
  const methods = now.methods.filter(({ amount }) => amount !== 0)
  return {
    received: {
      today: received.at(-1)!.amount,
      lastWeek: received.at(-8)!.amount,
      methods: methods.map(({ method, amount }) => ({ method, amount })),
      days: received,
    },
    owed: { today: now.owed, lastWeek: before.owed },
  }
}

/** Exact to the ngwee. */
const kwachaSum = (parts: readonly { amount: number }[]): number =>
  parts.reduce((sum, { amount }) => sum + ngweeFromKwacha(amount), 0) / 100

const schoolDaysShown = 5

const lunchFigures = async ({ cycles, ordering }: FindNeeds, at: Reader, date: SchoolDate) => {
  const closed = new Set((await cycles.standingClosures()).filter(isForEverybody).map((day) => day.date))
  const coming: SchoolDate[] = []
  for (let day = date; coming.length < schoolDaysShown; day = addDays(day, 1))
    if (weekdayOf(day) <= 5 && !closed.has(day)) coming.push(day)
  const dates = [addDays(date, -7), date, ...coming]
  const totals = await ordering.totals({ state: 'active', dates }, 'date', { at })
  const lunchesOn = (day: SchoolDate) => totals.get(day)?.orders ?? 0
  return {
    today: lunchesOn(date),
    lastWeek: lunchesOn(addDays(date, -7)),
    days: coming.map((day) => ({ date: day, lunches: lunchesOn(day) })),
  }
}

const countAll = async (needs: FindNeeds, at: Reader, user: Principal): Promise<Waiting[]> => {
  const counts: Waiting[] = []
  const counting = countsOf(needs, at, user)
  for (const what of Object.keys(waitingFeatures) as WaitingKind[])
    if (holdsOneOf(user, ...waitingFeatures[what])) counts.push({ what, ...(await counting[what]()) })
  return counts
}

const countsOf = (
  { ordering, transfers, refunds, credit, payments, books, messaging, identity, now, zone }: FindNeeds,
  at: Reader,
  { userId }: Principal,
): Record<WaitingKind, () => Promise<Count>> => {
  const date = schoolMoment(now(), zone).date
  const unpaid = once(() => unpaidCounts(ordering, at, date))
  const owed = once(() => refunds.refundsWaiting(at))
  return {
    payments_to_decide: async () => ofNumber(await payments.paymentsToDecide(at, now())),
    unpaid_today: async () => ofMoney((await unpaid()).today, (await unpaid()).amountToday),
    approvals: async () => {
      const askedBy = [...(await owed()).askedBy, ...(await credit.payoutsAskedBy(at))]
      const tied = await identity.tiedTo(userId, askedBy)
      return ofNumber(askedBy.filter((asker) => !tied.has(asker)).length)
    },
    card_refunds_to_check: async () => ofNumber((await owed()).toCheck),
    statement_rows: async () => {
      const { count, amount } = await transfers.openRowsCount(at)
      return ofMoney(count, amount)
    },
    unpaid_families: async () => ofMoney((await unpaid()).families, (await unpaid()).amount),
    unpaid_payments: async () => ofMoney((await unpaid()).attempts, (await unpaid()).amount),
    refunds_due: async () => ofMoney((await owed()).due, (await owed()).owed),
    undelivered: async () => {
      const families = await unreachedFamilies({ messaging, identity, now }, at)
      return {
        ...ofNumber(families.length),
        families: families
          .slice(0, maxNamed)
          .map(({ id, name, username }) => ({ id, name: name || username })),
      }
    },
    days_to_close: async () => ofNumber(await books.daysToClose(at, date)),
  }
}

const once = <Value>(read: () => Promise<Value>): (() => Promise<Value>) => {
  let reading: Promise<Value> | null = null
  return () => (reading ??= read())
}

const ofNumber = (count: number): Count => ({ count, amount: null })
const ofMoney = (count: number, ngwee: Ngwee): Count => ({ count, amount: kwachaFromNgwee(ngwee) })
