import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { X509Certificate } from 'node:crypto'
import { esdbAddress } from '../../src/adapters/event-store/esdb/connection'
import { yamlFile, yamlText, fileText, fileIsThere } from '../support/repository'

type Node = {
  environment: Record<string, string | number>
  volumes: string[]
  healthcheck: { test: string[] }
  mem_limit: string
  restart: string
}

const single = yamlFile<{ services: { eventstore: Node } }>('docker-compose.yml').services.eventstore
// Compose's word for what is not merged; it is none of YAML's.
const { services } = yamlText<{ services: Record<string, Node> }>(
  fileText('compose.cluster.yml').replaceAll('!override', ''),
)
const names = ['eventstore1', 'eventstore2', 'eventstore3']
const nodes = names.map((name) => services[name]!)

test('every node says how large its caches are, also the single one', () => {
  for (const { environment } of [single, ...nodes])
    expect(environment).toMatchObject({
      EVENTSTORE_STREAM_INFO_CACHE_CAPACITY: 100_000,
      EVENTSTORE_CHUNKS_CACHE_SIZE: 268_435_968,
      EVENTSTORE_MAX_APPEND_SIZE: 8_388_608,
    })
})

test('every node knows users by a password without a default, over TLS', () => {
  const password = '${EVENTSTORE_PASSWORD:?see ops/compose.env.example}'
  for (const { environment, volumes } of [single, ...nodes]) {
    expect(environment).toMatchObject({
      EVENTSTORE_DEFAULT_ADMIN_PASSWORD: password,
      EVENTSTORE_DEFAULT_OPS_PASSWORD: password,
      EVENTSTORE_CERTIFICATE_FILE: '/certificates/node/node.crt',
    })
    expect(environment).not.toHaveProperty('EVENTSTORE_INSECURE')
    expect(volumes.some((volume) => volume.endsWith(':/certificates/node:ro'))).toBe(true)
  }
})

test('a node is healthy once it has a leader, not before', () => {
  for (const { healthcheck } of [single, ...nodes]) {
    expect(healthcheck.test[1]).toContain(':2113/info')
    expect(healthcheck.test[1]).toContain('leader')
  }
})

test.each(names)('%s knows the two others and is bounded', (name) => {
  const { environment, ...node } = services[name]!
  const others = names.filter((other) => other !== name)
  expect(environment.EVENTSTORE_GOSSIP_SEED).toBe(others.map((other) => `${other}:2113`).join(','))
  expect(environment.EVENTSTORE_NODE_HOST_ADVERTISE_AS).toBe(name)
  expect(node).toMatchObject({ mem_limit: '1g', restart: 'unless-stopped' })
})

test('the service is given all nodes, and the authority that signed their certificates', () => {
  for (const name of ['app', 'worker']) {
    const url = String(services[name]!.environment.EVENTSTORE_URL).replace(/\$\{.*?\}/, 'secret')
    expect(esdbAddress(url)).toMatchObject({
      shown: `esdb://${names.map((node) => `${node}:2113`).join(',')}`,
      credentials: { username: 'admin', password: 'secret' },
    })
    expect(services[name]!.volumes).toContain('./ops/eventstore/certificates/ca:/certificates/ca:ro')
  }
  expect(fileText('.gitignore').split('\n')).toContain('ops/eventstore/certificates')
  expect(fileIsThere('ops/eventstore/make-certificates.sh')).toBe(true)
})

test('the certificates name their node and are signed by the authority; what is there stays', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tuckshop certificates '))
  const make = () =>
    execFileSync('sh', ['ops/eventstore/make-certificates.sh', folder], { stdio: ['ignore', 'pipe', 'pipe'] })
  const read = (path: string) => new X509Certificate(readFileSync(join(folder, path)))
  make()
  const authority = read('ca/ca.crt')
  for (const name of ['eventstore', ...names]) {
    const certificate = read(`${name}/node.crt`)
    expect(certificate.verify(authority.publicKey)).toBe(true)
    expect(certificate.checkHost(name)).toBe(name)
    expect(certificate.subject).toBe('CN=eventstoredb-node')
  }
  make()
  expect(read('ca/ca.crt').fingerprint256).toBe(authority.fingerprint256)
  rmSync(folder, { recursive: true })
})
