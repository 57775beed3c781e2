import { once } from 'node:events'
import type { ServerWritableStream } from '@grpc/grpc-js'
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb'

export type ReadCall = ServerWritableStream<ReadReq, ReadResp>

/** Writes one message and waits while the reader is full. */
export const send = async (call: ReadCall, message: ReadResp, gone: AbortSignal): Promise<void> => {
  if (!gone.aborted && !call.write(message))
    await once(call, 'drain', { signal: gone }).catch(() => undefined)
}
