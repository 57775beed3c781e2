import { StartError } from '#platform/failures'
import { esdbAddress } from '../../src/adapters/event-store/esdb/connection'
import { openEventStore } from '../../src/adapters/event-store/esdb/event-store'
import { heardLog } from '../support/captured-log'
import { startNode } from '../support/esdb-server/start-node'

const client = { loaded: false }

jest.mock('@eventstore/db-client', () => {
  client.loaded = true
  return jest.requireActual<object>('@eventstore/db-client')
})

test('the client is loaded when a store is opened, not before', async () => {
  expect(client.loaded).toBe(false)
  const node = await startNode()
  const store = await openEventStore(node.url(), heardLog())
  expect(client.loaded).toBe(true)
  expect(await store.ping()).toBe(true)
  await store.close()
  node.stop()
})

test.each([
  ['esdb://host:2113?tls=false', 'esdb://host:2113?tls=false&connectionName=tuckshop'],
  ['kurrentdb://host?tls=false', 'esdb://host?tls=false&connectionName=tuckshop'],
  ['kurrent+discover://host/?TLS=false', 'esdb+discover://host?TLS=false&connectionName=tuckshop'],
  ['kurrentdb+discover://a:b@host', 'esdb+discover://host?connectionName=tuckshop'],
  ['esdb://a:b@one:1,two:2,three:3', 'esdb://one:1,two:2,three:3?connectionName=tuckshop'],
  ['esdb://a:b@host?connectionName=till', 'esdb://host?connectionName=till'],
])('%s is given to the client as %s', (url, connection) => {
  expect(esdbAddress(url).connection).toBe(connection)
})

test('user and password are taken out of the address, with their escapes undone', () => {
  expect(esdbAddress('esdb://admin:ch%40nge%3Ait@host:2113')).toEqual({
    connection: 'esdb://host:2113?connectionName=tuckshop',
    credentials: { username: 'admin', password: 'ch@nge:it' },
    shown: 'esdb://host:2113',
    prefix: '',
  })
})

test('a streamPrefix is ours, not the client’s', () => {
  expect(esdbAddress('esdb://host?tls=false&streamPrefix=north&connectionName=till')).toMatchObject({
    connection: 'esdb://host?tls=false&connectionName=till',
    prefix: 'north:',
  })
  expect(() => esdbAddress('esdb://host?tls=false&streamPrefix=a-b')).toThrow(
    new StartError('EVENTSTORE_URL takes a streamPrefix of at most 40 letters, digits or _.'),
  )
})

test('with TLS a user is needed', () => {
  expect(() => esdbAddress('esdb://host:2113')).toThrow(
    new StartError(
      'The event store at esdb://host:2113 is reached with TLS, so EVENTSTORE_URL takes a user and a password (or tls=false).',
    ),
  )
})

test('an address of another kind is refused without being repeated', () => {
  expect(() => esdbAddress('http://admin:secret@host')).toThrow(
    new StartError('EVENTSTORE_URL takes an address such as esdb://user:password@host:2113?tls=true.'),
  )
})

test.each([
  ['esdb://till:100%@host', 'EVENTSTORE_URL takes a user and a password with their % written as %25.'],
  [
    'esdb://host:door?tls=false',
    'EVENTSTORE_URL cannot be used: Unexpected "door" at position 12, expected port number.',
  ],
  [
    'esdb://a:b@host?tlsCAFile=/nowhere',
    'EVENTSTORE_URL cannot be used: Failed to load certificate file. File was not found.',
  ],
])('%s stops the start with a sentence', async (url, sentence) => {
  await expect(openEventStore(url, heardLog())).rejects.toThrow(new StartError(sentence))
})

test('a store that nobody answers for is one clear sentence', async () => {
  const node = await startNode()
  node.stop()
  const opening = openEventStore(node.url(), heardLog(), { retryPolicy: { callMs: 200, totalMs: 200 } })
  await expect(opening).rejects.toThrow(StartError)
  await expect(opening).rejects.toThrow(
    /^The event store at esdb:\/\/127\.0\.0\.1:\d+ cannot be reached: .*\.$/,
  )
})

test('a store that refuses us is one clear sentence, at once; without TLS no credentials go out at all', async () => {
  const node = await startNode()
  node.admitOnly('nobody', 'nobody')
  await expect(openEventStore(node.url(), heardLog())).rejects.toThrow(
    /refuses the user or the password, or does not let that user read \$all\.$/,
  )
  node.stop()
})
