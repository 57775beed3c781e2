// A process that runs the embedded database in the directory it is given, says its address and waits to be killed.
import { startEmbeddedPostgres } from '../../src/adapters/embedded-postgres/embedded-postgres'
import { silentLog } from '../support/start-postgres'

void startEmbeddedPostgres({ dataDir: process.argv[2]!, log: silentLog }).then(
  ({ url }) => process.stdout.write(`${url}\n`),
  (error: unknown) => {
    process.stderr.write(String(error))
    process.exitCode = 1
  },
)
setInterval(() => undefined, 60_000)
