import { isForEverybody } from '#contracts/cycles'
import { sum, ngweeFromKwacha } from '#kernel/money'
import { addDays, type SchoolDate } from '#kernel/school-time'
import { readWithTimeout, type Reader } from '#platform/database'
import type { Sweep } from '#platform/module'
import { type FindNeeds, unreachedFamilies } from './family.commands'
import { reportMonday, weekLetter, type WeekFacts } from './head-report.decide'
import { reportSweep } from './report-sweep.commands'

const statementMs = 10_000

/** On a Monday, of the week before. */
export const headReport = (needs: FindNeeds): Sweep =>
  reportSweep(needs, {
    name: 'head-report',
    kind: 'headReport',
    dueDay: reportMonday,
    letterOn: async (monday) =>
      weekLetter(
        await readWithTimeout(needs.database.pool, statementMs, (at) => factsOf(needs, at, monday)),
        monday,
      ),
  })

const factsOf = async (needs: FindNeeds, at: Reader, monday: SchoolDate): Promise<WeekFacts> => {
  const { ordering, cycles, books } = needs
  const week = { from: addDays(monday, -7), to: addDays(monday, -1) }
  const closures = await cycles.standingClosures()
  const { totals } = await books.dayEndBetween(at, { ...week, by: 'payment' })
  const closed = new Map<SchoolDate, boolean>()
  for (const closure of closures)
    if (closure.date >= week.from && closure.date <= week.to)
      closed.set(closure.date, closed.get(closure.date) === true || isForEverybody(closure))
  const lunches = await ordering.lunchesBetween(at, { from: addDays(week.from, -28), to: week.to })
  const dates = new Set(lunches.flatMap(({ date }) => (date >= week.from ? date : [])))
  const without: { date: SchoolDate; children: number }[] = []
  for (const date of dates) without.push({ date, children: (await ordering.lunchesOnDay(date)).without.size })
  const sponsored = await ordering.discountedMeals(week)
  return {
    lunches,
    sponsored: {
      meals: sponsored.length,
      amount: sum(sponsored.map(({ originalPrice, price }) => originalPrice - price)),
    },
    without,
    closed: [...closed].toSorted().map(([date, forAll]) => ({ date, forAll })),
    moneyIn: ngwee(totals.methods.map(({ amount }) => amount)),
    moneyBack: ngwee([...totals.methods.map(({ refundsPaid }) => refundsPaid), totals.paidOut]),
    unreached: (await unreachedFamilies(needs, at)).length,
  }
}

const ngwee = (kwacha: readonly number[]): number => sum(kwacha.map(ngweeFromKwacha))
