import { createHash } from 'node:crypto'
import { act } from '@testing-library/react'
import * as z from 'zod/mini'
import { maintenanceNow } from '#contracts/audit'
import { statusOf, type Endpoint, type ReplyOf } from '#contracts/endpoint'
import { today, todayFigures } from '#contracts/find'
import { familyMealMarks } from '#contracts/health'
import { listConflicts } from '#contracts/order-reports'

/** A request as the contract reads it: params, query and body parsed by its schemas. */
export type Asked = { params: Record<string, unknown>; query: Record<string, unknown>; body: unknown }

/** Where an answer has no version, the server gives `filled`: a write must bring it back. */
type Unversioned<T> = T extends readonly (infer One)[]
  ? readonly Unversioned<One>[]
  : T extends object
    ? { [Key in keyof T as Key extends 'version' ? never : Key]: Unversioned<T[Key]> } & { version?: unknown }
    : T
type Replied<E extends Endpoint> = Unversioned<ReplyOf<E>>
type Answer<E extends Endpoint> = Replied<E> | ((asked: Asked) => Replied<E> | Promise<Replied<E>>)
type Served = { endpoint: Endpoint; answer: (asked: Asked) => unknown; asked: Asked[] }

/** Thrown by an answer to refuse the call. */
export class FakeRefusal extends Error {
  constructor(
    readonly status: number,
    readonly reply: Record<string, unknown> | null,
  ) {
    super('refused')
  }
}

/** Refuses with the common error reply. */
export const refusal = (
  status: number,
  code: string,
  message: string,
  more: Record<string, unknown> = {},
) => {
  throw new FakeRefusal(status, { message, error: message, code, ...more })
}

const reply = (status: number, body: unknown) => ({
  ok: status < 400,
  status,
  statusText: status === 500 ? 'Internal Server Error' : '',
  headers: new Headers({ ETag: tagOf(body) }),
  text: async () => (body === null ? '<html>' : JSON.stringify(body)),
})
const tagOf = (body: unknown) => `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url')}"`

const paramsOf = (endpoint: Endpoint, path: string): Record<string, string> | null => {
  const names: string[] = []
  const pattern = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    names.push(name)
    return '([^/]+)'
  })
  const match = new RegExp(`^${pattern}$`).exec(path)
  return match && Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(match[at + 1] ?? '')]))
}

const bodyOf = (endpoint: Endpoint, body: BodyInit | null | undefined) =>
  body instanceof FormData ? body : z.parse(endpoint.body, body ? JSON.parse(String(body)) : undefined)

const filled = 'filled'

const versioned = (schema: Endpoint['reply'], given: unknown): unknown => {
  const value = structuredClone(given)
  for (const { path } of z.safeParse(schema, value).error?.issues ?? []) {
    if (path.at(-1) !== 'version') continue
    const holder = path.slice(0, -1).reduce((at, key) => at[key as string] as Holder, value as Holder)
    holder.version ??= filled
  }
  return z.parse(schema, value)
}
type Holder = { [key: string]: unknown }

/** As it was typed: the version that every write of a record must carry is checked and taken off. */
const typedIn = (endpoint: Endpoint, body: unknown): unknown => {
  const takes = (version: string) => z.safeParse(endpoint.body, { ...(body as object), version }).success
  const takesVersion = takes('x') && !takes('x'.repeat(65))
  if (!takesVersion || endpoint.method === 'PATCH') return body
  const { version, ...typed } = body as Holder
  if (version === undefined) throw new Error(`${endpoint.method} ${endpoint.path} carries no version`)
  return version === filled ? typed : body
}

type Answering = (address: string, init: RequestInit) => Promise<ReturnType<typeof reply>>

/** What sends a file and tells how much of it has gone, as far as the application uses it. */
const requestOf = (answer: Answering, uploads: () => Promise<void>) => {
  class FakeRequest extends EventTarget {
    method = ''
    address = ''
    upload = new EventTarget()
    status = 0
    statusText = ''
    responseText = ''

    open(method: string, address: string) {
      Object.assign(this, { method, address })
    }

    setRequestHeader = () => undefined

    async send(body: FormData) {
      act(() => void this.upload.dispatchEvent(new ProgressEvent('progress', { loaded: 3, total: 10 })))
      await uploads()
      act(() => void this.upload.dispatchEvent(new ProgressEvent('load')))
      const { status, statusText, text } = await answer(this.address, { method: this.method, body })
      Object.assign(this, { status, statusText, responseText: await text() })
      this.dispatchEvent(new ProgressEvent('load'))
    }
  }
  return FakeRequest as unknown as typeof XMLHttpRequest
}

/** Stands where the network begins: takes what the contract allows, answers what the contract promises. */
export const fakeServer = () => {
  const served: Served[] = [
    // The console asks for these by itself.
    { endpoint: maintenanceNow, answer: () => ({ running: null }), asked: [] },
    { endpoint: today, answer: () => ({ data: [] }), asked: [] },
    {
      endpoint: todayFigures,
      answer: () => ({ date: '2026-09-14', received: null, lunches: null, unpaid: null, owed: null }),
      asked: [],
    },
    // So do the page of a family, the kitchen and the menu.
    { endpoint: familyMealMarks, answer: () => ({ rule: 'warn', students: [] }), asked: [] },
    { endpoint: listConflicts, answer: () => ({ data: [] }), asked: [] },
  ]
  const find = (method: string, path: string) => {
    const fitting = served.filter((one) => one.endpoint.method === method && paramsOf(one.endpoint, path))
    return fitting.toSorted(
      (one, other) => one.endpoint.path.split(':').length - other.endpoint.path.split(':').length,
    )[0]
  }
  const answer = async (address: string, init: RequestInit) => {
    const url = new URL(address, 'http://school.test')
    const one = find(init.method ?? 'GET', url.pathname)
    if (!one) throw new Error(`Nobody answers ${init.method} ${address}`)
    const { endpoint } = one
    const asked: Asked = {
      params: z.parse(endpoint.params, paramsOf(endpoint, url.pathname)) as Asked['params'],
      query: z.parse(endpoint.query, Object.fromEntries(url.searchParams)) as Asked['query'],
      body: typedIn(endpoint, bodyOf(endpoint, init.body)),
    }
    one.asked.push(asked)
    try {
      const body = versioned(endpoint.reply, await one.answer(asked))
      const isKnown = new Headers(init.headers).get('If-None-Match') === tagOf(body)
      return reply(isKnown ? 304 : statusOf(endpoint, body), isKnown ? null : body)
    } catch (error) {
      if (error instanceof FakeRefusal) return reply(error.status, error.reply)
      throw error
    }
  }
  globalThis.fetch = answer as unknown as typeof fetch
  let uploads = Promise.resolve()
  globalThis.XMLHttpRequest = requestOf(answer, () => uploads)
  return {
    /** Files stop on their way, three tenths of them gone, until what it answers is called. */
    holdUploads: () => {
      const held: { release?: () => void } = {}
      uploads = new Promise((resolve) => {
        held.release = resolve
      })
      return () => held.release?.()
    },
    /** Answers this call from now on; a later word replaces an earlier one. */
    on: <E extends Endpoint>(endpoint: E, how: Answer<E>) => {
      const known = served.findIndex((one) => one.endpoint === (endpoint as Endpoint))
      if (known >= 0) served.splice(known, 1)
      const answered = typeof how === 'function' ? (how as (asked: Asked) => unknown) : () => how
      served.push({ endpoint, answer: answered, asked: [] })
    },
    /** Every request of this call since it was last given an answer. */
    asked: (endpoint: Endpoint): Asked[] => served.find((one) => one.endpoint === endpoint)?.asked ?? [],
  }
}

export type FakeServer = ReturnType<typeof fakeServer>
