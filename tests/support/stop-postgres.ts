import { shared } from './start-postgres'

/**
 * After all tests the Postgres of start-postgres.ts stops and leaves nothing. Jest calls a teardown file once, however
 * many projects name it.
 */
const stopPostgres = async (): Promise<void> => {
  const running = shared.tuckshopPostgres
  delete shared.tuckshopPostgres
  await running?.stop()
}

export default stopPostgres
