import type { Knex } from 'knex'
import { findingsOf, type AuditReport } from './audit-report'
import type { Head } from '../chain/chain.process'

export const addRun = async (knex: Knex, day: string, endedAt: Date, report: AuditReport): Promise<void> => {
  const { totals, head } = report
  await knex('audit.runs').insert({
    day,
    ended_at: endedAt,
    findings: findingsOf(report).length,
    unbalanced: totals.unbalanced,
    head_number: head.number,
    head_hash: head.hash,
  })
}

type LastRun = { day: string; endedAt: Date; findings: number; unbalanced: number }

export const lastRun = async (knex: Knex): Promise<LastRun | null> => {
  const row = await knex('audit.runs')
    .orderBy('id', 'desc')
    .first('day', 'findings', { endedAt: 'ended_at' }, knex.raw('unbalanced::float8 as unbalanced'))
  return row ?? null
}

const maxHeads = 1_000

export const earlierHeads = (knex: Knex): Promise<Head[]> =>
  knex('audit.runs')
    .where('head_number', '>', 0)
    .orderBy('id', 'desc')
    .limit(maxHeads)
    .select(knex.raw('head_number::float8 as number, head_hash as hash'))
