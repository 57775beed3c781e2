import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import startPostgres from './start-postgres'

/**
 * Before the browser tests: the database, and the browser that all of them share, unpacked once into this clone: the
 * machine's own temporary folder may hold one that another user unpacked.
 */
const startBrowser = async (): Promise<void> => {
  await startPostgres()
  if (process.env.CHROME_PATH) return
  const { TMPDIR } = process.env
  const folder = join(__dirname, '../../node_modules/.cache/chromium')
  await mkdir(folder, { recursive: true })
  process.env.TMPDIR = folder
  const { default: chromium } = await import('@sparticuz/chromium')
  process.env.TUCKSHOP_TEST_CHROME = await chromium.executablePath()
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
}

export default startBrowser
