import type { HistoryEntry } from '#contracts/payments-console'
import { schoolMoment } from '#kernel/school-time'
import { partOfAttempts, type FamilyPart } from '#platform/family-data'
import type { Measure, Module } from '#platform/module'
import type { Ports } from '#platform/ports'
import { chainJournal } from './chain/chain.commands'
import { appendChanges, changeRecorded, changeStream } from './changes/append-changes.commands'
import type { AuditReport } from './checks/audit-report'
import {
  runAudit,
  type AuditOptions,
  dailyAuditSweep,
  dailyAuditWork,
  addRun,
  lastRun,
} from './checks/audit-run.job'
import { changesNaming, latestEntriesOf } from './history/entries.rows'
import { entriesView } from './history/entries.view'
import { historyReply, withoutIds } from './history/entry'
import { entryRoutes, historyRoutes, namesIn } from './history/history.routes'
import type { AuditNeeds } from './ports'
import { auditStatuses } from './refusals'

export { findingsOf, reportLines } from './checks/audit-report'

export { earlierExport } from './history/history.routes'

/** Without who acted and what was typed: others' names. */
const historyParts: FamilyPart[] = [
  partOfAttempts(
    'history',
    `select at, kind, order_id as "orderId", amount / 100.0::float8 as amount,
       regexp_replace(what, '\\{(\\w+):(\\w+)\\}', '\\1 \\2', 'g') as what
     from audit.entries where attempt_id = any($1::uuid[]) order by position desc limit $2`,
  ),
]

export const auditModule = (needs: AuditNeeds) => {
  const { knex, pool } = needs.database
  const chain = chainJournal(pool)
  const module: Module = {
    name: 'audit',
    routes: [...historyRoutes(needs), ...entryRoutes(needs)],
    views: [entriesView],
    reactors: [],
    jobs: [dailyAuditWork(needs)],
    sweeps: [appendChanges(needs), dailyAuditSweep(needs)],
    journals: [chain],
    measures: measures(needs),
    personal: { [changeRecorded.type]: ['what', 'old.code', 'new.code'] },
    familyParts: historyParts,
    refusals: auditStatuses,
  }

  const audit = async (options: AuditOptions): Promise<AuditReport> => {
    const report = await runAudit(needs)(options)
    const at = needs.now()
    await addRun(knex, schoolMoment(at, needs.zone).date, at, report)
    return report
  }

  const changeStreamsNaming = async (userId: number): Promise<string[]> =>
    (await changesNaming(pool, userId)).map(changeStream)

  const historyText = async (...asked: Parameters<typeof latestEntriesOf>): Promise<HistoryEntry[]> => {
    const entries = await latestEntriesOf(...asked)
    const names = await namesIn(needs, entries)
    return entries.map((entry) => withoutIds(historyReply(entry, names, needs.zone)))
  }

  return { ...module, audit, chain, changeStreamsNaming, historyText }
}

const measures = ({ database: { knex } }: Ports): Measure[] => [
  {
    name: 'tuckshop_audit_unbalanced_ngwee',
    help: 'Money that the latest audit could not account for, in ngwee, either way',
    value: async () => (await lastRun(knex))?.unbalanced ?? 0,
  },
  {
    name: 'tuckshop_audit_findings',
    help: 'What the latest audit found wrong: money, changed history, read models',
    value: async () => (await lastRun(knex))?.findings ?? 0,
  },
  {
    name: 'tuckshop_audit_last_run',
    help: 'When the latest audit ended, in seconds since 1970; 0 before the first',
    value: async () => ((await lastRun(knex))?.endedAt.getTime() ?? 0) / 1000,
  },
]

export type Audit = ReturnType<typeof auditModule>
