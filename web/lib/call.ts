import type * as z from 'zod/mini'
import { safeParse } from 'zod/mini'
import {
  errorReply,
  faultCodes,
  urlOf,
  type Endpoint,
  type ErrorReply,
  type ReplyOf,
} from '#contracts/endpoint'
import { hearSchoolTime, schoolTimeHeader } from './school-moment'

type Part<Key extends string, Value> = unknown extends Value
  ? { [K in Key]?: undefined }
  : { [K in Key]: Value }
type QueryPart<Value> = unknown extends Value ? { query?: undefined } : { query?: Value }

export type CallInput<E extends Endpoint> = Part<'params', z.output<E['params']>> &
  QueryPart<z.output<E['query']>> &
  Part<'body', z.input<E['body']>> & {
    /** For file uploads, instead of JSON. */
    form?: FormData
    /** Only for keys that outlive the page; acts that count once get one automatically. */
    idempotencyKey?: string
    signal?: AbortSignal
    /** In ms: half a minute by default, two minutes for files. */
    timeoutMs?: number
  }

/**
 * `message` is status and text from 500 on, else the body's text (parent-and-teacher.md section 7); `reply` is a body of the common shape.
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

  /** Empty when the server named none. */
  get fields(): Record<string, string> {
    return this.reply?.fields ?? {}
  }
}

/** Sent without an answer: offline or timed out. */
export class NoAnswer extends TypeError {}

/** Not the contract's shape, e.g. a hotel network's page. */
export class UnexpectedReply extends Error {}

/** The act may have been done, so it is not called a failure. */
export const noAnswerCame = 'No answer came. Please check your connection and try again.'

const readReply = (text: string): ErrorReply | null => {
  try {
    return safeParse(errorReply, JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** The server's words; `fallback` when there are none (a bare 502), `unanswered` without any answer. */
export const messageOf = (error: unknown, fallback: string, unanswered = fallback): string =>
  error instanceof CallError ? (error.reply?.message ?? fallback) : unanswered

/**
 * Calls an endpoint and parses the reply. Throws CallError, or TypeError when no answer came; the act may then have been done, so a retry
 * keeps its Idempotency-Key until it is answered.
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

/** From 500 on only a refusal counts: faults, outages and proxies leave the outcome unknown. */
export const isAnswer = (error: unknown): boolean =>
  error instanceof CallError &&
  (error.status < 500 || (error.code !== null && !faultCodes.some((code) => code === error.code)))

export type Tagged<Reply> = { etag: string; reply: Reply }

/** Answers `known` itself on 304. */
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

/** Throws CallError for an error. */
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

/** By method and address. */
const unanswered = new Map<string, Act>()

const placeOf = (endpoint: Endpoint, url: string): string => `${endpoint.method} ${url}`

/** Idempotency-Key of an act: kept until answered, so that repeats count once. Another body is another act. */
const actKey = (endpoint: Endpoint, url: string, body: unknown): string => {
  const place = placeOf(endpoint, url)
  const text = JSON.stringify(body) ?? ''
  const before = unanswered.get(place)
  if (before?.body === text) return before.key
  const key = freshKey()
  unanswered.set(place, { endpoint, body: text, key })
  return key
}

/** An answered act gets a new key next time. So do acts of other kinds: an undo may lie in between. */
const forgetAnswered = (endpoint: Endpoint, url: string): void => {
  for (const [place, act] of unanswered)
    if (act.endpoint !== endpoint || place === placeOf(endpoint, url)) unanswered.delete(place)
}

/** 32 random hex digits; works without TLS, unlike `crypto.randomUUID`. */
export const freshKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
