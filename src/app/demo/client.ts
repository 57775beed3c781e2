import { setTimeout as pause } from 'node:timers/promises'
import {
  urlOf,
  type BodyOf,
  type Endpoint,
  type ErrorReply,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
} from '#contracts/endpoint'
import { currentUser, login, register, verifyEmail } from '#contracts/identity'
import { getPrivacy } from '#contracts/privacy'

export class CallRefused extends Error {
  override readonly name = 'CallRefused'
  readonly status: number
  readonly body: ErrorReply

  constructor(status: number, body: ErrorReply, call: string) {
    super(`${call} answered ${status} ${body.code}: ${body.message}`)
    this.status = status
    this.body = body
  }
}

type Input<E> = {
  params?: ParamsOf<E> extends Record<string, unknown>
    ? { [Key in keyof ParamsOf<E>]: string | number }
    : never
  query?: QueryOf<E> extends Record<string, unknown>
    ? { [Key in keyof QueryOf<E>]?: string | number | boolean | undefined }
    : never
  body?: unknown extends BodyOf<E> ? unknown : BodyOf<E>
  headers?: Record<string, string>
}

export type Client = {
  call: <E extends Endpoint>(endpoint: E, input?: Input<E>) => Promise<ReplyOf<E>>
  fetch: (path: string, init?: RequestInit) => Promise<Response>
}

const callTimeoutMs = 30_000

export const clientOf = (baseUrl: string): Client => {
  const cookies = new Map<string, string>()

  const send: Client['fetch'] = async (path, init = {}) => {
    const headers = new Headers({
      'accept-encoding': 'identity',
      ...Object.fromEntries(new Headers(init.headers)),
    })
    if (cookies.size > 0) headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '))
    const signal = AbortSignal.timeout(callTimeoutMs)
    const response = await fetch(new URL(path, baseUrl), { redirect: 'manual', signal, ...init, headers })
    for (const cookie of response.headers.getSetCookie()) remember(cookies, cookie)
    return response
  }

  return {
    fetch: send,
    call: async (endpoint, input = {}) => {
      const response = await send(urlOf(endpoint, input), {
        method: endpoint.method,
        headers: {
          ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...input.headers,
        },
        body: input.body === undefined ? undefined : JSON.stringify(input.body),
      })
      const body: unknown = await response.json()
      if (!response.ok)
        throw new CallRefused(response.status, body as ErrorReply, `${endpoint.method} ${endpoint.path}`)
      return endpoint.reply.parse(body) as never
    },
  }
}

const remember = (cookies: Map<string, string>, header: string) => {
  const [, name, value] = /^([^=]+)=([^;]*)/.exec(header) ?? []
  if (!name) return
  if (!value || /max-age=0|expires=Thu, 01 Jan 1970/i.test(header)) cookies.delete(name)
  else cookies.set(name, value)
}

export const signIn = async (baseUrl: string, username: string, password: string): Promise<Client> => {
  const client = clientOf(baseUrl)
  await client.call(login, { body: { username, password } })
  return client
}

/** Signs in again after a session ends: the demonstration's days pass in minutes. */
export const staySignedIn = async (baseUrl: string, username: string, password: string): Promise<Client> => {
  const client = await signIn(baseUrl, username, password)
  return {
    ...client,
    call: (endpoint, input) =>
      client.call(endpoint, input).catch(async (error: unknown) => {
        if (!(error instanceof CallRefused) || error.body.code !== 'not_signed_in') throw error
        await client.call(login, { body: { username, password } })
        return client.call(endpoint, input)
      }),
  }
}

export const registerParent = async (
  baseUrl: string,
  account: { username: string; password: string; name: string; email?: string; phone?: string },
): Promise<Client> => {
  const client = clientOf(baseUrl)
  const { version: privacyVersion } = await client.call(getPrivacy)
  await client.call(register, { body: { ...account, privacyVersion } })
  return client
}

export type ReadMails = () => Promise<{ to: string; text: string }[]>

const mailsWithinMs = 20_000

/** By the link of the mail that each of them got at registration; does nothing where mails cannot be read. */
export const confirmAddresses = async (
  mails: ReadMails | null,
  clients: readonly Client[],
): Promise<void> => {
  if (!mails) return
  const waiting = new Map<string, Client>()
  for (const client of clients) waiting.set((await client.call(currentUser)).email ?? '', client)
  for (const end = performance.now() + mailsWithinMs; waiting.size > 0;) {
    for (const { to, text } of await mails()) {
      const token = /verify-email\?token=([\w.-]+)/.exec(text)?.[1]
      const client = waiting.get(to)
      if (!token || !client) continue
      await client.call(verifyEmail, { body: { token } })
      waiting.delete(to)
    }
    if (performance.now() > end) throw new Error(`No mail came to ${[...waiting.keys()].join(', ')}`)
    await pause(100)
  }
}

const atOnce = 4

/** Acts for 0 to `count` - 1, four at once. */
export const several = async (count: number, act: (index: number) => Promise<void>): Promise<void> => {
  let next = 0
  const work = async () => {
    while (next < count) {
      const index = next
      next += 1
      await act(index)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
