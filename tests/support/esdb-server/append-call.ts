import type { sendUnaryData, ServerReadableStream } from '@grpc/grpc-js'
import type { AppendReq, AppendResp } from '@eventstore/db-client/generated/streams_pb'
import { appendMessage, streamName } from './messages'
import { turnedAway, type Fate, type NodeState } from './node-state'
import { answerLost, notLeader, timedOut, tooBusy, tooLarge } from './refusals'
import type { Expected, ProposedRecord } from './transaction-log'

type Asked = { stream: string; expected: Expected; events: ProposedRecord[] }
type Reply = sendUnaryData<AppendResp>

/** Streams.Append: the options, then the events one by one, then one answer. */
export const appendCall =
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
