import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Line } from './report'

const run = promisify(execFile)

export const rebuildLine = async (dataDir: string): Promise<Line> => {
  const main = fileURLToPath(new URL('../dist/server/rebuild-main.js', import.meta.url))
  const began = performance.now()
  const { stdout } = await run(process.execPath, [main], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, LOG_LEVEL: 'error' },
    timeout: 600_000,
  })
  const seconds = (performance.now() - began) / 1000
  const events = Number(/from (\d+) events/.exec(stdout)?.[1])
  const value = events / seconds
  return {
    what: `rebuild of ${events} events`,
    figure: { value, unit: 'events/s' },
    targets: [{ name: 'events/s', value, atLeast: 8_000 }],
  }
}
