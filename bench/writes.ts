import type { Pool } from 'pg'
import { floorOf, rowsWritten } from './floor'
import { allQuiet } from './history'
import { measure, repeated, type Measured } from './load'
import type { Program } from './program'
import type { Line, Target } from './report'
import { orderForFree, payByCard, type Family } from './school'

type Needs = {
  program: Program
  pool: Pool
  families: { free: Family[]; card: Family[] }
  times: (count: number) => number
}

/** Limits of CPU per checkout, in ms. */
const cpu = ({ serverCpu, postgresCpu }: Measured, atMost: number): Target[] => [
  { name: 'server ms', value: serverCpu, atMost },
  { name: 'Postgres ms', value: postgresCpu ?? Infinity, atMost },
]

const both = ({ serverCpu, postgresCpu = 0 }: Measured) => serverCpu + postgresCpu

/** Checkouts of five meals, free and by card; by card twice, the second must not cost more. */
export const writeLines = async ({ program, pool, families, times }: Needs): Promise<Line[]> => {
  const sixteen = families.free.slice(0, 16)
  const acts = (some: Family[], count: number, act: (family: Family) => Promise<void>) =>
    repeated(some.length, times(count), (actor) => () => act(some[actor]!))
  process.stderr.write('Checkouts\n')
  await measure(acts(families.free, 25, orderForFree), program)
  const free16 = await measure(acts(sixteen, 40, orderForFree), program)
  const free64 = await measure(acts(families.free, 20, orderForFree), program)
  await allQuiet(pool)
  const rows = await rowsWritten(pool, async () => {
    await orderForFree(sixteen[0]!)
    await allQuiet(pool)
  })
  const { databaseUrl, postmaster } = program
  const floor = await floorOf(databaseUrl, postmaster, { writers: 16, rows, times: times(60) })
  await measure(acts(families.card, 4, payByCard), program)
  const card = await measure(acts(families.card, 20, payByCard), program)
  const cardAgain = await measure(acts(families.card, 20, payByCard), program)
  await allQuiet(pool)
  return [
    {
      what: 'checkout of 5 meals, free, 16 parents',
      measured: free16,
      targets: [
        ...cpu(free16, 3),
        { name: 'of the floor', value: free16.perSecond / floor.perSecond, atLeast: 0.6 },
      ],
    },
    { what: `floor: ${rows} bare rows, 16 connections`, measured: floor },
    { what: 'checkout of 5 meals, free, 64 parents', measured: free64, targets: cpu(free64, 3) },
    {
      what: 'checkout of 5 meals by card and sandbox page, 16 parents',
      measured: card,
      targets: cpu(card, 8),
    },
    {
      what: `the same, with ${card.operations} card payments before it`,
      measured: cardAgain,
      targets: [
        ...cpu(cardAgain, 8),
        { name: '× before', value: both(cardAgain) / both(card), atMost: 1.15 },
      ],
    },
  ]
}
