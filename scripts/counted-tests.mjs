import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { root } from './root.mjs'

// Workers with a browser or database wait about half of the time.
const workers = `--maxWorkers=${availableParallelism() + 1}`
// Each file discards a whole world: more room saves a twentieth of the run in garbage collection.
const semiSpaceFlag = '--max-semi-space-size=64'

/**
 * Runs jest and counts tests; a file or jest that could not finish counts as failure. `skipped` holds names, `slowest` the ten files that took
 * longest, `well` is jest's own verdict.
 * RESULTS keeps jest's output for `npm run docs:rules`.
 */
export const runTests = async (words, variables = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'tuckshop-results-'))
  const results = join(folder, 'results.json')
  const ours = ['--ci', '--json', `--outputFile=${results}`]
  if (!words.some((word) => word.startsWith('--maxWorkers'))) ours.push(workers)
  // Jest reports on stderr; stdout would only name the file.
  const jest = spawn(process.execPath, [semiSpaceFlag, 'node_modules/jest/bin/jest.js', ...ours, ...words], {
    cwd: root,
    stdio: ['inherit', 'ignore', 'inherit'],
    env: { ...process.env, ...variables },
  })
  const [status] = await once(jest, 'exit')
  const result = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : null
  if (result && process.env.RESULTS) copyFileSync(results, process.env.RESULTS)
  rmSync(folder, { recursive: true })
  const skipped = (result?.testResults ?? [])
    .flatMap((file) => file.assertionResults)
    .filter((test) => test.status === 'pending' || test.status === 'todo')
    .map(({ fullName }) => fullName)
  const slowest = (result?.testResults ?? [])
    .map(({ name, startTime, endTime }) => ({ name, seconds: Math.round((endTime - startTime) / 1000) }))
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, 10)
    .map(
      ({ name, seconds }) =>
        `${relative(join(root, 'tests'), name).replace(/\.test\.tsx?$/, '')} ${seconds} s`,
    )
  return {
    well: status === 0,
    slowest,
    passed: result?.numPassedTests ?? 0,
    failed: result === null ? 1 : result.numFailedTests + result.numRuntimeErrorTestSuites,
    skipped,
  }
}

export const tell = ({ well, passed, failed, skipped, slowest = [] }) => {
  if (slowest.length > 0) console.log(`\nThe slowest files: ${slowest.join(', ')}`)
  if (skipped.length > 0) console.log(`\nNot run:\n${skipped.map((name) => `  - ${name}`).join('\n')}`)
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = well && failed === 0 && passed > 0 ? 0 : 1
}
