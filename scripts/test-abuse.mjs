// `npm run test:abuse`: the attacks of tests/abuse, with at least 20,000 requests of the fuzz (FUZZ_REQUESTS) from a
// fixed seed (FUZZ_SEED), in the order of the service, its screens and its browser.
import { spawnSync } from 'node:child_process'
import { ensureBuilt } from './freshness.mjs'
import { root } from './root.mjs'

process.chdir(root)
await ensureBuilt()
const words = ['node_modules/jest/bin/jest.js', '--testPathPatterns', 'tests/abuse', ...process.argv.slice(2)]
const env = { ...process.env, FUZZ_REQUESTS: process.env.FUZZ_REQUESTS || '20000' }
process.exitCode = spawnSync(process.execPath, words, { stdio: 'inherit', env }).status ?? 1
