import { chromium } from 'playwright-core'
import startPostgres, { shared } from './start-postgres'
import { unpackedChromium } from './unpacked-chromium'

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

export default startBrowser
