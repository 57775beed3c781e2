// `npm run test:crash`: the built program killed under load CRASHES times (200), in the embedded set and then, where
// there is a redis-server or REDIS_TEST_URL, with Redis. SEED repeats a run. See docs/survival.md.
import { spawnSync } from 'node:child_process'
import { ensureBuilt } from './freshness.mjs'
import { root } from './root.mjs'

process.chdir(root)
await ensureBuilt()
process.exitCode =
  spawnSync(process.execPath, ['--import', 'tsx', 'tests/crash/crash-main.ts'], { stdio: 'inherit' })
    .status ?? 1
