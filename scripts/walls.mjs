// `node scripts/walls.mjs [--json]`: holds the imports of this folder against .dependency-cruiser.cjs, and the tables that
// a module names against the schemas of migrations/. What known-trespasses.json lists may stay until it is gone; then its
// line has to go too, so that the list only shrinks.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import swc from '@swc/core'
import { cruise } from 'dependency-cruiser'

// The cruiser's parser takes every file for plain TypeScript; JSX would stop it.
const { parseFileSync } = swc
swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith('.tsx') })

const { forbidden, options } = createRequire(`${process.cwd()}/`)('./.dependency-cruiser.cjs')
const knownFile = 'known-trespasses.json'
/** By wall: "from → to". */
const known = existsSync(knownFile) ? JSON.parse(readFileSync(knownFile, 'utf8')) : {}
const isKnown = ({ rule, from, to }) => known[rule.name]?.includes(`${from} → ${to}`)

const { output } = await cruise(['src', 'web', 'tests'], {
  ...options,
  ruleSet: { forbidden },
  validate: true,
  outputType: 'json',
})
const imports = JSON.parse(output)

const filesIn = (folder, suffix) =>
  (existsSync(folder) ? readdirSync(folder, { recursive: true }) : [])
    .filter((file) => file.endsWith(suffix))
    .map((file) => `${folder}/${file}`)
const tables = filesIn('migrations', '.sql')
  .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/create table (\w+\.\w+)/g)])
  .map(([, table]) => ({
    table,
    named: new RegExp(`(['"\`]|\\b(from|join|into|update|using)\\s+)${table.replace('.', '[.]')}(?![\\w.-])`),
  }))
const foreignTables = filesIn('src/modules', '.ts').flatMap((file) => {
  const [, , module] = file.split('/')
  const text = readFileSync(file, 'utf8')
  return tables
    .filter(({ table, named }) => !table.startsWith(`${module}.`) && named.test(text))
    .map(({ table }) => ({ rule: { name: 'own-tables' }, from: file, to: table }))
})

const trespasses = [...imports.summary.violations, ...foreignTables]
const left = trespasses.filter((one) => !isKnown(one))
const ended = Object.entries(known).flatMap(([wall, lines]) =>
  lines
    .filter(
      (line) => !trespasses.some(({ rule, from, to }) => rule.name === wall && line === `${from} → ${to}`),
    )
    .map((line) => ({ rule: { name: wall }, line })),
)

const cures = new Map(forbidden.map(({ name, comment }) => [name, comment]))
cures.set(
  'own-tables',
  'A module names the tables of its own schema alone: ask the module that owns the table, by its door.',
)
if (process.argv.includes('--json')) process.stdout.write(JSON.stringify(left))
else {
  for (const { rule, from, to } of left)
    console.log(`${rule.name}: ${from} → ${to}\n  ${cures.get(rule.name)}`)
  for (const { rule, line } of ended)
    console.log(`${rule.name}: ${line} is gone. Take its line out of ${knownFile}.`)
  console.log(
    `${imports.summary.totalCruised} files, ${left.length + ended.length} trespasses, ${trespasses.length - left.length} known`,
  )
}
process.exitCode = left.length + ended.length > 0 || imports.summary.totalCruised === 0 ? 1 : 0
