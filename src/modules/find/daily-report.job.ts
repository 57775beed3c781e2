import { schoolMoment } from '#kernel/school-time'
import { readWithTimeout, type Reader } from '#platform/database'
import { lastBackup } from '#platform/maintenance'
import type { Sweep } from '#platform/module'
import { needingSomebody, reportDay, reportLetter } from './daily-report.decide'
import { type FindNeeds, unpaidCounts, unreachedFamilies } from './family.commands'
import { reportSweep } from './report-sweep.commands'

const statementMs = 10_000

/** From 06:30, once a day: a day that began with the service down is told of as soon as it is up again. */
export const dailyReport = (needs: FindNeeds): Sweep =>
  reportSweep(needs, {
    name: 'daily-report',
    kind: 'dailyReport',
    dueDay: reportDay,
    letterOn: async (day) => {
      const failing = await needs.failing()
      const facts = await readWithTimeout(needs.database.pool, statementMs, (at) => factsOf(needs, at))
      return reportLetter(needingSomebody({ ...facts, failing }, { now: needs.now(), zone: needs.zone }), day)
    },
  })

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
