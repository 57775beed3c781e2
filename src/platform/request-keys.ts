import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { Pool } from 'pg'
import { v5 } from 'uuid'
import type { Now } from './ports'
import { dayMs, deleteUntil, type Retention } from './retention'

const namespace = '5d0c8a5e-6a53-4d0c-9f0e-3b6f2a1c7e94'

/** Longer than any device repeats an unanswered call. */
const keptDays = 90

export type KeyedRequest = { actor: string; idempotencyKey: string; asked: object }

export type RequestKeys = {
  /** `other`: a different request used this key. `answer` is what the same request got, if any. */
  note: (request: KeyedRequest) => Promise<'other' | { isNew: boolean; answer: string | null }>
  noteAnswer: (request: KeyedRequest, answer: string) => Promise<void>
  /** After a refusal the key is free again. */
  free: (request: KeyedRequest) => Promise<void>
}

/** Stores a fingerprint of the request, and the answer encrypted with the Idempotency-Key: only a repeated call can read it. */
export const requestKeys = (knex: Knex, now: Now): RequestKeys => {
  const requests = () => knex('platform.requests')
  return {
    note: async (request) => {
      const [noted] = await requests()
        .insert({ request_key: storedKey(request), request: fingerprint(request), asked_at: now() })
        .onConflict('request_key')
        .merge({ request_key: storedKey(request) })
        // Postgres' mark of an inserted, not updated, row.
        .returning<Noted[]>(['request', 'answer', knex.raw('xmax = 0 as is_new')] as never)
      const { request: before, answer, is_new: isNew } = noted!
      if (before !== fingerprint(request)) return 'other'
      return { isNew, answer: answer && opened(answer, request) }
    },
    noteAnswer: async (request, answer) => {
      await requests()
        .where({ request_key: storedKey(request) })
        .update({ answer: sealed(answer, request) })
    },
    free: async (request) => {
      await requests()
        .where({ request_key: storedKey(request) })
        .del()
    },
  }
}

type Noted = { request: string; answer: Buffer | null; is_new: boolean }

const secret = /password$/i

/** By which requests are compared. What is kept of one proves no guess of a password: two that differ in it alone are one request. */
export const askedText = ({ asked }: Pick<KeyedRequest, 'asked'>): string =>
  JSON.stringify(asked, (name, value: unknown) => (secret.test(name) ? undefined : value))

const fingerprint = (request: KeyedRequest): string => v5(askedText(request), namespace)

const storedKey = ({ actor, idempotencyKey }: KeyedRequest): string =>
  createHash('sha256').update(`${actor} ${idempotencyKey}`).digest('base64url')

const ivBytes = 12
const tagBytes = 16

const sealKey = ({ actor, idempotencyKey }: KeyedRequest): Buffer =>
  Buffer.from(hkdfSync('sha256', idempotencyKey, actor, 'tuckshop answer', 32))

const sealed = (answer: string, request: KeyedRequest): Buffer => {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', sealKey(request), iv)
  const text = [cipher.update(answer, 'utf8'), cipher.final()]
  return Buffer.concat([iv, cipher.getAuthTag(), ...text])
}

const opened = (stored: Buffer, request: KeyedRequest): string => {
  const cipher = createDecipheriv('aes-256-gcm', sealKey(request), stored.subarray(0, ivBytes))
  cipher.setAuthTag(stored.subarray(ivBytes, ivBytes + tagBytes))
  return cipher.update(stored.subarray(ivBytes + tagBytes), undefined, 'utf8') + cipher.final('utf8')
}

export const requestRetention = (pool: Pool, now: Now): Retention => ({
  name: 'platform.requests',
  kept: `${keptDays} days`,
  remove: deleteUntil(
    pool,
    'platform.requests',
    'asked_at < $1',
    () => new Date(now().getTime() - keptDays * dayMs),
  ),
})
