import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import startPostgres, { shared } from './start-postgres'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // No test asks anybody but its own service.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

/** Before the browser tests: the database, and one browser that all of them share. */
const startBrowser = async (): Promise<void> => {
  await startPostgres()
  const browser = await chromium.launchServer({
    executablePath: process.env.CHROME_PATH || (await unpackedChromium()),
    args: flags,
    headless: true,
    host: '127.0.0.1',
  })
  process.env.TUCKSHOP_TEST_BROWSER = browser.wsEndpoint()
  shared.tuckshopBrowser = browser
}

/**
 * The Chromium that came with npm, unpacked once into this clone: the machine's own temporary folder may hold one that
 * another user unpacked.
 */
const unpackedChromium = async (): Promise<string> => {
  const { TMPDIR } = process.env
  const folder = join(__dirname, '../../node_modules/.cache/chromium')
  await mkdir(folder, { recursive: true })
  process.env.TMPDIR = folder
  const { default: packed } = await import('@sparticuz/chromium')
  const path = await packed.executablePath()
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
  return path
}

export default startBrowser
