import type { Ngwee } from '#kernel/money'
import { stands } from '#modules/books/index'
import type { Reader } from '#platform/database'
import type { Position } from '#platform/event-store/event-store'
import { checkpointSeen, viewsCheckpoint } from '#platform/projections/checkpoint'
import type { AuditNeeds } from '../needs'
import { creditTotals } from './balance.decide'
import type { JournalSums } from './journal-sums'

/** `Revenue Stats, cycle 7, completed` → ngwee; `…, orders` → a number. */
export type Sums = ReadonlyMap<string, number>

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
  return kindAndMethod === 'free_meal' ? `${words}, count` : words
}

export const sumsByEvents = {
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
      await from('ordering', async () => cycleSums(await ordering.orderTotals(null, at))),
      await from('refunds', async () => new Map([[owedByScreen, await refunds.owedInAll(at)]])),
      await from('credit', async () => creditSums(await credit.creditInAll(at))),
      await from('books', async () => bookedSums(await books.bookedInAll(at))),
    ]
  })

export type SumDifference = { what: string; byEvents: number; inViews: number }

export const differencesBetween = (byEvents: Sums, inViews: Sums): SumDifference[] =>
  [...new Set([...byEvents.keys(), ...inViews.keys()])].flatMap((what) => {
    const difference = { what, byEvents: byEvents.get(what) ?? 0, inViews: inViews.get(what) ?? 0 }
    return difference.byEvents === difference.inViews ? [] : [difference]
  })
