import type { Pool } from 'pg'
import type { AuditReport } from './audit-report'
import { findingsOf } from './audit-report'
import type { Head } from '../chain/chain.process'

/** Keeps an audit's result, with where the chain ended then. */
export const addRun = async (pool: Pool, day: string, endedAt: Date, report: AuditReport): Promise<void> => {
  const { totals, head } = report
  await pool.query(
    `insert into audit.runs (day, ended_at, findings, unbalanced, head_number, head_hash)
     values ($1, $2, $3, $4, $5, $6)`,
    [day, endedAt, findingsOf(report).length, totals.unbalanced, head.number, head.hash],
  )
}

export type LastRun = { day: string; endedAt: Date; findings: number; unbalanced: number }

/** The latest audit's result; null before the first. */
export const lastRun = async (pool: Pool): Promise<LastRun | null> => {
  const { rows } = await pool.query<LastRun>(
    `select day, ended_at as "endedAt", findings, unbalanced::float8 as unbalanced
     from audit.runs order by id desc limit 1`,
  )
  return rows[0] ?? null
}

const mostHeads = 1_000

/** Where the chain ended at the latest audits. */
export const earlierHeads = async (pool: Pool): Promise<Head[]> => {
  const { rows } = await pool.query<Head>(
    `select head_number::float8 as number, head_hash as hash
     from audit.runs where head_number > 0 order by id desc limit ${mostHeads}`,
  )
  return rows
}
