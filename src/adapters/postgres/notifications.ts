import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client, Pool } from 'pg'
import { keepConnected } from './dedicated-client'
import type { Log } from '#platform/log'
import type { Notifications } from '#platform/notifications'

const mergeMs = 10

/** NOTIFY makes committing transactions queue, so it never runs inside a writing one. The listener connects at the first `subscribe`. */
export const postgresNotifications = ({ pool, log }: { pool: Pool; log: Log }): Notifications => {
  const sender = randomUUID().slice(0, 8)
  const listener = notificationListener({ pool, log, sender })
  const senders: ReturnType<typeof mergingSender>[] = []
  const closing = new AbortController()

  const send = async (channel: string, message: string) => {
    const values = [channel, `${sender} ${message}`]
    await pool
      .query({ name: 'notifications-send', text: 'select pg_notify($1, $2)', values })
      .catch((error: unknown) => log.warn({ err: error, channel }, 'a notification was not sent'))
  }

  const publisher: Notifications['publisher'] = (channel, merge) => {
    const made = mergingSender((message) => send(channel, message), merge, closing.signal)
    senders.push(made)
    return made.send
  }

  const close = async () => {
    closing.abort()
    await Promise.all([listener.close(), ...senders.map(({ sent }) => sent())])
  }

  return { subscribe: listener.subscribe, publisher, close }
}

const mergingSender = (
  send: (message: string) => Promise<void>,
  merge: (waiting: string, message: string) => string,
  signal: AbortSignal,
) => {
  let waiting: string | null = null
  let busy = false
  let sent: Promise<void> = Promise.resolve()
  const drain = async () => {
    busy = true
    while (waiting !== null && !signal.aborted) {
      const message: string = waiting
      waiting = null
      await send(message)
      await pause(mergeMs)
    }
    busy = false
  }
  return {
    send: (message: string): void => {
      waiting = waiting === null ? message : merge(waiting, message)
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
