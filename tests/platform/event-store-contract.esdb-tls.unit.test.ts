import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEventStore } from '../../src/adapters/event-store/esdb/event-store'
import { noStream } from '#platform/event-store/event-store'
import { startNode } from '../support/esdb-server/start-node'
import { eventually } from '../support/eventually'
import { heardLog } from '../support/heard-log'
import { counted, follow, newEvents } from '../support/recorded-events'

const openssl = (...words: string[]): boolean => {
  try {
    execFileSync('openssl', words, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

if (!openssl('version')) test.skip('EventStoreDB with TLS: there is no openssl here', () => undefined)
else
  test('with TLS, user and password go with every call', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tuckshop-tls-'))
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const request = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost'.split(' ')
    openssl(...request, '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert)
    const node = await startNode({ tls: { key: readFileSync(key), cert: readFileSync(cert) } })
    node.admitOnly('till', 'p@ss')
    const address = node.url().replace('127.0.0.1', 'till:p%40ss@localhost')

    const store = await openEventStore(`${address}?tlsCAFile=${encodeURIComponent(cert)}`, heardLog(), {
      streams: ['meal-'],
    })
    const events = newEvents('meal-1', counted({ number: 1 }))
    const position = await store.append([{ stream: 'meal-1', expectedRevision: noStream, events }])
    expect((await store.read(['meal-1'])).get('meal-1')).toHaveLength(1)
    expect((await store.end()).position).toBe(position)
    const follower = follow(store, null)
    await eventually(() => follower.events.length === 1)
    await follower.close()

    await store.close()
    node.stop()
    rmSync(folder, { recursive: true })
  })
