import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { RecordedEvent } from '#platform/event-store/event-store'
import { readLog } from '#platform/event-store/read-log'
import type { AuditReport } from './audit-report'
import { isWrong, totalsOf } from './balance'
import { balancesOf } from './balance.decide'
import { creditFaults, creditTotals } from './credit-balance.decide'
import { chainCheck, compareWithChain } from '../chain/chain-check.commands'
import { chainHead, type Head } from '../chain/chain.process'
import { ledgerFold } from './ledger-fold.commands'
import type { AuditNeeds } from '../needs'
import { differencesBetween, sumsByEvents, type SumDifference, type ViewSums } from './ledger-totals'
import { transferFaults } from './transfer-balance.decide'
import { viewSums, type TotalsNeeds } from './ledger-totals.rows'
import { earlierHeads } from './runs.rows'

type RunNeeds = TotalsNeeds &
  Pick<AuditNeeds, 'books' | 'database' | 'eventStore' | 'openedEvents' | 'now' | 'undisturbed'>

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
  (needs: RunNeeds) =>
  (options: AuditOptions = {}): Promise<AuditReport> =>
    needs.undisturbed(() => audited(needs, options))

const audited = async (
  needs: RunNeeds,
  { earlier, onProgress = () => undefined }: AuditOptions,
): Promise<AuditReport> => {
  const { pool } = needs.database
  const chain = await chainCheck(pool)
  const inViews = await viewSums(needs)
  const end = await needs.eventStore.end()
  const fold = comparingFold(inViews)
  let events = 0
  const last = [end, ...inViews].reduce((one, other) => (other.position > one.position ? other : one))
  await readLog(needs.eventStore, last, batchSize, async (batch) => {
    await chain.check(batch)
    fold.add(await needs.openedEvents(batch))
    events += batch.length
    onProgress(events, end.events === null ? null : Math.max(events, end.events))
  })
  const { faults, head, unchained } = await chain.verdict()
  const balances = balancesOf(fold.ledger, needs.now())
  const isLate =
    unchained.since !== null &&
    needs.now().getTime() - Date.parse(unchained.since) > chainGraceMs &&
    !(await grows(pool, head.number + unchained.events))
  const late = `${unchained.events} events are not chained, the first of ${unchained.since}.`
  return {
    events,
    attempts: fold.ledger.attempts.size,
    totals: totalsOf(balances),
    credit: creditTotals(fold.ledger.creditAccounts.values()),
    unbalanced: balances.filter(isWrong),
    chainFaults: [...faults, ...(await rewritten(needs, earlier))],
    sumDifferences: fold.differences(),
    other: [
      ...creditFaults(fold.ledger.creditAccounts.values()),
      ...transferFaults(fold.ledger, needs.now()),
      ...(await needs.books.closingFaults()),
      ...(isLate ? [`${late} Is a worker running?`] : []),
    ],
    notes: unchained.events > 0 && !isLate ? [late] : [],
    head: { number: head.number, hash: head.hash },
  }
}

// After a clock that leapt, what was recorded just now looks old.
const growthMs = 2_000
const lookAgainMs = 50

/** Whether the chain reaches that number within two seconds, as it does while a worker is at it. */
const grows = async (pool: Pool, number: number): Promise<boolean> => {
  for (let waited = 0; waited < growthMs; waited += lookAgainMs) {
    if ((await chainHead(pool)).number >= number) return true
    await sleep(lookAgainMs)
  }
  return false
}

/** Folds events into the ledger, and compares it with what each context tells, where that context stands. */
const comparingFold = (inViews: readonly ViewSums[]) => {
  const { add: fold, ledger } = ledgerFold()
  const ahead = inViews.toSorted((one, other) => (one.position < other.position ? -1 : 1))
  const found: SumDifference[] = []

  const compare = ({ context, sums }: ViewSums) =>
    found.push(...differencesBetween(sumsByEvents[context](ledger), sums))

  const add = (batch: readonly RecordedEvent[]): void => {
    let rest = batch
    while (ahead[0] && ahead[0].position < (rest.at(-1)?.position ?? '')) {
      const { position } = ahead[0]
      fold(rest.filter((event) => event.position <= position))
      rest = rest.filter((event) => event.position > position)
      compare(ahead.shift()!)
    }
    fold(rest)
  }
  const differences = (): SumDifference[] => {
    for (const one of ahead.splice(0)) compare(one)
    return found
  }
  return { ledger, add, differences }
}

const mostRewritten = 20

/** Compares the chain with what earlier audits and an earlier export wrote down of it. */
const rewritten = async ({ database: { knex, pool } }: RunNeeds, earlier: AuditOptions['earlier']) => {
  const faults = await compareWithChain(pool, await earlierHeads(knex))
  if (earlier) for await (const heads of earlier) faults.push(...(await compareWithChain(pool, heads)))
  return faults.slice(0, mostRewritten)
}
