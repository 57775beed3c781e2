import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb'
import { eventMessage, notFoundMessage, streamName } from './messages'
import { turnedAway, type NodeState } from './node-state'
import { send, type ReadCall } from './send'
import { subscribeCall } from './subscribe-call'

/** Streams.Read: a stream forwards, $all backwards from its end or forwards, or a filtered subscription to $all. */
export const readCall = (node: NodeState) => (call: ReadCall) => {
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
