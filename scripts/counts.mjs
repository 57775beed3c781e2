// `npm run counts`: what a reader of src crosses. `npm run crossed` counts files and functions of whole stories.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from '@swc/core'
import { root } from './root.mjs'

const files = readdirSync(join(root, 'src'), { recursive: true })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join(root, 'src', name), 'utf8') }))

const under = (...folders) =>
  files.filter(({ name }) => folders.some((folder) => name.startsWith(`modules/${folder}/`)))
const linesOf = (some) => some.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
const times = (pattern, some) => some.reduce((sum, { text }) => sum + [...text.matchAll(pattern)].length, 0)

const isFunction = ({ type }) =>
  /^(ArrowFunctionExpression|FunctionDeclaration|FunctionExpression|MethodProperty)$/.test(type)

/** Lines of each function, without those of the functions inside it: a container of functions is as long as what it adds. */
const ownLines = ({ name, text }) => {
  const bytes = Buffer.from(text)
  const tree = parseSync(text, { syntax: 'typescript' })
  const lineAt = (place) =>
    bytes
      .subarray(0, place - tree.span.start)
      .toString()
      .split('\n').length
  const found = []
  const walk = (node) => {
    if (node === null || typeof node !== 'object') return 0
    const inner = Object.values(node).reduce(
      (sum, one) => sum + (Array.isArray(one) ? one : [one]).reduce((all, part) => all + walk(part), 0),
      0,
    )
    if (!node.type || !isFunction(node)) return inner
    const [first, last] = [lineAt(node.span.start), lineAt(node.span.end)]
    const lines = last - first + 1
    // A function on one line is part of what surrounds it.
    if (lines > 1) found.push({ where: `${name}:${first}`, lines: lines - inner })
    return lines > 1 ? lines : 0
  }
  walk(tree)
  return found
}
const longer = (limit, some) => some.flatMap(ownLines).filter(({ lines }) => lines > limit)

const modules = files.filter(({ name }) => name.startsWith('modules/'))
const over60 = longer(60, files)
const known = Object.values(JSON.parse(readFileSync(join(root, 'known-trespasses.json'), 'utf8'))).flat()

console.table({
  'lines of src': linesOf(files),
  'lines of ordering and payments': linesOf(under('ordering', 'payments')),
  'functions of more than 60 own lines': over60.length,
  'of more than 40 in ordering and payments': longer(40, under('ordering', 'payments')).length,
  "references to another module's schema": known.filter((line) => /→ \w+\.\w+$/.test(line)).length,
  'waitForViews in modules': times(/\bwaitForViews\b/g, modules),
  'fault loops in modules': times(/const faults: unknown\[\]/g, modules),
  'types of needs in modules': times(/^(?:export )?type \w*Needs\b/gm, modules),
})
for (const { where, lines } of over60) console.log(`src/${where} has ${lines} lines of its own`)
