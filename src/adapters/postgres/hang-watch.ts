import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import type { Socket } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import type { Log } from '#platform/log'

const askEveryMs = 1_000
const patienceMs = 4_000

export type HangWatch = { add: (client: Client) => void; close: () => Promise<void> }

/** Pings every second. After 4 s without an answer the watched connections fail; slow statements on a living server go on. */
export const watchForHang = (options: ClientConfig, log?: Log): HangWatch => {
  const connections = new Set<Client>()
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
    for (const client of connections) cutOff(client)
    connections.clear()
    asking?.then(cutOff, () => undefined)
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
    add: (client) => {
      connections.add(client)
      client.once('end', () => connections.delete(client))
    },
    close: async () => {
      closing.abort()
      await running
      asking?.then(cutOff, () => undefined)
    },
  }
}

const cutOff = (client: Client) => {
  const { connection } = client as unknown as { connection: { stream: Socket } }
  connection.stream.destroy(new Error('Connection terminated: the database does not answer'))
}
