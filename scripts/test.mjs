// `npm test`: the check, a build where it is old, then every test. The last line counts them as jest counted them; a
// failed check and a test file that could not run count as failures. Tests that did not run are named with the reason
// that stands in their name.
import { spawnSync } from 'node:child_process'
import { runTests, tell } from './counted-tests.mjs'
import { ensureBuilt } from './freshness.mjs'
import { root } from './root.mjs'

process.chdir(root)
const checked = spawnSync('npm', ['run', '--silent', 'check'], { stdio: 'inherit' }).status === 0
await ensureBuilt()

const tests = runTests(process.argv.slice(2))
if (!checked) console.log('\nThe check (npm run check) failed; see above.')
tell(checked ? tests : { ...tests, failed: tests.failed + 1 })
