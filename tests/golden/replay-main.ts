// `npm run replay:golden`: replays the recorded history into every read model and compares checksums of their rows. With
// `--out DIR` the rows of each table go there, and of tables that differ the first rows that do are shown, if the rows of
// an earlier run are in `--before DIR`. `--write` writes the checksums anew; `--record` lives the history anew before.
import { mkdirSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import startPostgres, { shared } from '../support/start-postgres'
import { readHistory, writeHistory } from './history-file'
import { checksumsOf, replay, type Rows } from './read-models'

const { values: asked } = parseArgs({
  options: {
    record: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    out: { type: 'string' },
    before: { type: 'string' },
  },
})

const checksums = join(process.cwd(), 'tests/golden/checksums.txt')
const shownRows = 3

const fileOf = (folder: string, table: string) => join(folder, `${table}.jsonl`)

const writeRows = (folder: string, rows: Rows): void => {
  mkdirSync(folder, { recursive: true })
  for (const [table, lines] of Object.entries(rows))
    writeFileSync(fileOf(folder, table), lines.map((line) => `${line}\n`).join(''))
}

/** The first rows of a table that are only in one of both. */
const showDifference = (folder: string, table: string, now: readonly string[]): void => {
  const file = fileOf(folder, table)
  const before = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
  const [was, is] = [new Set(before), new Set(now)]
  for (const row of before.filter((one) => !is.has(one)).slice(0, shownRows)) console.log(`  before: ${row}`)
  for (const row of now.filter((one) => !was.has(one)).slice(0, shownRows)) console.log(`  now:    ${row}`)
}

const tableOf = (line: string) => line.split(' ')[0]!

const compare = (rows: Rows): void => {
  const wanted = readFileSync(checksums, 'utf8').trimEnd().split('\n')
  const found = checksumsOf(rows)
  const differing = new Set([
    ...wanted.filter((line) => !found.includes(line)).map(tableOf),
    ...found.filter((line) => !wanted.includes(line)).map(tableOf),
  ])
  for (const table of differing) {
    console.log(`${table} differs.`)
    for (const line of wanted) if (tableOf(line) === table) console.log(`  wanted: ${line}`)
    for (const line of found) if (tableOf(line) === table) console.log(`  found:  ${line}`)
    if (asked.before) showDifference(asked.before, table, rows[table] ?? [])
  }
  if (differing.size > 0) process.exitCode = 1
  else console.log(`${found.length} read models are as they were.`)
}

const main = async (): Promise<void> => {
  if (asked.record) {
    const { recordHistory } = await import('./record')
    const events = await recordHistory()
    console.log(`${events.length} events recorded, ${writeHistory(events)} bytes.`)
  }
  const rows = await replay(readHistory())
  if (asked.out) writeRows(asked.out, rows)
  if (asked.record || asked.write) writeFileSync(checksums, `${checksumsOf(rows).join('\n')}\n`)
  else compare(rows)
}

await startPostgres()
try {
  await main()
} finally {
  await shared.tuckshopPostgres?.stop()
}
