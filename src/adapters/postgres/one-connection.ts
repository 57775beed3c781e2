import type { Socket } from 'node:net'
import { Client, type Pool, type QueryConfig } from 'pg'
import type { Reader } from '#platform/database'
import { optionsOf, socketOf, type OpenConnections } from './connections'

export type OneConnection = Reader & { close: () => Promise<void> }

/**
 * One connection for short prepared statements: those of one turn of the event loop go out in one write, and Postgres answers them in order.
 * One that takes long or waits for a lock delays those behind it. While it is not open, the pool is asked.
 */
export const oneConnection = (pool: Pool, connections: OpenConnections): OneConnection => {
  let open: { client: Client; stream: Socket } | null = null
  let opening: Promise<void> | null = null
  let isClosed = false
  let isHeld = false

  const connect = async () => {
    const client = new Client({ ...optionsOf(pool), pipeline: true })
    client.on('error', () => undefined)
    client.once('end', () => {
      if (open?.client === client) open = null
    })
    connections.add(client)
    await client.connect()
    // A plan with its values costs more than these statements: Postgres would make one each time while the tables grow.
    await client.query('set plan_cache_mode = force_generic_plan')
    open = { client, stream: socketOf(client) }
  }

  const holdUntilNextTurn = (stream: Socket) => {
    if (isHeld) return
    isHeld = true
    stream.cork()
    setImmediate(() => {
      isHeld = false
      stream.uncork()
    })
  }

  const query = (statement: QueryConfig) => {
    if (open) {
      holdUntilNextTurn(open.stream)
      return open.client.query(statement)
    }
    if (!isClosed) opening ??= connect().then(forget, forget)
    return pool.query(statement)
  }
  const forget = () => void (opening = null)

  return {
    query,
    close: async () => {
      isClosed = true
      await opening
      await open?.client.end()
    },
  } as OneConnection
}
