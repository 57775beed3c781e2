import type { Pool } from 'pg'
import { floorWriter, layFloor, rowsWrittenSince, transactionNow } from './floors'
import { allQuiet, caughtUp } from './history'
import { measure, repeated } from './load'
import type { Measured } from './load'
import type { Program } from './program'
import type { Line } from './report'
import { orderForFree, payByCard } from './school'
import type { Family } from './school'

type Needs = {
  program: Program
  pool: Pool
  families: { free: Family[]; card: Family[] }
  times: (count: number) => number
}

/** Checkouts of five meals, free and by card, beside the bare inserts of the same rows. */
export const writeLines = async ({ program, pool, families, times }: Needs): Promise<Line[]> => {
  const sixteen = families.free.slice(0, 16)
  const acts = (some: Family[], count: number, act: (family: Family) => Promise<void>) =>
    repeated(some.length, times(count), (actor) => () => act(some[actor]!))
  process.stderr.write('Checkouts\n')
  await measure(acts(families.free, 25, orderForFree), program)
  const free16 = await measure(acts(sixteen, 40, orderForFree), program)
  const free64 = await measure(acts(families.free, 20, orderForFree), program)
  await caughtUp(pool)
  const since = await transactionNow(pool)
  await orderForFree(sixteen[0]!)
  await caughtUp(pool)
  const written = await rowsWrittenSince(pool, since)
  await layFloor(pool, written)
  const floor = await floorOf({ program, times, written })
  const rows = written.reduce((count, one) => count + one.rows.length, 0)
  await pool.query('drop schema floor cascade')
  await measure(acts(families.card, 4, payByCard), program)
  const card16 = await measure(acts(families.card, 20, payByCard), program)
  await allQuiet(pool)
  return [
    checkoutLine('checkout of 5 meals, free, 16 parents', free16, floor, [
      { name: 'p99 ms', value: free16.p99, atMost: 60 },
    ]),
    checkoutLine('checkout of 5 meals, free, 64 parents', free64, floor),
    { what: 'checkout of 5 meals by card and sandbox page, 16 parents', measured: card16 },
    { what: `floor: ${rows} bare rows in one transaction, ${writers} writers`, measured: floor },
  ]
}

const checkoutLine = (
  what: string,
  measured: Measured,
  floor: Measured,
  more: Line['targets'] = [],
): Line => ({
  what,
  measured,
  floor,
  targets: [
    { name: 'of the floor', value: measured.perSecond / floor.perSecond, atLeast: 0.333 },
    { name: 'server ms', value: measured.serverCpu, atMost: 2.5 },
    { name: 'Postgres ms', value: measured.postgresCpu, atMost: 2 },
    ...more,
  ],
})

type Floor = Pick<Needs, 'program' | 'times'> & { written: Awaited<ReturnType<typeof rowsWrittenSince>> }

const writers = 16

const floorOf = async ({ program, times, written }: Floor): Promise<Measured> => {
  const all = await Promise.all(
    Array.from({ length: writers }, () => floorWriter(program.databaseUrl, written)),
  )
  const load = (count: number) => repeated(writers, count, (writer) => all[writer]!.act)
  await measure(load(5), { pid: process.pid })
  const measured = await measure(load(times(60)), { pid: process.pid, postmaster: program.postmaster })
  await Promise.all(all.map(({ close }) => close()))
  return measured
}
