import { moneyFeatures, today, waitingFeatures, type Waiting, type WaitingKind } from '#contracts/find'
import { kwachaFromNgwee, type Ngwee } from '#kernel/money'
import { schoolMoment } from '#kernel/school-time'
import { readWithTimeout, tookTooLong, type Reader } from '#platform/database'
import { route, withFeature, type Principal, type Route } from '#platform/http/route'
import { refusal, type FindNeeds, unpaidCounts, unreachedFamilies } from './family.commands'

export const todayRoute = (needs: FindNeeds): Route =>
  route(today, withFeature(...moneyFeatures), async ({ user }) => ({ data: await waitingFor(needs, user) }))

const statementMs = 2_000
const maxNamed = 5

type Count = Omit<Waiting, 'what'>

/** Throws `find_took_too_long`. */
const waitingFor = async (needs: FindNeeds, user: Principal): Promise<Waiting[]> => {
  try {
    const counts = await readWithTimeout(needs.database.pool, statementMs, (at) => countAll(needs, at, user))
    return counts.filter(({ count }) => count > 0)
  } catch (error) {
    throw tookTooLong(error) ? refusal('find_took_too_long') : error
  }
}

const countAll = async (needs: FindNeeds, at: Reader, user: Principal): Promise<Waiting[]> => {
  const counts: Waiting[] = []
  const counting = countsOf(needs, at, user)
  for (const what of Object.keys(waitingFeatures) as WaitingKind[])
    if (waitingFeatures[what].some((feature) => user.isSuperadmin || user.features.includes(feature)))
      counts.push({ what, ...(await counting[what]()) })
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
