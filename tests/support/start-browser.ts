import startPostgres from './start-postgres'

/** Before the browser tests: the database, and the browser that all of them share, unpacked once. */
const startBrowser = async (): Promise<void> => {
  await startPostgres()
  if (process.env.CHROME_PATH) return
  const { default: chromium } = await import('@sparticuz/chromium')
  process.env.TUCKSHOP_TEST_CHROME = await chromium.executablePath()
}

export default startBrowser
