import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Pool } from 'pg'
import { startEmptyKoa } from './floors'
import { caughtUp, grow, kitchenPlaces, pastPlaces, patternIn } from './history'
import { startProgram } from './program'
import type { Program } from './program'
import { readLines } from './reads'
import { rebuildLine } from './rebuild'
import { isMet, tableOf } from './report'
import type { Line } from './report'
import { monday, opening, openFamily, openSchool, orderForFree } from './school'
import type { Family, Office } from './school'
import { memoryOf } from './usage'
import { writeLines } from './writes'

const { values: asked } = parseArgs({
  options: {
    /** Where the figures go as JSON; they are printed as a table anyway. */
    json: { type: 'string' },
    /** A tenth of everything: to see that it runs, not to judge by. */
    quick: { type: 'boolean', default: false },
  },
})

const scale = asked.quick ? 0.1 : 1
const times = (count: number) => Math.max(1, Math.round(count * scale))

/** How many checkouts of one meal the books hold, before and after they have grown ten times. */
const history = { small: times(6_667), large: times(66_670) }

const say = (what: string) => process.stderr.write(`${what}\n`)
const figure = (what: string, value: number, unit: string, atMost?: number): Line => ({
  what,
  figure: { value, unit },
  targets: atMost === undefined ? [] : [{ name: unit, value, atMost }],
})

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

/** A family with 200 orders, and one that orders a single meal: the pattern of the history. */
const liveALittle = async (families: Awaited<ReturnType<typeof openFamilies>>, pool: Pool) => {
  for (let order = 0; order < 40; order += 1) await orderForFree(families.regular)
  await caughtUp(pool)
  families.free[0]!.carts[0]!.splice(1)
  await orderForFree(families.free[0]!)
  await caughtUp(pool)
  return patternIn(pool)
}

/** What has been poured in at once stands as if it had come day by day. */
const settled = async (pool: Pool) => {
  await caughtUp(pool)
  await pool.query('vacuum analyze')
}

const bench = async (dataDir: string): Promise<Line[]> => {
  const lines: Line[] = []
  say('First start: makes the database')
  const first = await startProgram(dataDir, opening)
  await first.stop()
  say('Second start')
  const program = await startProgram(dataDir, opening)
  lines.push(figure('first answer after the start, embedded set', program.startedInMs, 'ms', 2_000))
  lines.push(figure('memory, idle', memoryOf(program.pid).nowMiB, 'MiB', 130))
  const pool = new Pool({ connectionString: program.databaseUrl, max: 2 })
  const empty = await startEmptyKoa()
  try {
    const office = await openSchool(program.url)
    say('Families register')
    const families = await openFamilies(program, office)
    const pattern = await liveALittle(families, pool)
    say(`A history of ${history.small} checkouts`)
    await grow(pool, pattern, pastPlaces(history.small))
    await settled(pool)
    lines.push(...(await writeLines({ program, pool, families, times })))
    lines.push(figure('memory, at its peak under load', memoryOf(program.pid).peakMiB, 'MiB', 260))
    const cycleId = families.regular.cycleId
    say('A kitchen day of 1,000')
    await grow(pool, pattern, kitchenPlaces(times(1_000), cycleId, monday))
    await settled(pool)
    const before = await readLines({ program, empty, office, families, times, label: '1,000 on the day' })
    say(`A history of ${history.large} checkouts, a kitchen day of 2,000`)
    await grow(pool, pattern, pastPlaces(history.large - history.small, history.small))
    await grow(pool, pattern, kitchenPlaces(times(1_000), cycleId, monday, times(1_000)))
    await settled(pool)
    const after = await readLines({
      program,
      empty,
      office,
      families,
      times,
      label: '2,000 on the day, ten times the history',
      before,
    })
    lines.push(...before, ...after)
    lines.push(figure('memory, after all of it', memoryOf(program.pid).nowMiB, 'MiB', 260))
  } finally {
    empty.stop()
    await pool.end()
    await program.stop()
  }
  say('Rebuild')
  lines.push(await rebuildLine(dataDir))
  return lines
}

const main = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tuckshop-bench-'))
  try {
    const lines = await bench(dataDir)
    console.log(
      `${cpus().length} × ${cpus()[0]?.model}, Node ${process.versions.node}${asked.quick ? ', quick' : ''}\n`,
    )
    console.log(tableOf(lines))
    const missed = lines.flatMap(({ targets = [] }) => targets).filter((target) => !isMet(target))
    console.log(`\n${missed.length} of ${lines.flatMap(({ targets = [] }) => targets).length} targets missed`)
    if (asked.json) await writeFile(asked.json, `${JSON.stringify(lines, null, 2)}\n`)
  } finally {
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
