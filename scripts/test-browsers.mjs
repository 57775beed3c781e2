// `npm run test:browsers`: a parent's path in Playwright's Firefox and WebKit where installed. BROWSER_PICTURES is a folder for
// screenshots.
import { runTests, tell } from './counted-tests.mjs'
import { ensureBuilt } from './freshness.mjs'
import { root } from './root.mjs'

process.chdir(root)
await ensureBuilt()
const result = await runTests(['--selectProjects', 'browsers', '--testTimeout', '120000'])
tell(result)
// Missing browsers are no failure.
if (result.failed === 0 && result.skipped.length > 0) process.exitCode = 0
