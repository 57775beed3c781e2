import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Pool } from 'pg'
import { z } from 'zod'
import type { Ngwee } from '#kernel/money'
import { schoolMoment } from '#kernel/school-time'
import { stands } from '#modules/books/index'
import type { Reader } from '#platform/database'
import { readLog, type Position, type RecordedEvent } from '#platform/event-store/event-store'
import { job, work } from '#platform/jobs/job'
import type { Sweep } from '#platform/module'
import type { Ports } from '#platform/ports'
import { checkpointSeen, viewsCheckpoint } from '#platform/projections/checkpoint'
import { chainCheck, compareWithChain, chainHead, type Head } from '../chain/chain.commands'
import type { AuditNeeds } from '../ports'
import {
  cardRefundNotes,
  type AuditReport,
  type SumDifference,
  isWrong,
  totalsOf,
  findingsOf,
} from './audit-report'
import { balancesOf, creditFaults, creditTotals, transferFaults } from './balance.decide'
import { journalSums, type JournalSums } from './journal-sums'

export type AuditOptions = {
  earlier?: AsyncIterable<Head[]>
  onProgress?: (done: number, total: number | null) => void
}

const batchSize = 1_000
const chainGraceMs = 3_600_000

/** Reads the log once and checks money, chain and read models; changes nothing. Later events wait for the next audit. */
export const runAudit =
  (needs: AuditNeeds) =>
  (options: AuditOptions = {}): Promise<AuditReport> =>
    needs.withMaintenanceLock(() => audited(needs, options))

const audited = async (
  needs: AuditNeeds,
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
  const { sums } = fold
  const balances = balancesOf(sums, needs.now())
  const isLate =
    unchained.since !== null &&
    needs.now().getTime() - Date.parse(unchained.since) > chainGraceMs &&
    !(await grows(pool, head.number + unchained.events))
  const late = `${unchained.events} events are not chained, the first of ${unchained.since}.`
  return {
    events,
    attempts: sums.rows.attempts.size,
    totals: totalsOf(balances),
    credit: creditTotals(sums.accounts.values()),
    unbalanced: balances.filter(isWrong),
    chainFaults: [...faults, ...(await rewritten(needs, earlier))],
    sumDifferences: fold.differences(),
    other: [
      ...creditFaults(sums.accounts.values()),
      ...transferFaults(sums, needs.now()),
      ...(await needs.books.closingFaults()),
      ...(isLate ? [`${late} Is a worker running?`] : []),
    ],
    notes: [
      ...(unchained.events > 0 && !isLate ? [late] : []),
      ...cardRefundNotes(sums.rows.refunds.values()),
    ],
    head: { number: head.number, hash: head.hash },
  }
}

// After a clock jump, fresh events look old.
const growthMs = 2_000
const lookAgainMs = 50

/** True if the chain reaches that number within two seconds, as it does with a running worker. */
const grows = async (pool: Pool, number: number): Promise<boolean> => {
  for (let waited = 0; waited < growthMs; waited += lookAgainMs) {
    if ((await chainHead(pool)).number >= number) return true
    await sleep(lookAgainMs)
  }
  return false
}

const comparingFold = (inViews: readonly ViewSums[]) => {
  const { add: fold, sums } = journalSums()
  const ahead = inViews.toSorted((one, other) => (one.position < other.position ? -1 : 1))
  const found: SumDifference[] = []

  const compare = ({ context, sums: inView }: ViewSums) =>
    found.push(...differencesBetween(sumsByEvents[context](sums), inView))

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
  return { sums, add, differences }
}

const maxRewritten = 20

/** Compares the chain with heads recorded by earlier audits and exports. */
const rewritten = async ({ database: { knex, pool } }: AuditNeeds, earlier: AuditOptions['earlier']) => {
  const faults = await compareWithChain(pool, await earlierHeads(knex))
  if (earlier) for await (const heads of earlier) faults.push(...(await compareWithChain(pool, heads)))
  return faults.slice(0, maxRewritten)
}

/** `Revenue Stats, cycle 7, completed` → ngwee; `…, orders` → a number. */
type Sums = ReadonlyMap<string, number>

export type ViewSums = { context: keyof typeof sumsByEvents; position: Position; sums: Sums }

export const owedByScreen = 'Refund Management, owed'
export const creditToSpend = 'balances of credit'
const creditHeld = 'held credit'
export const countOfCycle = (cycleId: number): string => `cycle history, cycle ${cycleId}, orders`
export const revenueOfCycle = (cycleId: number): string => `cycle history, cycle ${cycleId}, revenue`
const completedOfCycle = (cycleId: number): string => `Revenue Stats, cycle ${cycleId}, completed`

/** `books, received card`; `books, free meal, count`. */
export const booked = (kindAndMethod: string): string => {
  const words = `books, ${kindAndMethod.replaceAll('_', ' ')}`
  return kindAndMethod === 'free_meal' || kindAndMethod === 'late_meal' ? `${words}, count` : words
}

const sumsByEvents = {
  ordering: ({ rows }: JournalSums): Sums => {
    const sums = new Map<string, number>()
    const add = (what: string, amount: number) => sums.set(what, (sums.get(what) ?? 0) + amount)
    for (const order of rows.orders.values()) {
      const { cycle_id, status, price } = order
      if (status !== 'withdrawn') add(countOfCycle(cycle_id), 1)
      if (stands(order)) add(revenueOfCycle(cycle_id), price)
      if (status === 'completed') add(completedOfCycle(cycle_id), price)
    }
    return sums
  },
  refunds: ({ stored }: JournalSums): Sums => new Map([[owedByScreen, stored.get('owed') ?? 0]]),
  credit: ({ accounts }: JournalSums): Sums => creditSums(creditTotals(accounts.values())),
  books: ({ stored }: JournalSums): Sums => bookedSums(stored),
}

const bookedSums = (amounts: ReadonlyMap<string, number>): Sums =>
  new Map([...amounts].map(([kindAndMethod, amount]) => [booked(kindAndMethod), amount]))

const creditSums = ({ balance, held }: { balance: Ngwee; held: Ngwee }): Sums =>
  new Map([
    [creditToSpend, balance],
    [creditHeld, held],
  ])

const cycleSums = (totals: ReadonlyMap<number, { orders: number; revenue: Ngwee; completed: Ngwee }>): Sums =>
  new Map(
    [...totals].flatMap(([id, { orders, revenue, completed }]) => [
      [countOfCycle(id), orders],
      [revenueOfCycle(id), revenue],
      [completedOfCycle(id), completed],
    ]),
  )

export const viewSums = ({ inSnapshot, ordering, refunds, credit, books }: AuditNeeds): Promise<ViewSums[]> =>
  inSnapshot(async (at) => {
    const from = async (context: ViewSums['context'], read: (at: Reader) => Promise<Sums>) => ({
      context,
      position: await checkpointSeen(at, viewsCheckpoint(context)),
      sums: await read(at),
    })
    return [
      await from('ordering', async () => cycleSums(await ordering.totals({}, 'cycle', { at }))),
      await from('refunds', async () => new Map([[owedByScreen, await refunds.owedInAll(at)]])),
      await from('credit', async () => creditSums(await credit.creditInAll(at))),
      await from('books', async () => bookedSums(await books.bookedInAll(at))),
    ]
  })

const differencesBetween = (byEvents: Sums, inViews: Sums): SumDifference[] =>
  [...new Set([...byEvents.keys(), ...inViews.keys()])].flatMap((what) => {
    const difference = { what, byEvents: byEvents.get(what) ?? 0, inViews: inViews.get(what) ?? 0 }
    return difference.byEvents === difference.inViews ? [] : [difference]
  })

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

const earlierHeads = (knex: Knex): Promise<Head[]> =>
  knex('audit.runs')
    .where('head_number', '>', 0)
    .orderBy('id', 'desc')
    .limit(maxHeads)
    .select(knex.raw('head_number::float8 as number, head_hash as hash'))
