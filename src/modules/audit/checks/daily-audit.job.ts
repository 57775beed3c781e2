import type { Ports } from '#platform/ports'
import { z } from 'zod'
import { schoolMoment } from '#kernel/school-time'
import { job, work } from '#platform/jobs/job'
import type { Sweep } from '#platform/module'
import { findingsOf } from './audit-report'
import type { AuditNeeds } from '../needs'
import { runAudit } from './audit-run.commands'
import { addRun, lastRun } from './runs.rows'

export const dailyAuditJob = job({
  name: 'daily-audit',
  payload: z.object({ day: z.iso.date() }),
  attempts: 3,
  backoffMs: 60_000,
})

const maxLogged = 20

export const dailyAuditWork = (needs: AuditNeeds) =>
  work(dailyAuditJob, async ({ day }) => {
    const report = await runAudit(needs)()
    await addRun(needs.database.knex, day, needs.now(), report)
    const findings = findingsOf(report)
    const about = {
      day,
      events: report.events,
      chainEnd: report.head,
      findings: findings.slice(0, maxLogged),
    }
    if (findings.length === 0) needs.log.info(about, 'audited: everything balances')
    else needs.log.error(about, `audited: ${findings.length} found wrong`)
  })

export const dailyAuditSweep = (needs: Ports): Sweep => {
  let done = ''
  return {
    name: 'daily-audit',
    run: async () => {
      const day = schoolMoment(needs.now(), needs.zone).date
      if (done === day) return
      const last = await lastRun(needs.database.knex)
      if (last?.day !== day) await needs.queue.enqueue(dailyAuditJob, { day }, { id: `audit-${day}` })
      else done = day
    },
  }
}
