import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client, Pool } from 'pg'
import type { Log } from '#platform/log'
import type { Notifications } from '#platform/ports'
import { keepConnected } from './connections'

const mergeMs = 10

/** NOTIFY makes committing transactions queue, so it never runs inside a writing one. The listener connects at the first `subscribe`. */
export const postgresNotifications = ({ pool, log }: { pool: Pool; log: Log }): Notifications => {
  const sender = randomUUID().slice(0, 8)
  const listener = notificationListener({ pool, log, sender })
  const closing = new AbortController()

  const send = async (messages: ReadonlyMap<string, string>) => {
    const values = [[...messages.keys()], [...messages.values()].map((message) => `${sender} ${message}`)]
    const text =
      'select pg_notify(channel, message) from unnest($1::text[], $2::text[]) as sent (channel, message)'
    await pool.query({ name: 'notifications-send', text, values }).catch((error: unknown) => {
      log.warn({ err: error, channels: [...messages.keys()] }, 'notifications were not sent')
    })
  }
  const merging = mergingSender(send, closing.signal)

  const publisher: Notifications['publisher'] = (channel, merge) => (message) =>
    merging.send(channel, message, merge)

  const close = async () => {
    closing.abort()
    await Promise.all([listener.close(), merging.sent()])
  }

  return { subscribe: listener.subscribe, publisher, close }
}

/** Sends at once what comes after a rest, and then together what came meanwhile on all channels. */
const mergingSender = (
  send: (messages: ReadonlyMap<string, string>) => Promise<void>,
  signal: AbortSignal,
) => {
  let waiting = new Map<string, string>()
  let busy = false
  let sent: Promise<void> = Promise.resolve()
  const drain = async () => {
    busy = true
    while (waiting.size > 0 && !signal.aborted) {
      const messages = waiting
      waiting = new Map()
      await send(messages)
      await pause(mergeMs)
    }
    busy = false
  }
  return {
    send: (channel: string, message: string, merge: (waiting: string, message: string) => string): void => {
      const before = waiting.get(channel)
      waiting.set(channel, before === undefined ? message : merge(before, message))
      if (!busy) sent = drain()
    },
    sent: () => sent,
  }
}

const notificationListener = ({ pool, log, sender }: { pool: Pool; log: Log; sender: string }) => {
  const channels = new Map<string, Set<(message: string | null) => void>>()
  const closing = new AbortController()
  let listen: ((channel: string) => void) | null = null
  let running: Promise<void> | null = null

  const deliver = (channel: string, message: string | null) =>
    channels.get(channel)?.forEach((onMessage) => onMessage(message))

  const setUp = async (client: Client) => {
    client.on('notification', ({ channel, payload = '' }) => {
      if (!payload.startsWith(`${sender} `)) deliver(channel, payload.slice(payload.indexOf(' ') + 1))
    })
    let listened: Promise<unknown> = Promise.resolve()
    const listenTo = (channel: string) => {
      listened = listened
        .then(() => client.query(`listen ${client.escapeIdentifier(channel)}`))
        .then(() => deliver(channel, null))
        .catch(() => undefined)
    }
    listen = listenTo
    for (const channel of channels.keys()) listenTo(channel)
    await listened
  }

  const subscribe: Notifications['subscribe'] = (channel, onMessage) => {
    const known = channels.get(channel)
    channels.set(channel, (known ?? new Set()).add(onMessage))
    if (!known) listen?.(channel)
    running ??= keepConnected({ pool, purpose: 'notifications', log, signal: closing.signal }, setUp)
    return () => void channels.get(channel)?.delete(onMessage)
  }

  const close = async () => {
    closing.abort()
    await running
  }

  return { subscribe, close }
}
