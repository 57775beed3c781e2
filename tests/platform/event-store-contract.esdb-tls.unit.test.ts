import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { EventStoreUnavailable, noStream } from '#platform/event-store/event-store'
import { openEventStore } from '../../src/adapters/event-store/esdb/event-store'
import { heardLog } from '../support/captured-log'
import { startNode, type EsdbNode } from '../support/esdb-server/start-node'
import { eventually } from '../support/eventually'
import { counted, follow, newEvents } from '../support/recorded-events'

const openssl = (...words: string[]): boolean => {
  try {
    execFileSync('openssl', words, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

let folder: string
let node: EsdbNode

const startWithTls = async () => {
  folder = mkdtempSync(join(tmpdir(), 'tuckshop-tls-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const request = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost'.split(' ')
  openssl(...request, '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert)
  node = await startNode({ tls: { key: readFileSync(key), cert: readFileSync(cert) } })
  node.admitOnly('till', 'p@ss')
}

const addressOf = (login: string) =>
  `${node.url().replace('127.0.0.1', `${login}@localhost`)}?tlsCAFile=${encodeURIComponent(join(folder, 'cert.pem'))}`

const open = (retryPolicy?: { callMs: number; totalMs: number }) =>
  openEventStore(addressOf('till:p%40ss'), heardLog(), { streams: ['meal-'], retryPolicy })

const meal = {
  stream: 'meal-1',
  expectedRevision: noStream,
  events: newEvents('meal-1', counted({ number: 1 })),
}

if (!openssl('version')) test.skip('EventStoreDB with TLS: there is no openssl here', () => undefined)
else
  describe('EventStoreDB with TLS', () => {
    beforeEach(startWithTls)
    afterEach(() => {
      node.stop()
      rmSync(folder, { recursive: true })
    })

    test('user and password go with every call', async () => {
      const store = await open()
      const position = await store.append([meal])
      expect((await store.read(['meal-1'])).get('meal-1')).toHaveLength(1)
      expect((await store.end()).position).toBe(position)
      const follower = follow(store, null)
      await eventually(() => follower.events.length === 1)
      await follower.close()
      await store.close()
    })

    test('a wrong password is one clear sentence, at once', async () => {
      await expect(openEventStore(addressOf('till:wrong'), heardLog())).rejects.toThrow(
        /refuses the user or the password, or does not let that user read \$all\.$/,
      )
    })

    test('a node that was replaced knows no user until it has caught up: calls are refused for a while', async () => {
      const store = await open({ callMs: 1_000, totalMs: 1_000 })
      node.admitOnly('nobody', 'yet')
      await expect(store.append([meal])).rejects.toThrow(EventStoreUnavailable)
      await expect(store.read(['meal-1'])).rejects.toThrow(EventStoreUnavailable)
      expect(await store.ping()).toBe(false)
      await store.close()
    })

    test('calls and subscriptions wait for a node that was replaced', async () => {
      const store = await open()
      const follower = follow(store, null)
      await eventually(() => node.openSubscriptions() > 0)
      node.admitOnly('nobody', 'yet')
      node.dropSubscriptions()
      const appending = store.append([meal])
      await pause(500)
      node.admitOnly('till', 'p@ss')
      await appending
      expect((await store.read(['meal-1'])).get('meal-1')).toHaveLength(1)
      await eventually(() => follower.events.length === 1)
      await follower.close()
      await store.close()
    })
  })
