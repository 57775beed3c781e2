import { schoolMoment, type SchoolDate } from '#kernel/school-time'
import { readWithTimeout, type Reader } from '#platform/database'
import { lastBackup } from '#platform/maintenance'
import type { Sweep } from '#platform/module'
import { needingSomebody, reportDay, reportLetter } from './daily-report.decide'
import { type FindNeeds, unpaidCounts, unreachedFamilies } from './family.commands'

const statementMs = 10_000

/** From 06:30, once a day: a day that began with the service down is told of as soon as it is up again. */
export const dailyReport = (needs: FindNeeds): Sweep => {
  let done: SchoolDate | null = null
  return {
    name: 'daily-report',
    run: async () => {
      const { messaging, now, zone } = needs
      const day = reportDay({ now: now(), zone })
      if (day === null || day === done) return
      if ((await messaging.reportedOn('dailyReport')) !== day)
        await messaging.report('dailyReport', day, await letterOf(needs, day))
      done = day
    },
  }
}

/** Null where there is nothing to say, or nobody to say it to. */
const letterOf = async (needs: FindNeeds, day: SchoolDate): Promise<ReturnType<typeof reportLetter>> => {
  const { dailyReport: addresses } = await needs.messaging.settings()
  if (addresses.length === 0) return null
  const clock = { now: needs.now(), zone: needs.zone }
  const failing = await needs.failing()
  const facts = await readWithTimeout(needs.database.pool, statementMs, (at) => factsOf(needs, at))
  return reportLetter(needingSomebody({ ...facts, failing }, clock), day)
}

const factsOf = async (needs: FindNeeds, at: Reader) => {
  const now = needs.now()
  return {
    lastBackup: await lastBackup(at),
    unpaid: await unpaidCounts(needs.ordering, at, schoolMoment(now, needs.zone).date),
    paidWithoutOrder: await needs.payments.paymentsToDecide(at, now),
    refunds: await needs.refunds.refundsWaiting(at),
    payoutsAsked: (await needs.credit.payoutsAskedBy(at)).length,
    unreached: (await unreachedFamilies(needs, at)).length,
  }
}
