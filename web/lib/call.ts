import { safeParse } from 'zod/mini'
import type * as z from 'zod/mini'
import { errorReply, urlOf, type Endpoint, type ErrorReply, type ReplyOf } from '#contracts/endpoint'

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
 * no answer came: without a connection, or in time. What was asked for may then have been done all the same.
 */
export const call = async <E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<ReplyOf<E>> => {
  const [response, text] = await ask(endpoint, input)
  return replyIn(endpoint, response, text)
}

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

const ask = <E extends Endpoint>(endpoint: E, input: CallInput<E>, etag?: string) =>
  answerOf(
    urlOf(endpoint, input as { params?: object; query?: object }),
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
  const reply = safeParse(endpoint.reply, text === '' ? null : JSON.parse(text))
  if (!reply.success) throw new Error(`Unexpected reply of ${endpoint.path}`, { cause: reply.error })
  return reply.data as ReplyOf<E>
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
  try {
    const response = await fetch(url, { ...request, signal: end.signal })
    return [response, await response.text()] as const
  } catch (error) {
    const isUnanswered = end.signal.aborted || error instanceof TypeError
    if (!isUnanswered || signal?.aborted) throw error
    throw new TypeError('No answer. Please check your connection and try again.', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

const headersOf = (input: { form?: FormData; body?: unknown; idempotencyKey?: string }) => ({
  Accept: 'application/json',
  ...(input.form || input.body === undefined ? {} : { 'Content-Type': 'application/json' }),
  ...(input.idempotencyKey ? { 'Idempotency-Key': input.idempotencyKey } : {}),
})
