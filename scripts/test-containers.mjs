// `npm run test:containers`: contract tests against real servers in containers (images of docker-compose.yml). Needs a container engine;
// names what cannot run.
import { readFileSync } from 'node:fs'
import yaml from 'js-yaml'
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers'
import { runTests, tell } from './counted-tests.mjs'
import { root } from './root.mjs'

process.chdir(root)

const { services } = yaml.safeLoad(readFileSync('docker-compose.yml', 'utf8'))

const servers = [
  {
    what: 'Postgres (database, locks, notifications, event store, queue)',
    tests:
      'platform/(database|locks|notifications|event-store-postgres|event-store-contract.postgres|queue-postgres)',
    variable: 'TEST_DATABASE_URL',
    container: () =>
      new GenericContainer(services.postgres.image)
        .withEnvironment({ POSTGRES_PASSWORD: 'tuckshop' })
        .withCommand(['postgres', '-c', 'max_connections=400', '-c', 'fsync=off', '-c', 'autovacuum=off'])
        .withExposedPorts(5432)
        // The image starts it twice, first to create its cluster.
        .withWaitStrategy(Wait.forLogMessage('ready to accept connections', 2)),
    url: (host, port) => `postgres://postgres:tuckshop@${host}:${port}/postgres`,
  },
  {
    what: 'Redis (queue)',
    tests: 'platform/queue-redis',
    variable: 'REDIS_TEST_URL',
    container: () => new GenericContainer(services.redis.image).withExposedPorts(6379),
    url: (host, port) => `redis://${host}:${port}`,
  },
  {
    what: 'EventStoreDB (event store)',
    tests: 'platform/event-store-contract.esdb.unit',
    variable: 'EVENTSTORE_TEST_URL',
    container: () =>
      new GenericContainer(services.eventstore.image)
        .withEnvironment({
          EVENTSTORE_CLUSTER_SIZE: '1',
          EVENTSTORE_INSECURE: 'true',
          EVENTSTORE_RUN_PROJECTIONS: 'None',
          EVENTSTORE_TELEMETRY_OPTOUT: 'true',
          EVENTSTORE_MAX_APPEND_SIZE: '8388608',
        })
        .withExposedPorts(2113)
        .withWaitStrategy(Wait.forHttp('/health/live', 2113).forStatusCode(204)),
    url: (host, port) => `esdb://${host}:${port}?tls=false`,
  },
]

const engine = await getContainerRuntimeClient().then(
  () => null,
  (error) => error.message,
)
const started = []
const skipped = []
const variables = {}
for (const { what, container, variable, url } of servers)
  try {
    if (engine !== null) throw new Error(engine)
    const running = await container().start()
    started.push(running)
    variables[variable] = url(running.getHost(), running.getFirstMappedPort())
  } catch (error) {
    skipped.push(`${what}: ${error.message}`)
  }

const patterns = servers.filter(({ variable }) => variables[variable]).map(({ tests }) => tests)
const result =
  patterns.length > 0
    ? await runTests(['--selectProjects', 'unit', 'int', '--testPathPatterns', ...patterns], variables)
    : { well: true, passed: 0, failed: 0, skipped: [] }
await Promise.all(started.map((running) => running.stop()))
tell({ ...result, skipped: [...result.skipped, ...skipped] })
if (engine !== null) process.exitCode = 0
