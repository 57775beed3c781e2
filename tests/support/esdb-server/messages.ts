import { Empty, StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb'
import { AppendResp, ReadResp } from '@eventstore/db-client/generated/streams_pb'
import type { Answer, Expected, LogRecord } from './node-state'

// "No position" is the largest unsigned number on the wire.
const wirePlace = (position: bigint) => BigInt.asUintN(64, position).toString()

const identifier = (stream: string) => {
  const named = new StreamIdentifier()
  named.setStreamName(Uint8Array.from(Buffer.from(stream)))
  return named
}

export const streamName = (named: StreamIdentifier | undefined): string =>
  Buffer.from(named?.getStreamName_asU8() ?? []).toString()

export const eventMessage = (record: LogRecord): ReadResp => {
  const id = new UUID()
  id.setString(record.id)
  const event = new ReadResp.ReadEvent.RecordedEvent()
  event.setId(id)
  event.setStreamIdentifier(identifier(record.stream))
  event.setStreamRevision(String(record.revision))
  event.setCommitPosition(wirePlace(record.position))
  event.setPreparePosition(wirePlace(record.position))
  event.setData(record.data)
  event.setCustomMetadata(record.metadata)
  const metadata = event.getMetadataMap()
  metadata.set('type', record.type)
  metadata.set('content-type', record.json ? 'application/json' : 'application/octet-stream')
  metadata.set('created', '17900000000000000')
  const read = new ReadResp.ReadEvent()
  read.setEvent(event)
  read.setCommitPosition(wirePlace(record.position))
  const message = new ReadResp()
  message.setEvent(read)
  return message
}

export const notFoundMessage = (stream: string): ReadResp => {
  const missing = new ReadResp.StreamNotFound()
  missing.setStreamIdentifier(identifier(stream))
  const message = new ReadResp()
  message.setStreamNotFound(missing)
  return message
}

export const confirmationMessage = (): ReadResp => {
  const message = new ReadResp()
  message.setConfirmation(new ReadResp.SubscriptionConfirmation())
  return message
}

export const caughtUpMessage = (): ReadResp => {
  const message = new ReadResp()
  message.setCaughtUp(new ReadResp.CaughtUp())
  return message
}

/** How far a subscription has looked; -1 for nowhere yet. */
export const checkpointMessage = (position: bigint): ReadResp => {
  const checkpoint = new ReadResp.Checkpoint()
  checkpoint.setCommitPosition(wirePlace(position))
  checkpoint.setPreparePosition(wirePlace(position))
  const message = new ReadResp()
  message.setCheckpoint(checkpoint)
  return message
}

export const appendMessage = (answer: Answer, expected: Expected): AppendResp => {
  const message = new AppendResp()
  if (answer.kind === 'stored') message.setSuccess(success(answer))
  else message.setWrongExpectedVersion(conflict(answer, expected))
  return message
}

const success = ({ revision, position }: Extract<Answer, { kind: 'stored' }>) => {
  const place = new AppendResp.Position()
  place.setCommitPosition(wirePlace(position))
  place.setPreparePosition(wirePlace(position))
  const stored = new AppendResp.Success()
  stored.setCurrentRevision(String(revision))
  if (position < 0n) stored.setNoPosition(new Empty())
  else stored.setPosition(place)
  return stored
}

const conflict = ({ revision }: Extract<Answer, { kind: 'conflict' }>, expected: Expected) => {
  const wrong = new AppendResp.WrongExpectedVersion()
  if (revision < 0) wrong.setCurrentNoStream(new Empty())
  else wrong.setCurrentRevision(String(revision))
  if (expected === 'any') wrong.setExpectedAny(new Empty())
  else if (expected < 0) wrong.setExpectedNoStream(new Empty())
  else wrong.setExpectedRevision(String(expected))
  return wrong
}
