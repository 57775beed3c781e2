import type { Pool } from 'pg'
import type { Now } from '#platform/clock'
import type { EventStore, Position, RecordedEvent } from '#platform/event-store/event-store'
import { readLog } from '#platform/event-store/read-log'
import type { AuditReport } from './audit-report'
import { isWrong, totalsOf } from './balance'
import { balancesOf } from './balance.decide'
import { chainCheck, compareWithChain } from '../chain/chain-check.commands'
import type { Head } from '../chain/chain.rows'
import { ledgerFold } from './ledger-fold.commands'
import { differencesBetween, sumsOf } from '../ledger-totals'
import type { Sums } from '../ledger-totals'
import { toldSums } from '../ledger-totals.rows'
import type { TotalsNeeds } from '../ledger-totals.rows'
import { earlierHeads } from './runs.rows'

export type AuditNeeds = TotalsNeeds & {
  database: { pool: Pool }
  eventStore: Pick<EventStore, 'subscribe' | 'end'>
  now: Now
}

export type AuditOptions = {
  /** What an earlier export wrote down of the chain, in pieces. */
  earlier?: AsyncIterable<Head[]>
  onProgress?: (done: number, total: number | null) => void
}

const batchSize = 1_000
const chainGraceMs = 3_600_000

/**
 * Reads the whole log once and checks money, chain and read models; changes nothing. It may run beside a working
 * service: what happens meanwhile is left to the next audit.
 */
export const runAudit =
  (needs: AuditNeeds) =>
  async ({ earlier, onProgress = () => undefined }: AuditOptions = {}): Promise<AuditReport> => {
    const { pool } = needs.database
    const chain = await chainCheck(pool)
    const told = await toldSums(needs)
    const end = await needs.eventStore.end()
    const fold = foldTo(told.position)
    let events = 0
    await readLog(needs.eventStore, told.position > end.position ? told : end, batchSize, async (batch) => {
      await chain.check(batch)
      fold.add(batch)
      events += batch.length
      onProgress(events, end.events === null ? null : Math.max(events, end.events))
    })
    const { faults, head, unchained } = await chain.verdict()
    const balances = balancesOf(fold.ledger, needs.now())
    const isLate =
      unchained.since !== null && needs.now().getTime() - Date.parse(unchained.since) > chainGraceMs
    const late = `${unchained.events} events are not chained, the first of ${unchained.since}.`
    return {
      events,
      attempts: fold.ledger.attempts.size,
      totals: totalsOf(balances),
      unbalanced: balances.filter(isWrong),
      chainFaults: [...faults, ...(await rewritten(needs, earlier))],
      sumDifferences: differencesBetween(fold.sumsThen(), told.sums),
      other: isLate ? [`${late} Is a worker running?`] : [],
      notes: unchained.events > 0 && !isLate ? [late] : [],
      head: { number: head.number, hash: head.hash },
    }
  }

/** Folds events into the ledger, and keeps its sums as they were at `position`, where the read models stood. */
const foldTo = (position: Position) => {
  const { add, ledger } = ledgerFold()
  let sums: Sums | null = null
  return {
    ledger,
    add: (batch: readonly RecordedEvent[]): void => {
      const past = batch.filter((event) => event.position > position)
      if (sums !== null || past.length === 0) return add(batch)
      add(batch.slice(0, batch.length - past.length))
      sums = sumsOf(ledger)
      return add(past)
    },
    sumsThen: (): Sums => sums ?? sumsOf(ledger),
  }
}

const mostRewritten = 20

/** Compares the chain with what earlier audits and an earlier export wrote down of it. */
const rewritten = async ({ database: { pool } }: AuditNeeds, earlier: AuditOptions['earlier']) => {
  const faults = await compareWithChain(pool, await earlierHeads(pool))
  if (earlier) for await (const heads of earlier) faults.push(...(await compareWithChain(pool, heads)))
  return faults.slice(0, mostRewritten)
}
