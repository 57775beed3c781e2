// `npm test`: builds if needed, then runs tests and the check side by side. `--nightly` runs the rest (`.ci/nightly`). Words behind `--` go
// to jest. The last line counts; a failed check or file is a failure, skipped tests name their reason.
import { execFile } from 'node:child_process'
import { runTests, tell } from './counted-tests.mjs'
import { ensureBuilt } from './freshness.mjs'
import { root } from './root.mjs'
import { everydayTests, nightlyTests } from './tiers.mjs'

const check = () =>
  new Promise((resolve) => {
    const words = ['run', '--silent', 'check']
    execFile('npm', words, { maxBuffer: Infinity }, (error, said, complaints) =>
      resolve({ well: error === null, said: said + complaints }),
    )
  })

process.chdir(root)
await ensureBuilt()
const words = process.argv.slice(2).filter((word) => word !== '--nightly')
if (process.argv.includes('--nightly')) {
  tell(await runTests([...words, '--runTestsByPath', ...nightlyTests], { TRIES: 'all' }))
} else {
  const tests = runTests([...words, '--runTestsByPath', ...everydayTests])
  const { well, said } = await check()
  console.log(`\n${said}${well ? '' : 'The check (npm run check) failed; see above.'}`)
  const counted = await tests
  tell(well ? counted : { ...counted, failed: counted.failed + 1 })
}
