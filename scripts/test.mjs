// `npm test`: a build where it is old, then every test, and beside the tests the check, which says what it found after
// them. The last line counts the tests as jest counted them; a failed check and a test file that could not run count as
// failures. Tests that did not run are named with the reason that stands in their name.
import { execFile } from 'node:child_process'
import { runTests, tell } from './counted-tests.mjs'
import { ensureBuilt } from './freshness.mjs'
import { root } from './root.mjs'

const check = () =>
  new Promise((resolve) => {
    const words = ['run', '--silent', 'check']
    execFile('npm', words, { maxBuffer: Infinity }, (error, said, complaints) =>
      resolve({ well: error === null, said: said + complaints }),
    )
  })

process.chdir(root)
await ensureBuilt()
const [tests, { well, said }] = await Promise.all([
  runTests(['--ignoreProjects', 'browsers', ...process.argv.slice(2)]),
  check(),
])
console.log(`\n${said}${well ? '' : 'The check (npm run check) failed; see above.'}`)
tell(well ? tests : { ...tests, failed: tests.failed + 1 })
