import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from '@swc/core'
import { check } from 'recheck'

const proven = 'scripts/linear-expressions.txt'
// Some take seconds to prove, more beside other work.
const timeout = 20_000

/** Each expression that a program writes out, as `/text/flags`. */
export const expressionsIn = (program, { tsx = false } = {}) => {
  const found = new Set()
  const look = (node) => {
    if (node === null || typeof node !== 'object') return
    if (node.type === 'RegExpLiteral') found.add(`/${node.pattern}/${node.flags}`)
    for (const part of Object.values(node)) look(part)
  }
  look(parseSync(program, { syntax: 'typescript', tsx }))
  return [...found]
}

/** Why an expression may take longer than in proportion to its text; null where it is proven that it does not. */
export const problemOf = async (expression) => {
  const end = expression.lastIndexOf('/')
  const told = await check(expression.slice(1, end), expression.slice(end + 1), { timeout })
  if (told.status === 'safe') return null
  return told.status === 'vulnerable' ? told.complexity.summary : `not proven: ${told.error.kind}`
}

const expressionsOf = (folders) => {
  const places = new Map()
  for (const folder of folders)
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (/\.tsx?$/.test(name))
        for (const one of expressionsIn(readFileSync(join(folder, name), 'utf8'), {
          tsx: name.endsWith('x'),
        }))
          places.set(one, [...(places.get(one) ?? []), join(folder, name)])
  if (places.size === 0) throw new Error(`No expressions in ${folders.join(' and ')}`)
  return places
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const places = expressionsOf(['src', 'web'])
  const known = process.argv.includes('--all') ? [] : readFileSync(proven, 'utf8').split('\n')
  const safe = known.filter((one) => places.has(one))
  for (const [one, files] of places) {
    if (known.includes(one)) continue
    const problem = await problemOf(one)
    if (problem === null) safe.push(one)
    else {
      console.error(`${files.join(', ')}: ${one} ${problem}`)
      process.exitCode = 1
    }
  }
  writeFileSync(proven, `${safe.toSorted().join('\n')}\n`)
  console.log(`${places.size} expressions, ${safe.length} of them proven to take linear time`)
  if (process.exitCode) console.error('Write it without nested or neighbouring repeats, or as a loop.')
  process.exit()
}
