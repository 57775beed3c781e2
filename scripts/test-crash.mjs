// `npm run test:crash`: the built program killed under load CRASHES times (200), in the embedded set, then, where there is
// a redis-server or REDIS_TEST_URL, with Redis, then with its events in EventStoreDB (EVENTSTORE_TEST_URL, or a server of
// its protocol in this process). SEED repeats a run. See docs/survival.md.
import { spawnSync } from 'node:child_process'
import { ensureBuilt } from './freshness.mjs'
import { root } from './root.mjs'

process.chdir(root)
await ensureBuilt()
process.exitCode =
  spawnSync(process.execPath, ['--import', 'tsx', 'tests/crash/crash-main.ts'], { stdio: 'inherit' })
    .status ?? 1
