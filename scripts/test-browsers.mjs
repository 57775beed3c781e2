// `npm run test:browsers`: a parent's path in Playwright's Firefox and WebKit. One that is not installed is named.
// BROWSER_PICTURES is a folder for a picture of every screen that was read.
import { runTests, tell } from './counted-tests.mjs'
import { ensureBuilt } from './freshness.mjs'
import { root } from './root.mjs'

process.chdir(root)
await ensureBuilt()
const result = await runTests(['--selectProjects', 'browsers', '--testTimeout', '120000'])
tell(result)
// Without either browser nothing runs, and that is no fault.
if (result.failed === 0 && result.skipped.length > 0) process.exitCode = 0
