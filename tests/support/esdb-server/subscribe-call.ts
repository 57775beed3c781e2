import type { ReadReq } from '@eventstore/db-client/generated/streams_pb'
import { caughtUpMessage, checkpointMessage, confirmationMessage, eventMessage } from './messages'
import type { NodeState } from './node-state'
import { dropped, invalidPosition } from './refusals'
import { send, type ReadCall } from './send'
import type { LogRecord } from './transaction-log'

const nowhere = -1n

/** A filtered subscription to $all: confirmed, caught up with a checkpoint, then live, with a checkpoint per window. */
export const subscribeCall = async (
  node: NodeState,
  call: ReadCall,
  options: ReadReq.Options,
): Promise<void> => {
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
