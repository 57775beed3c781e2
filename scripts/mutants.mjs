// `npm run test:mutants [-- --count 60 --seed 38]`: changes one place of src/modules or web/features at a time and runs the everyday tests
// that reach the file until one fails. Names each mutant that no test noticed; the last line counts. `--list` only shows them, `--only 3,7`
// takes these.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseSync } from '@swc/core'
import { root } from './root.mjs'
import { everydayStories, everydayTests } from './tiers.mjs'

/** One in six of each kind: what is searched for, and what stands there afterwards. */
const kinds = {
  'comparison turned': [/ (===|!==|<=|>=|<|>) (?=[\w'("[-])/g, (sign) => ` ${turned[sign]} `],
  'refusal dropped': [
    /^( *)(?:if \(.+\) )?throw (?:refuse|refused|new Refusal)\(.*\)$/gm,
    (indent) => `${indent};`,
  ],
  'event left out of a view': [/^( {2,}events: \[.*?)(?:, )?\b\w+(?=\],?$)/gm, (before) => before],
  'await left out': [/\bawait (?!import\(|Promise\.race)/g, () => ''],
  'amount off by one': [
    /\b(\w*(?:[aA]mount|[pP]rice|[bB]alance|[tT]otal|owed|paid)): ([a-z][\w.]*(?:\(\w+\))?)(?=,?$)/gm,
    (name, value) => `${name}: (${value}) + 1`,
  ],
  'right removed from a route': [
    /\b(?:withFeature|onlyRoles|buyersOrFeature)\([^()]*\)/g,
    () => `({ kind: 'signed-in' })`,
  ],
}
const turned = { '===': '!==', '!==': '===', '<': '>=', '>': '<=', '<=': '>', '>=': '<' }

const wordAfter = (name, otherwise) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? otherwise : process.argv[at + 1]
}

/** The same numbers for the same seed (mulberry32). */
const randomFrom = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
}

const files = ['src/modules', 'web/features'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .toSorted()
    .map((name) => join(folder, name)),
)

const isCode = (line) => !/^\s*(?:\/\/|\/?\*|import |export type |type )/.test(line)

const parses = (file, text) => {
  try {
    return Boolean(parseSync(text, { syntax: 'typescript', tsx: file.endsWith('.tsx') }))
  } catch {
    return false
  }
}

const placesOf = (kind) =>
  files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return [...text.matchAll(kinds[kind][0])].map((match) => ({ kind, file, text, match }))
  })

const mutantAt = ({ kind, file, text, match }) => {
  const changed =
    text.slice(0, match.index) + kinds[kind][1](...match.slice(1)) + text.slice(match.index + match[0].length)
  const number = text.slice(0, match.index).split('\n').length
  const line = text.split('\n')[number - 1]
  return isCode(line) && parses(file, changed) ? { kind, file, number, line: line.trim(), changed } : null
}

const chooseMutants = (count, seed) => {
  const random = randomFrom(seed)
  const names = Object.keys(kinds)
  const places = Object.fromEntries(names.map((kind) => [kind, placesOf(kind)]))
  const chosen = []
  for (let turn = 0; chosen.length < count; turn += 1) {
    const left = places[names[turn % names.length]]
    if (left.length === 0) continue
    const [place] = left.splice(Math.floor(random() * left.length), 1)
    const mutant = mutantAt(place)
    if (mutant) chosen.push(mutant)
    else turn -= 1
  }
  return chosen
}

/** The tests run on a copy, so that nobody finds a mutant in his checkout. */
const copyOfProject = () => {
  const copy = mkdtempSync(join(tmpdir(), 'tuckshop-mutants-'))
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const names = execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  for (const name of names) cpSync(join(root, name), join(copy, name))
  for (const name of ['node_modules', 'dist']) symlinkSync(join(root, name), join(copy, name))
  return copy
}

const jestIn = (copy) => (words) =>
  spawnSync(process.execPath, ['node_modules/jest/bin/jest.js', '--ci', ...words], {
    cwd: copy,
    encoding: 'utf8',
    timeout: 15 * 60_000,
  })

const wordsOf = (path) => path.split(/[^a-z]+/).filter((word) => word.length > 3)
const everyFile = new Set(['features', 'modules', 'routes', 'rows', 'view', 'commands', 'decide', 'tests'])

/** The everyday tests that reach a file: stories of its context that share a word with its name, its context, then all others. */
const stagesFor = (copy, file) => {
  const { stdout } = jestIn(copy)(['--listTests', '--findRelatedTests', file])
  const related = new Set(stdout.split('\n').map((path) => relative(copy, path)))
  const context = file.startsWith('web/') ? 'web' : file.split('/')[2]
  const own = everydayStories.filter((path) => related.has(path) && path.startsWith(`tests/${context}/`))
  const words = wordsOf(file).filter((word) => word !== context && !everyFile.has(word))
  const near = own.filter((path) => wordsOf(path).some((word) => words.includes(word)))
  const isOwn = (path) => own.includes(path) || path.startsWith(`tests/entries/${context}.`)
  const others = everydayTests.filter((path) => related.has(path) && !isOwn(path))
  const isUnit = (path) => path.includes('.unit.')
  const isFar = (path) => !isUnit(path) && !near.includes(path)
  const stages = [own.filter(isUnit), near.filter((path) => !isUnit(path)), own.filter(isFar), others]
  return stages.filter(({ length }) => length > 0)
}

/** The title of a test that fails with the mutant, or null. */
const killerOf = (copy, { file, changed }) => {
  const original = readFileSync(join(copy, file), 'utf8')
  writeFileSync(join(copy, file), changed)
  try {
    for (const stage of stagesFor(copy, file)) {
      const words = ['--bail=1', `--maxWorkers=${availableParallelism() + 1}`, '--runTestsByPath', ...stage]
      const { status, stderr } = jestIn(copy)(words)
      if (status !== 0) return /● (.*)/.exec(stderr)?.[1] ?? 'a run that did not finish'
    }
    return null
  } finally {
    writeFileSync(join(copy, file), original)
  }
}

const mutants = chooseMutants(Number(wordAfter('--count', '60')), Number(wordAfter('--seed', '38')))
const only = wordAfter('--only', null)?.split(',').map(Number)
const told = ({ kind, file, number, line }) => `${kind}, ${file}:${number}: ${line}`

if (process.argv.includes('--list')) {
  mutants.forEach((mutant, index) => console.log(`${index + 1} ${told(mutant)}`))
} else {
  const copy = copyOfProject()
  let [killed, survived] = [0, 0]
  try {
    for (const [index, mutant] of mutants.entries()) {
      if (only && !only.includes(index + 1)) continue
      const killer = killerOf(copy, mutant)
      if (killer === null) survived += 1
      else killed += 1
      console.log(
        `${index + 1} ${killer === null ? 'SURVIVED' : 'killed'} ${told(mutant)}${killer === null ? '' : `\n    by ${killer}`}`,
      )
    }
  } finally {
    rmSync(copy, { recursive: true })
  }
  console.log(`${killed} passed, ${survived} failed`)
}
