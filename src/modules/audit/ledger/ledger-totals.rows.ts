import type { Ngwee } from '#kernel/money'
import type { Reader } from '#platform/database'
import { checkpointSeen, viewsCheckpoint } from '#platform/projections/checkpoint'
import type { AuditNeeds } from '../needs'
import {
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
  type ViewSums,
} from './ledger-totals'

export type TotalsNeeds = Pick<AuditNeeds, 'books' | 'credit' | 'inSnapshot' | 'ordering' | 'refunds'>

// By hand: knex has no lateral `values`, and the sums are read on the snapshot's own connection.
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

/** The sums of the read models of each context, as of the position where that context stands. */
export const viewSums = ({
  inSnapshot,
  ordering,
  refunds,
  credit,
  books,
}: TotalsNeeds): Promise<ViewSums[]> =>
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
