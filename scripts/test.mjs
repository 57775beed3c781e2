// `npm test`: the check, a build where it is old, then every test. The last line counts them as jest counted them; a
// failed check and a test file that could not run count as failures. Tests that did not run are named with the reason
// that stands in their name.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from './freshness.mjs'
import { root } from './root.mjs'

process.chdir(root)
const run = (command, words, out = 'inherit') =>
  spawnSync(command, words, { stdio: ['inherit', out, 'inherit'] }).status === 0

const checked = run('npm', ['run', '--silent', 'check'])
await ensureBuilt()

const folder = mkdtempSync(join(tmpdir(), 'tuckshop-results-'))
const results = join(folder, 'results.json')
const jest = [
  'node_modules/jest/bin/jest.js',
  '--ci',
  '--maxWorkers=100%',
  '--json',
  `--outputFile=${results}`,
]
// Jest reports on stderr; on stdout it would only name the file.
const tested = run(process.execPath, [...jest, ...process.argv.slice(2)], 'ignore')
const result = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : null
rmSync(folder, { recursive: true })

const skipped = (result?.testResults ?? []).flatMap((file) =>
  file.assertionResults.filter(({ status }) => status === 'pending' || status === 'todo'),
)
if (skipped.length > 0)
  console.log(`\nNot run:\n${skipped.map(({ fullName }) => `  - ${fullName}`).join('\n')}`)
if (!checked) console.log('\nThe check (npm run check) failed; see above.')

const passed = result?.numPassedTests ?? 0
const failed =
  (result === null ? 1 : result.numFailedTests + result.numRuntimeErrorTestSuites) + (checked ? 0 : 1)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = checked && tested && failed === 0 && passed > 0 ? 0 : 1
