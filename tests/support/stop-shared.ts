import { shared } from './start-postgres'

/**
 * After all tests: the browser and the Postgres that they shared stop and leave nothing. Jest calls a teardown file
 * once, however many projects name it.
 */
const stopShared = async (): Promise<void> => {
  const { tuckshopBrowser: browser, tuckshopPostgres: postgres } = shared
  delete shared.tuckshopBrowser
  delete shared.tuckshopPostgres
  await browser?.close()
  await postgres?.stop()
}

export default stopShared
