import { Socket } from 'node:net'
import { Client } from 'pg'
import type { ClientConfig } from 'pg'
import type { PipelinedReads } from '#platform/database'
import { isOutage } from '#platform/outage'

/** A connection that is open or being opened. */
type Line = { socket: Socket; client: Client; opened: Promise<unknown>; gathers: boolean }

/**
 * One connection that all callers share for short reads by key: what is asked in the same moment leaves in one packet
 * and is answered in turn, so a checkout wakes Postgres twice for its facts and not seven times (decision 0017). Over
 * TLS every read has a packet of its own. The connection is opened by the first read and anew when it has broken; who
 * was waiting hears of it as an error. A slow read would hold up all others: those go to the pool.
 */
export const openPipelinedReads = (
  connection: ClientConfig,
): PipelinedReads & { close: () => Promise<void> } => {
  let line: Line | null = null

  const forget = (broken: Line) => {
    if (line === broken) line = null
  }

  const open = (): Line => {
    const socket = new Socket()
    const client = new Client({ ...connection, stream: () => socket, pipeline: true })
    const opening: Line = { socket, client, opened: client.connect(), gathers: false }
    client.on('error', () => forget(opening))
    client.on('end', () => forget(opening))
    opening.opened.catch(() => forget(opening))
    return opening
  }

  const query: PipelinedReads['query'] = async (asked) => {
    const mine = (line ??= open())
    try {
      await mine.opened
      gather(mine)
      return await mine.client.query(asked)
    } catch (error) {
      // A server that says goodbye does so before the connection ends.
      if (isOutage(error)) forget(mine)
      throw error
    }
  }

  const close = async () => {
    const last = line
    line = null
    // Whoever asked before is on the way then.
    await last?.opened.catch(() => undefined)
    await last?.client.end()
  }

  return { query, close }
}

/** Holds back what is written until everybody has asked who is going to in this moment. */
const gather = (line: Line): void => {
  if (line.gathers) return
  line.gathers = true
  line.socket.cork()
  process.nextTick(() => {
    line.gathers = false
    line.socket.uncork()
  })
}
