import { setTimeout as pause } from 'node:timers/promises'
import { Client, type Pool } from 'pg'
import type { Log } from '#platform/log'

const firstPauseMs = 100
const maxPauseMs = 5_000

export const dedicatedClient = ({ options }: Pool, purpose: string): Client =>
  // The pool hides the password from enumeration.
  new Client({
    ...options,
    password: options.password,
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
