import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { RecordedEvent } from '#platform/event-store/event-store'
import { readLog } from '#platform/event-store/read-log'
import type { AuditReport } from './audit-report'
import { isWrong, totalsOf } from './balance'
import { cardRefundNotes } from './balance-clues.decide'
import { balancesOf } from './balance.decide'
import { creditFaults, creditTotals } from './credit-balance.decide'
import { chainCheck, compareWithChain } from '../chain/chain-check.commands'
import { chainHead, type Head } from '../chain/chain.process'
import type { AuditNeeds } from '../needs'
import {
  differencesBetween,
  sumsByEvents,
  type SumDifference,
  type ViewSums,
  bookedCreditGiven,
  bookedCreditPaidOut,
  bookedCreditSpent,
  bookedMoney,
  bookedOwed,
  bookedUnpaid,
  completedOfCycle,
  countOfCycle,
  creditHeld,
  creditToSpend,
  owedByScreen,
  revenueOfCycle,
  type Sums,
} from './ledger-totals'
import { transferFaults } from './transfer-balance.decide'
import { earlierHeads } from './runs.rows'
import { evolveRows, touchReader, type ViewRows } from '#platform/projections/row-view'
import { ledgerCreditAccountsView, ledgerCreditGivenView, ledgerCreditSpentView } from './credit-ledger.view'
import type { Ledger } from './ledger'
import { ledgerAttemptsView, ledgerOrdersView } from './ledger.view'
import { ledgerRefundsView } from './refund-ledger.view'
import { ledgerTransfersView } from './transfer-ledger.view'
import type { Ngwee } from '#kernel/money'
import type { Reader } from '#platform/database'
import { checkpointSeen, viewsCheckpoint } from '#platform/projections/checkpoint'

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
    notes: [
      ...(unchained.events > 0 && !isLate ? [late] : []),
      ...cardRefundNotes(fold.ledger.refunds.values()),
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

const maxRewritten = 20

/** Compares the chain with heads recorded by earlier audits and exports. */
const rewritten = async ({ database: { knex, pool } }: AuditNeeds, earlier: AuditOptions['earlier']) => {
  const faults = await compareWithChain(pool, await earlierHeads(knex))
  if (earlier) for await (const heads of earlier) faults.push(...(await compareWithChain(pool, heads)))
  return faults.slice(0, maxRewritten)
}

export const ledgerViews = [
  ledgerAttemptsView,
  ledgerOrdersView,
  ledgerRefundsView,
  ledgerTransfersView,
  ledgerCreditAccountsView,
  ledgerCreditGivenView,
  ledgerCreditSpentView,
]

export const ledgerFold = () => {
  const touchesOf = touchReader(ledgerViews)
  const rows: ViewRows = new Map(ledgerViews.map((view) => [view, new Map()]))
  const ledger = {
    attempts: rows.get(ledgerAttemptsView),
    orders: rows.get(ledgerOrdersView),
    refunds: rows.get(ledgerRefundsView),
    transfers: rows.get(ledgerTransfersView),
    creditAccounts: rows.get(ledgerCreditAccountsView),
    creditGiven: rows.get(ledgerCreditGivenView),
    creditSpent: rows.get(ledgerCreditSpentView),
  } as unknown as Ledger
  const add = (events: readonly RecordedEvent[]): void => evolveRows(rows, touchesOf(events))
  return { add, ledger }
}

const ownSums = `
  select kind || ' checkouts' || part.name as what, sum(part.amount)::float8 as amount
  from audit.ledger_attempts, lateral (values
    (', count', 1), (', total', total), (', received', coalesce(received, 0) + fee)) as part (name, amount)
  group by 1
  union all
  select 'orders of cycle ' || cycle_id || ', ' || status || ', paid ' || paid || part.name, sum(part.amount)::float8
  from audit.ledger_orders, lateral (values (', count', 1), (', price', price)) as part (name, amount)
  group by 1
  union all
  select 'refunds ' || status || part.name, sum(part.amount)::float8
  from audit.ledger_refunds, lateral (values
    (', count', 1), (', amount', amount), (', owed', owed), (', paid back', paid_back)) as part (name, amount)
  group by 1
  union all
  select 'transfers ' || case when stands then 'confirmed' else 'undone' end || part.name, sum(part.amount)::float8
  from audit.ledger_transfers, lateral (values (', count', 1), (', amount', amount)) as part (name, amount)
  group by 1
  union all
  select 'credit' || part.name, sum(part.amount)::float8
  from audit.ledger_credit_accounts, lateral (values
    (', given', given), (', spent', spent), (', balance', balance)) as part (name, amount)
  group by 1`

export const viewSums = ({ inSnapshot, ordering, refunds, credit, books }: AuditNeeds): Promise<ViewSums[]> =>
  inSnapshot(async (at) => {
    const positionOf = (context: ViewSums['context']) => checkpointSeen(at, viewsCheckpoint(context))
    return [
      { context: 'audit', position: await positionOf('audit'), sums: await readOwnSums(at) },
      {
        context: 'ordering',
        position: await positionOf('ordering'),
        sums: cycleSums(await ordering.orderTotals(null, at)),
      },
      {
        context: 'refunds',
        position: await positionOf('refunds'),
        sums: new Map([[owedByScreen, await refunds.owedInAll(at)]]),
      },
      {
        context: 'credit',
        position: await positionOf('credit'),
        sums: creditSums(await credit.creditInAll(at)),
      },
      {
        context: 'books',
        position: await positionOf('books'),
        sums: bookedSums(await books.bookedInAll(at)),
      },
    ]
  })

const bookedSums = (booked: Awaited<ReturnType<AuditNeeds['books']['bookedInAll']>>): Sums =>
  new Map([
    [bookedMoney, booked.money],
    [bookedOwed, booked.owed],
    [bookedUnpaid, booked.unpaid],
    [bookedCreditGiven, booked.creditGiven],
    [bookedCreditSpent, booked.creditSpent],
    [bookedCreditPaidOut, booked.creditPaidOut],
  ])

const creditSums = ({ balance, held }: { balance: Ngwee; held: Ngwee }): Sums =>
  new Map([
    [creditToSpend, balance],
    [creditHeld, held],
  ])

const readOwnSums = async (at: Reader): Promise<Sums> => {
  const { rows } = await at.query<{ what: string; amount: number }>(ownSums)
  return new Map(rows.map(({ what, amount }) => [what, amount]))
}

const cycleSums = (totals: ReadonlyMap<number, { orders: number; revenue: Ngwee; completed: Ngwee }>): Sums =>
  new Map(
    [...totals].flatMap(([id, { orders, revenue, completed }]) => [
      [countOfCycle(id), orders],
      [revenueOfCycle(id), revenue],
      [completedOfCycle(id), completed],
    ]),
  )
