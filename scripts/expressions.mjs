import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from '@swc/core'
import { check } from 'recheck'

const proven = 'scripts/linear-expressions.txt'
// Some take seconds to prove, more beside other work.
const timeout = 120_000
// Between an expression that cannot be read and why it takes linear time.
const reason = ' # '

/** Each expression that a program writes out, as `/text/flags`; `unread` are those that it puts together, with … for what is not written. */
export const expressionsIn = (program, { tsx = false } = {}) => {
  const found = new Set()
  const unread = new Set()
  const tree = parseSync(program, { syntax: 'typescript', tsx })
  const writtenBy = constantsOf(tree)
  each(tree, (node) => {
    if (node.type === 'RegExpLiteral') found.add(`/${node.pattern}/${node.flags}`)
    if (!isMade(node)) return
    const [text, flags = ''] = node.arguments.map(({ expression }) => textOf(expression, writtenBy))
    if (text.includes(notWritten))
      unread.add(`new RegExp(${text.replaceAll('\r', '\\r').replaceAll('\n', '\\n')})`)
    else found.add(`${new RegExp(text, flags)}`)
  })
  return { found: [...found], unread: [...unread] }
}

const each = (node, look) => {
  if (node === null || typeof node !== 'object') return
  look(node)
  for (const part of Object.values(node)) each(part, look)
}

const isMade = ({ type, callee }) =>
  (type === 'NewExpression' || type === 'CallExpression') && callee.value === 'RegExp'

const notWritten = '…'

const nameOf = ({ value, ctxt }) => `${value} ${ctxt}`

/** What constants of the program are made of. */
const constantsOf = (tree) => {
  const constants = new Map()
  each(tree, ({ type, id, init }) => {
    if (type === 'VariableDeclarator' && id.type === 'Identifier' && init) constants.set(nameOf(id), init)
  })
  return constants
}

/** The text that an expression of the program makes. */
const textOf = (node, constants) => {
  const text = (part) => textOf(part, constants)
  const filled = (template, kind) =>
    template.quasis
      .map((one, at) => one[kind] + (at in template.expressions ? text(template.expressions[at]) : ''))
      .join('')
  switch (node.type) {
    case 'StringLiteral':
      return node.value
    case 'TemplateLiteral':
      return filled(node, 'cooked')
    case 'TaggedTemplateExpression':
      return node.tag.property?.value === 'raw' ? filled(node.template, 'raw') : notWritten
    case 'BinaryExpression':
      return node.operator === '+' ? text(node.left) + text(node.right) : notWritten
    case 'Identifier':
      return constants.has(nameOf(node)) ? text(constants.get(nameOf(node))) : notWritten
    case 'CallExpression':
      return node.callee.property?.value === 'join' && node.callee.object.type === 'ArrayExpression'
        ? node.callee.object.elements
            .map(({ expression }) => text(expression))
            .join(text(node.arguments[0].expression))
        : notWritten
    default:
      return notWritten
  }
}

/** Why an expression may take longer than in proportion to its text; null where it is proven that it does not. */
export const problemOf = async (expression) => {
  const end = expression.lastIndexOf('/')
  const told = await check(expression.slice(1, end), expression.slice(end + 1), { timeout })
  if (told.status === 'safe') return null
  return told.status === 'vulnerable' ? told.complexity.summary : `not proven: ${told.error.kind}`
}

/** By expression, the files that hold it. */
const expressionsOf = (folders) => {
  const found = new Map()
  const unread = new Set()
  for (const folder of folders)
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(name)) continue
      const file = join(folder, name)
      const told = expressionsIn(readFileSync(file, 'utf8'), { tsx: name.endsWith('x') })
      for (const one of told.found) found.set(one, [...(found.get(one) ?? []), file])
      for (const one of told.unread) unread.add(`${file}: ${one}`)
    }
  if (found.size === 0) throw new Error(`No expressions in ${folders.join(' and ')}`)
  return { found, unread }
}

const fail = (why) => {
  console.error(why)
  process.exitCode = 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { found, unread } = expressionsOf(['src', 'web'])
  const lines = readFileSync(proven, 'utf8').split('\n')
  const known = process.argv.includes('--all') ? [] : lines
  const safe = known.filter((one) => found.has(one))
  for (const [one, files] of found) {
    if (known.includes(one)) continue
    const problem = await problemOf(one)
    if (problem === null) safe.push(one)
    else fail(`${files.join(', ')}: ${one} ${problem}`)
  }
  const reasoned = lines.filter((line) => unread.has(line.split(reason)[0]) && line.includes(reason))
  for (const one of unread)
    if (!reasoned.some((line) => line.startsWith(one + reason)))
      fail(`${one} cannot be read. Add it to ${proven}, with "${reason}" and why it takes linear time`)
  writeFileSync(proven, `${[...safe.toSorted(), ...reasoned.toSorted()].join('\n')}\n`)
  console.log(`${found.size} expressions, ${safe.length} of them proven to take linear time`)
  if (process.exitCode) console.error('Write it without nested or neighbouring repeats, or as a loop.')
  process.exit()
}
