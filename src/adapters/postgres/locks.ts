import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseError, type Client, type Pool } from 'pg'
import type { Lock, Locks } from '#platform/ports'
import { connectionOver, dedicatedClient } from './connections'

const keyOf = (name: string) => `tuckshop ${name}`

// Sessions that hold the lock; the 64-bit key is stored in halves.
const holders = `pg_locks
  where locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and (classid::bigint << 32 | objid::bigint) = hashtextextended($1, 0)`

const endHolder = `select pg_terminate_backend(pid) from ${holders} and pid <> pg_backend_pid()`

// A session silent for this long belongs to a hung process or dead machine.
const endSilent = `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()
  and state_change < clock_timestamp() - interval '10 s' and pid in (
    select pid from pg_locks where locktype = 'advisory' and granted and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32 | objid::bigint) in (select hashtextextended(name, 0) from unnest($1::text[]) as name))`

// The server notices a lost client machine within 20 s.
const keepAlive =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 2'

const maxAttempts = 100
const betweenAttemptsMs = 100
const signOfLifeMs = 2_000

/** Session locks, which Postgres releases however the process dies. They never wait: a waiter's snapshot blocks vacuum. */
export const postgresLocks = ({ pool }: { pool: Pool }): Locks => {
  const held = new Map<string, () => void>()
  const session = lockSession(pool, () => {
    for (const markLost of held.values()) markLost()
    held.clear()
  })

  const waitedFor = new Set<string>()
  const signsOfLife = repeated(signOfLifeMs, async () => {
    if (waitedFor.size > 0) await session.query(endSilent, [...waitedFor].map(keyOf))
    else if (held.size > 0) await session.query('select 1')
    waitedFor.clear()
  })

  const release = async (name: string, markLost: () => void) => {
    if (held.get(name) !== markLost) return
    held.delete(name)
    await session
      .query('select pg_advisory_unlock(hashtextextended($1, 0))', keyOf(name))
      .catch(() => undefined)
  }

  const tryAcquire: Locks['tryAcquire'] = async (name, { relieve = false } = {}) => {
    if (held.has(name)) return null
    const text = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as yes'
    // Marked as held before the answer, or a second caller here would get the lock through the same session.
    const { promise: lost, resolve: markLost } = signal()
    held.set(name, markLost)
    const taken = await session.query(text, keyOf(name)).catch((error: unknown) => {
      held.delete(name)
      throw error
    })
    if (taken.rows[0].yes === true && held.get(name) === markLost)
      return { lost, end: () => release(name, markLost) }
    if (held.get(name) === markLost) held.delete(name)
    if (relieve) waitedFor.add(name)
    return null
  }

  const releaseOwn = async (name: string) => {
    const markLost = held.get(name)
    if (!markLost) return
    markLost()
    await release(name, markLost)
  }

  const takeOver = async (name: string): Promise<Lock> => {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      await releaseOwn(name)
      const taken = await tryAcquire(name)
      if (taken) return taken
      await session.query(endHolder, keyOf(name))
      await pause(betweenAttemptsMs)
    }
    throw new Error(`Another process keeps the lock "${name}"`)
  }

  const isHeld = async (name: string): Promise<boolean> =>
    held.has(name) || (await pool.query(`select 1 from ${holders} limit 1`, [keyOf(name)])).rowCount !== 0

  const close = async () => {
    await signsOfLife.stop()
    await session.close()
  }

  return { tryAcquire, takeOver, isHeld, close }
}

const repeated = (everyMs: number, work: () => Promise<void>) => {
  const stopping = new AbortController()
  const run = async () => {
    while (!stopping.signal.aborted) {
      await pause(everyMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
      if (!stopping.signal.aborted) await work().catch(() => undefined)
    }
  }
  const running = run()
  return {
    stop: () => {
      stopping.abort()
      return running
    },
  }
}

const signal = () => {
  let resolve!: () => void
  const promise = new Promise<void>((settle) => (resolve = settle))
  return { promise, resolve }
}

const lockSession = (pool: Pool, onLost: () => void) => {
  let opened: Promise<Client> | null = null
  let queue: Promise<unknown> = Promise.resolve()

  const watch = async (over: Promise<void>) => {
    await over
    opened = null
    onLost()
  }

  const open = async (): Promise<Client> => {
    const client = dedicatedClient(pool, 'locks')
    const over = connectionOver(client)
    await client.connect()
    await client.query(keepAlive)
    void watch(over)
    return client
  }

  const run = async (text: string, value?: string | string[]) => {
    opened ??= open().catch((error: unknown) => {
      opened = null
      throw error
    })
    const client = await opened
    return client.query(text, value === undefined ? [] : [value]).catch(async (error: unknown) => {
      // The server may have granted the lock anyway: only ending the connection surely releases it.
      if (!(error instanceof DatabaseError)) await client.end().catch(() => undefined)
      throw error
    })
  }

  const query = (text: string, value?: string | string[]) => {
    const result = queue.then(() => run(text, value))
    queue = result.catch(() => undefined)
    return result
  }

  const close = async () => {
    await queue
    await (await opened)?.end()
  }

  return { query, close }
}
