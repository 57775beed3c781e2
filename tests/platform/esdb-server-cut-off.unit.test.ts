import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { Empty, StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb'
import { AppendReq } from '@eventstore/db-client/generated/streams_pb'
import { openEventStore } from '../../src/adapters/event-store/esdb/event-store'
import { heardLog } from '../support/captured-log'
import { startNode, type EsdbNode } from '../support/esdb-server/start-node'
import { eventually } from '../support/eventually'
import { benchOf } from './event-store/store-under-test'

let node: EsdbNode
beforeEach(async () => {
  node = await startNode()
})
afterEach(() => node.stop())

const optionsOf = (stream: string): AppendReq => {
  const named = new StreamIdentifier()
  named.setStreamName(Uint8Array.from(Buffer.from(stream)))
  const options = new AppendReq.Options()
  options.setStreamIdentifier(named)
  options.setNoStream(new Empty())
  const message = new AppendReq()
  message.setOptions(options)
  return message
}

const eventOf = (number: number): AppendReq => {
  const id = new UUID()
  id.setString(`00000000-0000-4000-8000-${String(number).padStart(12, '0')}`)
  const event = new AppendReq.ProposedMessage()
  event.setId(id)
  event.getMetadataMap().set('type', 'meal').set('content-type', 'application/json')
  event.setData(Uint8Array.from(Buffer.from('{}')))
  const message = new AppendReq()
  message.setProposedMessage(event)
  return message
}

/** Begins an append over a connection of its own; `kill` breaks that as the death of its process does. */
const beginAppend = (messages: AppendReq[]) => {
  const socket = connect(node.port(), '127.0.0.1')
  const session = connectHttp2(`http://127.0.0.1:${node.port()}`, { createConnection: () => socket })
  session.on('error', () => undefined)
  const sending = session.request({
    ':method': 'POST',
    ':path': '/event_store.client.streams.Streams/Append',
    'content-type': 'application/grpc',
    te: 'trailers',
  })
  sending.on('error', () => undefined)
  for (const message of messages) {
    const bytes = message.serializeBinary()
    const head = Buffer.alloc(5)
    head.writeUInt32BE(bytes.length, 1)
    sending.write(Buffer.concat([head, bytes]))
  }
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
  })
  return { kill: () => (socket.destroy(), closed) }
}

test.each([0, 1])('a caller that is killed after %i of its events has stored none of them', async (sent) => {
  const begun = beginAppend([optionsOf('meal-cut-off'), ...[1, 2].slice(0, sent).map(eventOf)])
  await eventually(() => node.calls.appends === 1)
  await begun.kill()
  const store = await openEventStore(node.url(), heardLog(), {
    streams: ['meal-'],
    retryPolicy: { callMs: 1_000, totalMs: 10_000 },
  })
  const { numbers, freshStream, readNumbers } = benchOf(() => ({
    run: 'meal',
    store,
    another: () => Promise.resolve(store),
    close: () => store.close(),
  }))
  const stream = freshStream()
  await store.append([numbers(stream, -1, 1)])
  expect(await readNumbers(stream)).toEqual([1])
  expect(node.log.stream('meal-cut-off')).toBeUndefined()
  await store.close()
})
