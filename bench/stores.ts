import { join } from 'node:path'
import { ofItsOwn } from '../tests/support/school-events'
import { measure, repeated, type Measured } from './load'
import { startProgram } from './program'
import type { Line } from './report'
import { opening, openFamily, openSchool, orderForFree, type Family } from './school'

type Measures = { one: Measured; sixteen: Measured }

/**
 * Checkouts of five meals with events in the database and in EventStoreDB, by one and by sixteen parents. EventStoreDB need not be empty:
 * each school has its own `streamPrefix`.
 */
export const storeLines = async (
  folder: string,
  eventStoreUrl: string,
  times: (count: number) => number,
): Promise<Line[]> => {
  const postgres = await measured(join(folder, 'postgres'), {}, times)
  const eventStore = await measured(
    join(folder, 'eventstore'),
    { EVENTSTORE_URL: ofItsOwn(eventStoreUrl) },
    times,
  )
  const what = 'checkout of 5 meals, free'
  return [
    { what: `${what}, 1 parent, Postgres`, measured: postgres.one },
    {
      what: `${what}, 1 parent, EventStoreDB`,
      measured: eventStore.one,
      targets: [{ name: '× Postgres', value: eventStore.one.p50 / postgres.one.p50, atMost: 2 }],
    },
    { what: `${what}, 16 parents, Postgres`, measured: postgres.sixteen },
    {
      what: `${what}, 16 parents, EventStoreDB`,
      measured: eventStore.sixteen,
      targets: [
        {
          name: 'of Postgres',
          value: eventStore.sixteen.perSecond / postgres.sixteen.perSecond,
          atLeast: 0.6,
        },
      ],
    },
  ]
}

const measured = async (
  dataDir: string,
  variables: Record<string, string>,
  times: (count: number) => number,
): Promise<Measures> => {
  const program = await startProgram(dataDir, opening, undefined, variables)
  try {
    const office = await openSchool(program.url)
    const families: Family[] = []
    for (let index = 0; index < 16; index += 1)
      families.push(
        await openFamily(program.url, office, { name: `free.${index}`, children: 15, free: true }),
      )
    const acts = (some: Family[], count: number) =>
      repeated(some.length, times(count), (actor) => () => orderForFree(some[actor]!))
    await measure(acts(families, 20), program)
    const one = await measure(acts(families.slice(0, 1), 25), program)
    return { one, sixteen: await measure(acts(families, 40), program) }
  } finally {
    await program.stop()
  }
}
