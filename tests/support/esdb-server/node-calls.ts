import { once } from 'node:events'
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb'
import { ClusterInfo, EndPoint, MemberInfo } from '@eventstore/db-client/generated/gossip_pb'
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb'
import { SupportedMethod, SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb'
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb'
import type { ReadReq, ReadResp, AppendReq, AppendResp } from '@eventstore/db-client/generated/streams_pb'
import {
  type ServerWritableStream,
  type sendUnaryData,
  type ServerReadableStream,
  Server,
} from '@grpc/grpc-js'
import {
  appendMessage,
  streamName,
  caughtUpMessage,
  checkpointMessage,
  confirmationMessage,
  eventMessage,
  notFoundMessage,
} from './messages'
import {
  type Fate,
  type NodeState,
  type Expected,
  type ProposedRecord,
  type LogRecord,
  turnedAway,
  answerLost,
  notLeader,
  timedOut,
  tooBusy,
  tooLarge,
  dropped,
  invalidPosition,
} from './node-state'

type ReadCall = ServerWritableStream<ReadReq, ReadResp>

/** Writes one message and waits while the reader is full. */
const send = async (call: ReadCall, message: ReadResp, gone: AbortSignal): Promise<void> => {
  if (!gone.aborted && !call.write(message))
    await once(call, 'drain', { signal: gone }).catch(() => undefined)
}

type Asked = { stream: string; expected: Expected; events: ProposedRecord[] }
type Reply = sendUnaryData<AppendResp>

/** Streams.Append: the options, then the events one by one, then one answer. */
const appendCall =
  (node: NodeState) => (call: ServerReadableStream<AppendReq, AppendResp>, answered: Reply) => {
    node.calls.appends += 1
    node.underWay += 1
    node.calls.appendsAtOnce = Math.max(node.calls.appendsAtOnce, node.underWay)
    const reply: Reply = (...answer) => {
      node.underWay -= 1
      answered(...answer)
    }
    const asked: Asked = { stream: '', expected: 'any', events: [] }
    call.on('data', (message: AppendReq) => {
      const options = message.getOptions()
      if (options)
        Object.assign(asked, {
          stream: streamName(options.getStreamIdentifier()),
          expected: expectedBy(options),
        })
      const proposed = message.getProposedMessage()
      if (proposed) asked.events.push(recordOf(proposed))
    })
    const answer = () => {
      const refused = turnedAway(node, call.metadata)
      if (refused !== null) reply(refused)
      else if (bytesOf(asked) > node.maxAppendBytes) reply(tooLarge(node.maxAppendBytes))
      else meet(node.fates.shift(), node, asked, reply)
    }
    // A caller that is killed ends its stream too: only a moment later is it known that it was cut off.
    call.on('end', () => setImmediate(() => call.cancelled || answer()))
  }

const meet = (fate: Fate | undefined, node: NodeState, { stream, expected, events }: Asked, reply: Reply) => {
  const store = () => node.log.append(stream, expected, events)
  if (fate === 'not leader') return reply(notLeader(node.port))
  if (fate === 'too busy') return reply(tooBusy())
  if (fate === 'late') {
    node.late.push(store)
    return reply(answerLost())
  }
  if (fate === 'deposed' || fate === 'deposed before') node.leader = node.heir
  if (fate === 'deposed before') return reply(answerLost())
  const answer = store()
  if (fate === 'silence') return
  if (fate === 'deposed') return reply(answerLost())
  if (fate === 'answer lost') return reply(answerLost())
  if (fate === 'timed out') return reply(timedOut())
  const nameless = fate === 'no position' && answer.kind === 'stored'
  reply(null, appendMessage(nameless ? { ...answer, position: -1n } : answer, expected))
}

const expectedBy = (options: AppendReq.Options): Expected => {
  if (options.hasNoStream()) return -1
  return options.hasRevision() ? Number(options.getRevision()) : 'any'
}

const recordOf = (message: AppendReq.ProposedMessage): ProposedRecord => {
  const metadata = message.getMetadataMap()
  return {
    id: message.getId()!.getString(),
    type: metadata.get('type')!,
    json: metadata.get('content-type') === 'application/json',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  }
}

const bytesOf = ({ events }: Asked) =>
  events.reduce((sum, { type, data, metadata }) => sum + data.length + metadata.length + type.length * 2, 0)

const nowhere = -1n

/** A filtered subscription to $all: confirmed, caught up with a checkpoint, then live, with a checkpoint per window. */
const subscribeCall = async (node: NodeState, call: ReadCall, options: ReadReq.Options): Promise<void> => {
  const position = options.getAll()!.getPosition()
  const from = position ? BigInt(position.getCommitPosition()) : nowhere
  node.calls.subscribedFrom.push(from)
  const gone = new AbortController()
  const drop = () => {
    gone.abort()
    call.emit('error', dropped())
  }
  const forget = () => {
    gone.abort()
    node.subscriptions.delete(drop)
  }
  node.subscriptions.add(drop)
  call.on('cancelled', forget)
  gone.signal.addEventListener('abort', forget)
  await send(call, confirmationMessage(), gone.signal)
  if (!node.log.isPlace(from)) return void call.emit('error', invalidPosition())
  await follow(node, call, { from, filter: options.getFilter()!, gone: gone.signal })
}

type Following = { from: bigint; filter: ReadReq.Options.FilterOptions; gone: AbortSignal }

const follow = async ({ log, calls }: NodeState, call: ReadCall, { from, filter, gone }: Following) => {
  const window = filter.getMax() * filter.getCheckpointintervalmultiplier()
  let checkpoint = from
  let live = false
  let considered = 0
  for (let index = log.behind(checkpoint); !gone.aborted;) {
    const record = log.at(index)
    if (record) {
      index += 1
      considered += 1
      if (passes(record, filter)) {
        await send(call, eventMessage(record), gone)
        calls.eventsSent += 1
        checkpoint = record.position
      }
      if (considered % window === 0) {
        checkpoint = record.position
        await send(call, checkpointMessage(checkpoint), gone)
      }
    } else if (live) await log.more(index, gone)
    else {
      live = true
      // As the real one does: when nothing has passed the filter yet, this checkpoint names no position.
      await send(call, checkpointMessage(checkpoint), gone)
      await send(call, caughtUpMessage(), gone)
    }
  }
}

const passes = (record: LogRecord, filter: ReadReq.Options.FilterOptions): boolean => {
  const byStream = filter.getStreamIdentifier()
  const prefixes = (byStream ?? filter.getEventType())!.getPrefixList()
  const name = byStream ? record.stream : record.type
  return prefixes.some((prefix) => name.startsWith(prefix))
}

/** Streams.Read: a stream forwards, $all backwards from its end or forwards, or a filtered subscription to $all. */
const readCall = (node: NodeState) => (call: ReadCall) => {
  const refused = turnedAway(node, call.metadata)
  if (refused !== null) return void call.emit('error', refused)
  const options = call.request.getOptions()!
  if (options.hasSubscription()) return void subscribeCall(node, call, options)
  void answer(call, options.hasAll() ? allOf(node, options) : streamForwards(node, options))
}

const answer = async (call: ReadCall, messages: Iterable<ReadResp>) => {
  const gone = new AbortController()
  call.on('cancelled', () => gone.abort())
  for (const message of messages) {
    if (gone.signal.aborted) return
    await send(call, message, gone.signal)
  }
  call.end()
}

const forwards = 0

const allOf = (node: NodeState, options: ReadReq.Options) =>
  options.getReadDirection() === forwards ? allForwards(node, options) : allBackwards(node, options)

/** From a position on, whose own record comes too. */
function* allForwards(node: NodeState, options: ReadReq.Options): Generator<ReadResp> {
  const position = options.getAll()!.getPosition()
  const first = position ? node.log.behind(BigInt(position.getCommitPosition()) - 1n) : 0
  for (let index = first; index < first + Number(options.getCount()); index += 1) {
    const record = node.log.at(index)
    if (!record) return
    yield eventMessage(record)
  }
}

function* allBackwards(node: NodeState, options: ReadReq.Options): Generator<ReadResp> {
  for (const record of node.log.backwards().slice(0, Number(options.getCount()))) {
    node.calls.eventsReadBackwards += 1
    yield eventMessage(record)
  }
}

function* streamForwards(node: NodeState, options: ReadReq.Options): Generator<ReadResp> {
  const asked = options.getStream()!
  const name = streamName(asked.getStreamIdentifier())
  const records = node.log.stream(name)
  if (!records) return yield notFoundMessage(name)
  const first = asked.hasRevision() ? Number(asked.getRevision()) : 0
  for (const record of records.slice(first, first + Number(options.getCount()))) yield eventMessage(record)
}

/**
 * The calls of one node. It says it can append in batches, as real ones do, and has no such call: a client that would
 * use it fails here.
 */
export const nodeServer = (node: NodeState): Server => {
  const server = new Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 })
  server.addService(StreamsService, { append: appendCall(node), read: readCall(node) })
  server.addService(ServerFeaturesService, {
    getSupportedMethods: (_: unknown, reply: sendUnaryData<SupportedMethods>) => reply(null, features()),
  })
  server.addService(GossipService, {
    read: (_: unknown, reply: sendUnaryData<ClusterInfo>) => reply(null, members(node)),
  })
  return server
}

const features = () => {
  const batch = new SupportedMethod()
  batch.setServiceName('event_store.client.streams.streams')
  batch.setMethodName('batchappend')
  const supported = new SupportedMethods()
  supported.setEventStoreServerVersion('24.2.0')
  supported.setMethodsList([batch])
  return supported
}

const members = (node: NodeState) => {
  const info = new ClusterInfo()
  info.addMembers(member(node.leader ?? node.port, MemberInfo.VNodeState.LEADER))
  if (node.leader !== null) info.addMembers(member(node.port, MemberInfo.VNodeState.FOLLOWER))
  return info
}

const member = (port: number, state: MemberInfo.VNodeState) => {
  const endPoint = new EndPoint()
  endPoint.setAddress('127.0.0.1')
  endPoint.setPort(port)
  const info = new MemberInfo()
  info.setState(state)
  info.setIsAlive(true)
  info.setHttpEndPoint(endPoint)
  return info
}
