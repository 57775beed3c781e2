import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Pool } from 'pg'
import { closingInStores, closingLines } from './closing'
import { startEmptyKoa } from './empty-koa'
import { findingLines } from './finding'
import { caughtUp, grow, kitchenPlaces, pastPlaces, patternIn, type Pattern, type Place } from './history'
import { tabletLines } from './kitchen-tablets'
import { planLines } from './plans'
import { resting, startProgram, type Program } from './program'
import { dayLines, readLines } from './reads'
import { rebuildLine } from './rebuild'
import { isMet, tableOf, type Line } from './report'
import { monday, opening, openFamily, openSchool, orderForFree, type Family, type Office } from './school'
import { storeLines } from './stores'
import { memoryOf, sum } from './usage'
import { writeLines } from './writes'

const { values: asked } = parseArgs({
  options: {
    json: { type: 'string' },
    /** A tenth of everything: a smoke test, not a measurement. */
    quick: { type: 'boolean', default: false },
    /** Only checkouts, in a new school. */
    checkouts: { type: 'boolean', default: false },
    /** Only checkouts, with events in the database, then in EVENTSTORE_TEST_URL. */
    eventstore: { type: 'boolean', default: false },
    /** Only closing and reopening a day of 2,000 orders; also in EVENTSTORE_TEST_URL if set. */
    closing: { type: 'boolean', default: false },
    /** Only the console search over 100,000 payments of 5,000 families. */
    finding: { type: 'boolean', default: false },
    /** Only ten idle tablets over a kitchen of 2,000 lunches. */
    'kitchen-tablets': { type: 'boolean', default: false },
    /** Only 200 plans that are due at one hour. */
    plans: { type: 'boolean', default: false },
  },
})

const scale = asked.quick ? 0.1 : 1
const times = (count: number) => Math.max(1, Math.round(count * scale))

/** How many checkouts of one meal the books hold, before and after they have grown ten times. */
const history = { small: times(6_667), large: times(66_670) }

const finding = { families: times(5_000), payments: times(100_000), rows: times(30_000) }

const say = (what: string) => process.stderr.write(`${what}\n`)
const figure = (what: string, value: number, unit: string, atMost?: number): Line => ({
  what,
  figure: { value, unit },
  targets: atMost === undefined ? [] : [{ name: unit, value, atMost }],
})

type Empty = Awaited<ReturnType<typeof startEmptyKoa>>

const several = (count: number, act: (index: number) => Promise<Family>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)))

const openFamilies = async (program: Program, office: Office) => {
  const open = (name: string, children: number, free: boolean) =>
    openFamily(program.url, office, { name, children, free })
  return {
    free: await several(64, (index) => open(`free.${index}`, 15, true)),
    card: await several(16, (index) => open(`card.${index}`, 8, false)),
    regular: await open('regular', 10, true),
  }
}

type Families = Awaited<ReturnType<typeof openFamilies>>

/** One family with 200 orders, and one with a single meal as the pattern of the history. */
const liveALittle = async (families: Families, pool: Pool) => {
  for (let order = 0; order < 40; order += 1) await orderForFree(families.regular)
  await caughtUp(pool)
  families.free[0]!.carts[0]!.splice(1)
  await orderForFree(families.free[0]!)
  await caughtUp(pool)
  return patternIn(pool)
}

/** Analyses the tables, as autovacuum would have done day by day. */
const settled = async (pool: Pool) => {
  await caughtUp(pool)
  await pool.query('vacuum analyze')
}

const restarted = async (before: Program, dataDir: string): Promise<Program> => {
  await before.stop()
  const program = await startProgram(dataDir, opening, Number(new URL(before.url).port))
  await resting(program)
  return program
}

const withPool = async <Result>(program: Program, act: (pool: Pool) => Promise<Result>): Promise<Result> => {
  const pool = new Pool({ connectionString: program.databaseUrl, max: 2 })
  try {
    return await act(pool)
  } finally {
    await pool.end()
  }
}

type School = { program: Program; office: Office; families: Families; pattern: Pattern }

const opened = async (dataDir: string, lines: Line[]): Promise<School> => {
  say('First start: makes the database')
  const first = await startProgram(dataDir, opening)
  await first.stop()
  say('Second start')
  const program = await startProgram(dataDir, opening)
  lines.push(figure('first answer after the start, embedded set', program.startedInMs, 'ms', 2_000))
  await resting(program)
  lines.push(figure('memory, idle', memoryOf(program.pid).nowMiB, 'MiB', 140))
  const office = await openSchool(program.url)
  say('Families register')
  const families = await openFamilies(program, office)
  lines.push(figure('memory, at its peak while families register', memoryOf(program.pid).peakMiB, 'MiB', 280))
  say(`A history of ${history.small} checkouts, a kitchen day of 1,000`)
  const pattern = await withPool(program, async (pool) => {
    const found = await liveALittle(families, pool)
    await grow(pool, found, pastPlaces(history.small))
    await grow(pool, found, kitchenPlaces(times(1_000), families.regular.cycleId, monday))
    await settled(pool)
    return found
  })
  return { program: await restarted(program, dataDir), office, families, pattern }
}

/** More than the busiest hour of 2,000 families, then reads again to see what memory grows. */
const busyHour = async (
  { program, office, families }: School,
  empty: Empty,
  lines: Line[],
): Promise<void> => {
  const memory = () => memoryOf(program.pid)
  lines.push(...(await withPool(program, (pool) => writeLines({ program, pool, families, times }))))
  lines.push(figure('memory, at its peak under checkouts', memory().peakMiB, 'MiB', 280))
  const reads = (label: string) => readLines({ program, empty, office, families, times, label })
  const once = await reads('1,000 on the day')
  const { nowMiB } = memory()
  lines.push(...once, figure("memory, after an hour's worth of load", nowMiB, 'MiB', 280))
  const again = await reads('once more')
  lines.push({
    what: `memory, after ${countOf(again)} calls more`,
    figure: { value: memory().nowMiB, unit: 'MiB' },
    targets: [{ name: '× before', value: memory().nowMiB / nowMiB, atMost: 1.1 }],
  })
  lines.push(figure('memory, at its peak under all of it', memory().peakMiB, 'MiB', 280))
}

/** Two minutes instead of eight: without a history. */
const benchCheckouts = async (dataDir: string): Promise<Line[]> => {
  const program = await startProgram(dataDir, opening)
  const families = await openFamilies(program, await openSchool(program.url))
  return withPool(program, (pool) => writeLines({ program, pool, families, times })).finally(program.stop)
}

const bench = async (dataDir: string, empty: Empty): Promise<Line[]> => {
  const lines: Line[] = []
  const school = await opened(dataDir, lines)
  await busyHour(school, empty, lines)
  const { office, families, pattern } = school
  const grown = async (places: Place[], before: Program): Promise<Program> => {
    await withPool(before, async (pool) => {
      await grow(pool, pattern, places)
      await settled(pool)
    })
    return restarted(before, dataDir)
  }
  say(`A history of ${history.large} checkouts`)
  const larger = await grown(pastPlaces(history.large - history.small, history.small), school.program)
  const label = 'ten times the history'
  lines.push(...(await readLines({ program: larger, empty, office, families, times, label })))
  say('A kitchen day of 2,000')
  const busier = await grown(
    kitchenPlaces(times(1_000), families.regular.cycleId, monday, times(1_000)),
    larger,
  )
  lines.push(...(await dayLines({ program: busier, office, times, label: '2,000 on the day' })))
  say('Closing a day')
  lines.push(...(await closingLines({ program: busier, client: office.client })))
  await busier.stop()
  say('Rebuild')
  lines.push(await rebuildLine(dataDir))
  return lines
}

const eventStoreUrl = (): string => {
  const url = process.env.EVENTSTORE_TEST_URL
  if (!url) throw new Error('--eventstore takes the address of a real server in EVENTSTORE_TEST_URL')
  return url
}

const countOf = (lines: Line[]) => sum(lines.map(({ measured }) => measured?.operations ?? 0))

const main = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tuckshop-bench-'))
  const empty = await startEmptyKoa()
  try {
    const lines = await (asked.eventstore
      ? storeLines(dataDir, eventStoreUrl(), times)
      : asked.closing
        ? closingInStores(dataDir, process.env.EVENTSTORE_TEST_URL ?? null, times(2_000))
        : asked['kitchen-tablets']
          ? tabletLines(dataDir, times(2_000), times)
          : asked.plans
            ? planLines(dataDir, times(200))
            : asked.finding
              ? findingLines(dataDir, finding, times)
              : asked.checkouts
                ? benchCheckouts(dataDir)
                : bench(dataDir, empty))
    console.log(
      `${cpus().length} × ${cpus()[0]?.model}, Node ${process.versions.node}${asked.quick ? ', quick' : ''}\n`,
    )
    console.log(tableOf(lines))
    const missed = lines.flatMap(({ targets = [] }) => targets).filter((target) => !isMet(target))
    console.log(`\n${missed.length} of ${lines.flatMap(({ targets = [] }) => targets).length} targets missed`)
    if (asked.json) await writeFile(asked.json, `${JSON.stringify(lines, null, 2)}\n`)
  } finally {
    empty.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error)
    process.exit(1)
  },
)
