import type * as z from 'zod/mini'
import { safeParse } from 'zod/mini'
import { errorReply, urlOf, type Endpoint, type ErrorReply, type ReplyOf } from '#contracts/endpoint'
import { hearSchoolTime, schoolTimeHeader } from './school-moment'

type Part<Key extends string, Value> = unknown extends Value
  ? { [K in Key]?: undefined }
  : { [K in Key]: Value }
type QueryPart<Value> = unknown extends Value ? { query?: undefined } : { query?: Value }

/** What a call sends: params and query as the contract's parsed values, the body as its schema takes it. */
export type CallInput<E extends Endpoint> = Part<'params', z.output<E['params']>> &
  QueryPart<z.output<E['query']>> &
  Part<'body', z.input<E['body']>> & {
    /** Sent instead of a JSON body, for file uploads. */
    form?: FormData
    /** Only for what keeps its key longer than this page: an act that counts once has one by itself. */
    idempotencyKey?: string
    signal?: AbortSignal
    /** How long the answer may take, in ms: half a minute by default, two for files. */
    timeoutMs?: number
  }

/**
 * A call that the server answered with an error. `message` is the status code, a colon and the status text from 500 on,
 * or the text of the body below (parent-and-teacher.md section 7); `reply` is that body when it has the common shape.
 */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly status: number
  readonly reply: ErrorReply | null

  constructor(status: number, statusText: string, bodyText: string) {
    super(`${status}: ${status >= 500 ? statusText : bodyText}`)
    this.status = status
    this.reply = readReply(bodyText)
  }

  get code(): string | null {
    return this.reply?.code ?? null
  }

  /** Messages per form field; empty when the server named none. */
  get fields(): Record<string, string> {
    return this.reply?.fields ?? {}
  }
}

/** The call was sent, and no answer came: without a connection, or in time. */
export class NoAnswer extends TypeError {}

/** The call was sent, and what was answered is not what the contract says, e.g. the page of a hotel's network. */
export class UnexpectedReply extends Error {}

/** For an act that was not answered, which may have been done: nobody says that it failed. */
export const noAnswerCame = 'No answer came. Please check your connection and try again.'

const readReply = (text: string): ErrorReply | null => {
  try {
    return safeParse(errorReply, JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/**
 * The server's own words about what went wrong; `fallback` when it answered without any (a bare 502),
 * `unanswered` when no answer came at all.
 */
export const messageOf = (error: unknown, fallback: string, unanswered = fallback): string =>
  error instanceof CallError ? (error.reply?.message ?? fallback) : unanswered

/**
 * Calls an endpoint of the contract; the reply is parsed by it. Throws CallError, or TypeError with words for people when
 * no answer came: without a connection, or in time. What was asked for may then have been done all the same: an act that
 * counts once and is tried again has the same Idempotency-Key until it is answered.
 */
export const call = async <E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<ReplyOf<E>> => {
  return endpoint.once && !input.idempotencyKey
    ? callUntilAnswered(endpoint, input)
    : callOnce(endpoint, input)
}

const callOnce = async <E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<ReplyOf<E>> => {
  const [response, text] = await ask(endpoint, input)
  return replyIn(endpoint, response, text)
}

const callUntilAnswered = async <E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
): Promise<ReplyOf<E>> => {
  const url = urlIn(endpoint, input)
  const idempotencyKey = actKey(endpoint, url, input.body)
  try {
    const reply = await callOnce(endpoint, { ...input, idempotencyKey })
    forgetAnswered(endpoint, url)
    return reply
  } catch (error) {
    if (isAnswer(error)) forgetAnswered(endpoint, url)
    throw error
  }
}

/** From 500 on only a refusal is an answer: what a fault, an outage or a proxy leaves behind, nobody knows. */
export const isAnswer = (error: unknown): boolean =>
  error instanceof CallError &&
  (error.status < 500 || !['internal_error', 'unavailable', null].includes(error.code))

/** A reply with the ETag of its content. */
export type Tagged<Reply> = { etag: string; reply: Reply }

/** The same for an endpoint with an ETag; answers `known` itself when the server says that it has not changed. */
export const callUnlessKnown = async <E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  known: Tagged<ReplyOf<E>> | undefined,
): Promise<Tagged<ReplyOf<E>>> => {
  const [response, text] = await ask(endpoint, input, known?.etag)
  if (response.status === 304 && known) return known
  return { etag: response.headers.get('ETag') ?? '', reply: replyIn(endpoint, response, text) }
}

const urlIn = <E extends Endpoint>(endpoint: E, input: CallInput<E>): string =>
  urlOf(endpoint, input as { params?: object; query?: object })

const ask = <E extends Endpoint>(endpoint: E, input: CallInput<E>, etag?: string) =>
  answerOf(
    urlIn(endpoint, input),
    {
      method: endpoint.method,
      credentials: 'include',
      headers: { ...headersOf(input), ...(etag ? { 'If-None-Match': etag } : {}) },
      body: input.form ?? (input.body === undefined ? undefined : JSON.stringify(input.body)),
    },
    input,
  )

/** The reply in an answer of the server; throws CallError for one that is an error. */
export const replyIn = <E extends Endpoint>(
  endpoint: E,
  response: Pick<Response, 'ok' | 'status' | 'statusText'>,
  text: string,
): ReplyOf<E> => {
  if (!response.ok) throw new CallError(response.status, response.statusText, text)
  const reply = safeParse(endpoint.reply, parsedJson(text))
  if (!reply.success)
    throw new UnexpectedReply(`Unexpected reply of ${endpoint.path}`, { cause: reply.error })
  return reply.data as ReplyOf<E>
}

const parsedJson = (text: string): unknown => {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return undefined
  }
}

type AnswerOptions = { form?: FormData; signal?: AbortSignal; timeoutMs?: number }

const answerOf = async (
  url: string,
  request: RequestInit,
  { form, signal, timeoutMs = form ? 120_000 : 30_000 }: AnswerOptions,
) => {
  const end = new AbortController()
  const stop = () => end.abort()
  const timer = setTimeout(stop, timeoutMs)
  signal?.addEventListener('abort', stop)
  const askedMs = Date.now()
  try {
    const response = await fetch(url, { ...request, signal: end.signal })
    hearSchoolTime(response.headers.get(schoolTimeHeader), askedMs, Date.now())
    return [response, await response.text()] as const
  } catch (error) {
    const isUnanswered = end.signal.aborted || error instanceof TypeError
    if (!isUnanswered || signal?.aborted) throw error
    throw new NoAnswer('No answer. Please check your connection and try again.', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

const headersOf = (input: { form?: FormData; body?: unknown; idempotencyKey?: string }) => ({
  Accept: 'application/json',
  ...(input.form || input.body === undefined ? {} : { 'Content-Type': 'application/json' }),
  ...(input.idempotencyKey ? { 'Idempotency-Key': input.idempotencyKey } : {}),
})

type Act = { endpoint: Endpoint; body: string; key: string }

/** The acts that were sent from this page and not answered yet, by method and address. */
const unanswered = new Map<string, Act>()

const placeOf = (endpoint: Endpoint, url: string): string => `${endpoint.method} ${url}`

/**
 * The Idempotency-Key of an act: until it is answered the same act keeps its key, so that it counts once however often it
 * is sent. Another body for the same address is another act.
 */
const actKey = (endpoint: Endpoint, url: string, body: unknown): string => {
  const place = placeOf(endpoint, url)
  const text = JSON.stringify(body) ?? ''
  const before = unanswered.get(place)
  if (before?.body === text) return before.key
  const key = freshKey()
  unanswered.set(place, { endpoint, body: text, key })
  return key
}

/**
 * An act was answered: sent again, it is a new one. So are all acts of other kinds, since an answered undo lies between
 * them and what was sent before.
 */
const forgetAnswered = (endpoint: Endpoint, url: string): void => {
  for (const [place, act] of unanswered)
    if (act.endpoint !== endpoint || place === placeOf(endpoint, url)) unanswered.delete(place)
}

/** A random key for Idempotency-Key: 32 hex digits. Also works on a page without TLS, unlike `crypto.randomUUID`. */
export const freshKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
