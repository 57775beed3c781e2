import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const root = join(__dirname, '../..')
const run = promisify(execFile)

type Violation = { from: string; to: string; rule: { name: string } }
const saidIn = async (folder: string, ...asked: string[]): Promise<string> => {
  const { stdout } = await run(process.execPath, [join(root, 'scripts/walls.mjs'), ...asked], {
    cwd: folder,
  }).catch((failed: { stdout: string }) => failed)
  return stdout
}

const { forbidden, layers, rooms } = require('../../.dependency-cruiser.cjs') as {
  forbidden: { name: string }[]
  layers: string[]
  rooms: Record<string, [lowest: string, next: string, ...string[]]>
}

/** File with a forbidden import → what it imports → the wall that must say no. */
const trespasses: [file: string, imported: string, wall: string][] = [
  ['src/kernel/t1.ts', 'node:fs', 'kernel-knows-only-zod'],
  ['src/kernel/t2.ts', '../contracts/endpoint', 'kernel-knows-only-zod'],
  ['src/contracts/t1.ts', '../kernel/school-time', 'contracts-know-zod-and-values'],
  ['src/contracts/t2.ts', 'koa', 'contracts-know-zod-and-values'],
  ['src/platform/t1.ts', '#modules/t_a/index', 'platform-knows-no-context'],
  ['src/platform/t2.ts', '../contracts/catalogue', 'platform-knows-no-context'],
  ['src/adapters/t1.ts', '#modules/t_a/index', 'adapters-serve-ports'],
  ['src/modules/t_b/t3.commands.ts', '../../adapters/clock', 'modules-stay-inside'],
  ['src/modules/t_b/t4.decide.ts', './t3.commands', 'decisions-are-pure'],
  ['src/modules/t_b/noun.ts', 'knex', 'decisions-are-pure'],
  ['src/modules/t_b/t5.decide.ts', 'node:crypto', 'decisions-know-no-node'],
  ['src/modules/t_b/room/t6.decide.ts', '../t3.commands', 'decisions-are-pure'],
  ['src/modules/t_b/room/noun.ts', 'node:crypto', 'decisions-know-no-node'],
  ['src/modules/t_b/t9.commands.ts', '../../sandbox/t_inside', 'only-the-app-opens-the-sandbox'],
  ['src/sandbox/t1.ts', '#modules/t_a/index', 'sandbox-speaks-the-wire-format'],
  ['src/app/t1.ts', '#modules/t_a/inside', 'app-enters-by-the-door'],
  ['web/lib/t1.ts', '../../src/kernel/money', 'web-sees-only-contracts'],
  ['web/features/t_b/t1.ts', '../t_a/api', 'features-are-strangers'],
  ['web/features/t_b/t2.ts', '../../pages/t_page', 'web-looks-downwards'],
  ['web/pages/t1.ts', '../app/t_app', 'pages-do-not-know-the-app'],
  ['web/queries/t1.ts', '../features/t_a/api', 'queries-know-no-screen'],
  ['web/ui/t1.ts', '../features/t_a/api', 'ui-knows-no-domain'],
  ['web/ui/t3.tsx', '../features/t_a/api', 'ui-knows-no-domain'],
  ['web/ui/t2.ts', '#contracts/catalogue', 'ui-knows-no-domain'],
  ['tests/support/t1.ts', '#modules/t_a/inside', 'support-uses-doors'],
  ['src/app/t2.ts', '../../tests/support/quiet-console', 'product-knows-no-tests'],
  ['src/app/t3.ts', 'lodash', 'packages-are-declared'],
  ['tests/support/t2.ts', 'lodash', 'packages-are-declared'],
  ['src/app/t4.ts', 'fast-check', 'server-uses-shipped-packages'],
  ['src/app/t5.ts', './nowhere', 'imports-resolve'],
  // Nobody knows a module above, by whichever door, and of one below only the doors.
  ...layers
    .slice(0, -1)
    .map((module, place): [string, string, string] => [
      `src/modules/${module}/t_up.commands.ts`,
      `../${layers[place + 1]}/index`,
      `${module}-stands-on-those-below`,
    ]),
  [
    'src/modules/ordering/room/t_up.commands.ts',
    '#modules/payments/published',
    'ordering-stands-on-those-below',
  ],
  [
    'src/modules/ordering/room/t_in.commands.ts',
    '../../catalogue/refusals',
    'ordering-stands-on-those-below',
  ],
  ['src/modules/find/t_in.commands.ts', '../audit/refusals', 'find-stands-on-those-below'],
  ...Object.entries(rooms).map(([module, [lowest, next]]): [string, string, string] => [
    `src/modules/${module}/${lowest}/t_room.commands.ts`,
    `../${next}/t_inside`,
    `${module}-rooms-go-downwards`,
  ]),
  ['src/modules/t_b/t10.commands.ts', './t_b.routes', 'rules-are-not-in-doorways'],
  ['src/modules/t_b/t11.routes.ts', './room/t_b.job', 'rules-are-not-in-doorways'],
]

const landmarks = [
  'src/modules/t_a/index.ts',
  'src/modules/t_a/published.ts',
  'src/modules/t_a/inside.ts',
  'src/sandbox/t_inside.ts',
  'web/features/t_a/api.ts',
  'web/pages/t_page.ts',
  'web/app/t_app.ts',
  'src/modules/t_b/t_b.routes.ts',
  'src/modules/t_b/room/t_b.job.ts',
  ...Object.entries(rooms).map(([module, [, next]]) => `src/modules/${module}/${next}/t_inside.ts`),
]

const write = (folder: string, file: string, text: string) => {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

/** Of the file that is imported, where it is one of ours. */
const pathOf = (file: string, imported: string) =>
  imported.startsWith('#') ? `${imported.replace('#', 'src/')}.ts` : `${join(dirname(file), imported)}.ts`

// That the code itself keeps to its rooms is what `npm run check` says.
describe('each wall has been seen red', () => {
  const copy = mkdtempSync(join(tmpdir(), 'tuckshop-walls-'))
  let violations: Violation[] = []

  beforeAll(async () => {
    const real = trespasses.map(([file, imported]) => pathOf(file, imported))
    for (const file of ['package.json', '.dependency-cruiser.cjs', ...real])
      if (existsSync(join(root, file))) cpSync(join(root, file), join(copy, file))
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    for (const file of landmarks) write(copy, file, 'export const landmark = 1\n')
    for (const [file, imported] of trespasses) write(copy, file, `import '${imported}'\n`)
    write(copy, 'src/kernel/t_circle_a.ts', "import './t_circle_b'\n")
    write(copy, 'src/kernel/t_circle_b.ts', "import './t_circle_a'\n")
    write(copy, 'migrations/01.sql', 'create table t_a.plates (\n);\ncreate table t_b.cups (\n);\n')
    write(copy, 'src/modules/t_b/t_tables.ts', "export const tables = ['t_b.cups', 't_a.plates.v1']\n")
    write(
      copy,
      'src/modules/t_b/t_join.ts',
      'export const sql = `select 1 from t_b.cups join t_a.plates on true`\n',
    )
    violations = JSON.parse(await saidIn(copy, '--json')) as Violation[]
  })
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  const wallsHitBy = (file: string) =>
    violations.filter(({ from }) => from === file).map(({ rule }) => rule.name)

  test.each(trespasses)('%s may not import %s (%s)', (file, _imported, wall) => {
    expect(wallsHitBy(file)).toContain(wall)
  })

  test('two files may not import each other', () => {
    expect(wallsHitBy('src/kernel/t_circle_a.ts')).toContain('no-circles')
  })

  test('a module may not name a table of another module', () => {
    expect(wallsHitBy('src/modules/t_b/t_join.ts')).toEqual(['own-tables'])
    expect(wallsHitBy('src/modules/t_b/t_tables.ts')).toEqual([])
  })

  test('what is known is let through, and its line has to go once it is mended', async () => {
    const known = { 'own-tables': ['src/modules/t_b/t_join.ts → t_a.plates', 'src/gone.ts → t_a.plates'] }
    write(copy, 'known-trespasses.json', JSON.stringify(known))
    const said = await saidIn(copy)
    expect(said).not.toContain('t_join.ts')
    expect(said).toContain('own-tables: src/gone.ts → t_a.plates is gone.')
  })

  test('every wall is tried here', () => {
    const tried = new Set([...trespasses.map(([, , wall]) => wall), 'no-circles'])
    expect(forbidden.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([])
  })
})

test.each([
  ['src', 'document.title', 'document'],
  ['src', 'describe.name', 'describe'],
  ['web', 'process.env', 'process'],
  ['web', 'expect.extend', 'expect'],
])('code in %s may not use %s, which only another room has', async (room, used, name) => {
  const school = mkdtempSync(join(tmpdir(), 'tuckshop-globals-'))
  cpSync(join(root, '.oxlintrc.json'), join(school, '.oxlintrc.json'))
  write(school, `${room}/one.ts`, `export const one = () => ${used}\n`)
  const said = await run(join(root, 'node_modules/.bin/oxlint'), [room], { cwd: school }).then(
    () => 'nothing',
    (failed: { stdout: string }) => failed.stdout,
  )
  rmSync(school, { recursive: true })
  expect(said).toContain(`'${name}' is not defined`)
})

const functionOf = (lines: number) => `export const long = () => {\n${'  void 0\n'.repeat(lines - 2)}}\n`

describe('a function is at most 60 lines long', () => {
  const lint = async (school: string, config: string) => {
    write(school, '.oxlintrc.json', config)
    return await run(join(root, 'node_modules/.bin/oxlint'), ['src'], { cwd: school }).then(
      ({ stdout }) => stdout,
      (failed: { stdout: string }) => failed.stdout,
    )
  }
  const config = readFileSync(join(root, '.oxlintrc.json'), 'utf8')

  test('and one of 61 is named', async () => {
    const school = mkdtempSync(join(tmpdir(), 'tuckshop-long-'))
    write(school, 'src/one.ts', functionOf(61))
    write(school, 'src/two.ts', functionOf(60))
    const said = await lint(school, config)
    rmSync(school, { recursive: true })
    expect(said).toContain('has too many lines (61)')
    expect(said).not.toContain('two.ts')
  })

  test('and a file stands among the exceptions only as long as it has a longer one', async () => {
    const { overrides } = JSON.parse(config) as { overrides: { files: string[]; rules: object }[] }
    const off = overrides.filter(({ rules }) => JSON.stringify(rules) === '{"max-lines-per-function":"off"}')
    const listed = off.flatMap(({ files }) => files).filter((file) => !file.includes('*'))
    const school = mkdtempSync(join(tmpdir(), 'tuckshop-long-'))
    for (const file of listed) cpSync(join(root, file), join(school, file))
    const said = await lint(school, '{ "rules": { "max-lines-per-function": ["error", { "max": 60 }] } }')
    rmSync(school, { recursive: true })
    expect(listed.filter((file) => !said.includes(file))).toEqual([])
  })
})

test('imports that are not sorted are named', async () => {
  const school = mkdtempSync(join(tmpdir(), 'tuckshop-sorted-'))
  cpSync(join(root, '.oxfmtrc.json'), join(school, '.oxfmtrc.json'))
  write(school, 'one.ts', "import { b } from './b'\nimport { a } from './a'\n\nexport const all = [a, b]\n")
  const said = await run(join(root, 'node_modules/.bin/oxfmt'), ['--check', '.'], { cwd: school }).then(
    () => 'nothing',
    (failed: { stdout: string }) => failed.stdout,
  )
  rmSync(school, { recursive: true })
  expect(said).toContain('one.ts')
})

test('a door function without a return type is named', async () => {
  const school = mkdtempSync(join(tmpdir(), 'tuckshop-doors-'))
  symlinkSync(join(root, 'node_modules'), join(school, 'node_modules'))
  write(school, 'src/tsconfig.json', '{ "include": ["."], "compilerOptions": { "strict": true } }')
  write(school, 'src/modules/t_a/made.ts', 'export const made = (one: number) => async () => one\n')
  write(
    school,
    'src/modules/t_a/index.ts',
    `import { made } from './made'
     export const rows = () => ({ declared: (): number => 1 })
     export const asReply = () => ({ id: 1 })
     export const aModule = () => ({
       name: 'a',
       declared: (): number => 1,
       inferred: () => 1,
       made: made(1),
       nested: { inferred: () => 1 },
     })`,
  )
  const said = await run(process.execPath, [join(root, 'scripts/door-types.mjs')], { cwd: school }).then(
    () => 'nothing',
    (failed: { stdout: string }) => failed.stdout,
  )
  rmSync(school, { recursive: true, force: true })
  expect(said.trim().split('\n').toSorted()).toEqual([
    'src/modules/t_a/index.ts: aModule.inferred does not declare what it returns',
    'src/modules/t_a/index.ts: aModule.nested.inferred does not declare what it returns',
    'src/modules/t_a/index.ts: asReply does not declare what it returns',
    'src/modules/t_a/made.ts: aModule.made does not declare what it returns',
  ])
})
