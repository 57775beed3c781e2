import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { Client, type Pool, type ClientConfig } from 'pg'
import type { Log } from '#platform/log'

const firstPauseMs = 100
const maxPauseMs = 5_000

/** The pool hides the password from enumeration. */
export const optionsOf = ({ options }: Pool): ClientConfig => ({ ...options, password: options.password })

export const socketOf = (client: Client): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream

export const dedicatedClient = (pool: Pool, purpose: string): Client =>
  new Client({
    ...optionsOf(pool),
    application_name: `tuckshop ${purpose}`,
    keepAliveInitialDelayMillis: 10_000,
    query_timeout: 5_000,
  })

export const connectionOver = (client: Client): Promise<void> =>
  new Promise((resolve) => {
    client.on('error', () => resolve())
    client.on('end', () => resolve())
  })

/** Keeps one dedicated connection open until `signal` aborts, reopening it when it breaks; `use` prepares each one. */
export const keepConnected = async (
  needs: { pool: Pool; purpose: string; log: Log; signal: AbortSignal },
  use: (client: Client) => Promise<void>,
): Promise<void> => {
  const { pool, purpose, log, signal } = needs
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  let pauseMs = firstPauseMs
  while (!signal.aborted) {
    const client = dedicatedClient(pool, purpose)
    const over = connectionOver(client)
    try {
      await client.connect()
      await use(client)
      pauseMs = firstPauseMs
      await Promise.race([over, aborted])
      if (!signal.aborted) log.warn({ purpose }, 'a database connection broke and is opened again')
    } catch (error) {
      log.warn({ err: error, purpose }, 'a database connection cannot be opened')
    } finally {
      await client.end().catch(() => undefined)
    }
    if (!signal.aborted) await pause(pauseMs, undefined, { signal }).catch(() => undefined)
    pauseMs = Math.min(pauseMs * 2, maxPauseMs)
  }
}

/** The connections that are open, to be ended all at once. */
export type OpenConnections = { add: (client: Client) => void; endAll: (why: string) => void }

const readOnly = '25006'

/**
 * After a failover old connections may lead to a server that only reads: where one is told so, all are ended, and new ones find the one
 * that writes.
 */
export const openConnections = (log?: Log): OpenConnections => {
  const connections = new Set<Client>()
  const endAll = (why: string) => {
    for (const client of connections) cutOff(client, why)
    connections.clear()
  }
  const watchAnswers = (client: Client) => {
    const { connection } = client as unknown as { connection: EventEmitter }
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code !== readOnly || !connections.has(client)) return
      log?.info({}, 'the database only reads: its connections are ended')
      // The failed statement is told its error first.
      setImmediate(endAll, 'the database only reads')
    })
  }
  return {
    add: (client) => {
      connections.add(client)
      watchAnswers(client)
      client.once('end', () => connections.delete(client))
    },
    endAll,
  }
}

const askEveryMs = 1_000
const patienceMs = 4_000

type HangWatch = { close: () => Promise<void> }

/** Pings every second. After 4 s without an answer the watched connections fail; slow statements on a living server go on. */
export const watchForHang = (connections: OpenConnections, options: ClientConfig, log?: Log): HangWatch => {
  const closing = new AbortController()
  const closed = new Promise<true>((resolve) => {
    closing.signal.addEventListener('abort', () => resolve(true), { once: true })
  })
  let asking: Promise<Client> | null = null
  let hangs = false

  const open = async () => {
    const client = new Client({ ...options, application_name: 'tuckshop watch' })
    client.on('error', () => undefined)
    client.once('end', () => (asking = null))
    await client.connect()
    return client
  }

  /** A refusal counts as an answer. */
  const answers = async (): Promise<boolean> => {
    asking ??= open()
    const answered = asking
      .then((client) => client.query('select 1'))
      .then(
        () => true,
        () => true,
      )
    if (await Promise.race([answered, closed, pause(patienceMs, false, { ref: false })])) return true
    // Reads what arrived while this process was busy.
    await turn()
    return Promise.race([answered, turn(false)])
  }

  const endAll = () => {
    connections.endAll(hanging)
    asking?.then(
      (client) => cutOff(client, hanging),
      () => undefined,
    )
    asking = null
  }

  const run = async () => {
    while (!closing.signal.aborted) {
      const answered = await answers()
      if (closing.signal.aborted) break
      if (!answered) endAll()
      if (!answered && !hangs)
        log?.warn({ patienceMs }, 'the database does not answer: its connections are ended')
      if (answered && hangs) log?.info({}, 'the database answers again')
      hangs = !answered
      await pause(askEveryMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
    }
  }
  const running = run()

  return {
    close: async () => {
      closing.abort()
      await running
      asking?.then(
        (client) => cutOff(client, hanging),
        () => undefined,
      )
    },
  }
}

const hanging = 'the database does not answer'

const cutOff = (client: Client, why: string) => {
  socketOf(client).destroy(new Error(`Connection terminated: ${why}`))
}
