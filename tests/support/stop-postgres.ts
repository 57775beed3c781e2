import { shared } from './start-postgres'

/** After the tests of the last project that uses it, the Postgres of start-postgres.ts stops and leaves nothing. */
const stopPostgres = async (): Promise<void> => {
  const running = shared.tuckshopPostgres
  if (running === undefined) return
  running.projects -= 1
  if (running.projects > 0) return
  delete shared.tuckshopPostgres
  await running.stop()
}

export default stopPostgres
