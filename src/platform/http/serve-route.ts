import { createHash } from 'node:crypto'
import { parse } from 'node:querystring'
import { Router } from '@koa/router'
import type { Context, Middleware } from 'koa'
import type { core } from 'zod/mini'
import { nothing, statusOf, type Endpoint, type ChangedMeanwhile } from '#contracts/endpoint'
import { Refusal } from '#kernel/refusal'
import { ownWritesShown, writing } from '#platform/event-store/command-handler'
import type { Now, Ports } from '#platform/ports'
import type { RequestKeys } from '#platform/request-keys'
import { readJson, refuseDeclaredSize } from './body'
import { plainAddress, rateLimit, writeLimit, type ConsumeCall } from './rate-limits'
import { replyJson, httpRefusal, notFound, stateOf, type BodyLimits } from './request'
import { addressOf, type Call, type JsonRoute, type Principal, type RawRoute, type Route } from './route'
import { sameOriginOnly } from './security-headers'
import { admits, refusalOf, deviceOf, signIn, signOut, type SessionStore } from './sessions'

export type RouteNeeds = {
  session: Middleware
  publicUrl: string
  now: Now
  rateLimits: ConsumeCall | 'off'
  requestKeys: RequestKeys
  viewsInclude: Ports['viewsInclude']
  sessions: Pick<SessionStore, 'usernameOf'>
  carts: Middleware
  uploads: Middleware
  bodyTimeoutMs: number
  uploadTimeoutMs: number
}

const usualBodyBytes = 256 * 1024

/** A word goes before a parameter at the same place, so that the order of modules does not matter. */
export const wordsFirst = (routes: readonly Route[]): Route[] => {
  const placed = routes.map((route) => ({ route, place: placeOf(addressOf(route).path) }))
  return placed
    .toSorted((one, other) => (one.place < other.place ? -1 : Number(one.place > other.place)))
    .map(({ route }) => route)
}

const placeOf = (path: string): string =>
  path
    .split('/')
    .map((part) => (/^[\w.-]*$/.test(part) ? '0' : '1'))
    .join('')

export const routerOf = (routes: readonly Route[], needs: RouteNeeds): Router => {
  const router = new Router()
  const ourOwnOnly = sameOriginOnly(needs.publicUrl)
  for (const route of routes) {
    const { method, path } = addressOf(route)
    const { crossSite = false } = route.options
    const mayCross = crossSite || method === 'GET'
    router.register(
      path,
      [method],
      [
        tellsTime(needs.now),
        named(path, bodyLimitsOf(route, needs)),
        ...(mayCross ? [] : [ourOwnOnly]),
        needs.session,
        admits(route.access),
        ...limitsOf(route, needs),
        ...(isUpload(route) ? [needs.uploads] : []),
        route.kind === 'json' ? serveJson(route, needs) : serveRaw(route, needs),
      ],
      routing,
    )
  }
  return router
}

const isUpload = ({ kind, options }: Route): boolean =>
  kind === 'raw' && (options.maxBodyBytes ?? 0) > usualBodyBytes

/** A picture of 8 MiB takes 42 s at 1.6 Mbit/s. */
const bodyLimitsOf = (route: Route, { bodyTimeoutMs, uploadTimeoutMs }: RouteNeeds): BodyLimits => ({
  maxBytes: route.options.maxBodyBytes ?? usualBodyBytes,
  timeoutMs: isUpload(route) ? uploadTimeoutMs : bodyTimeoutMs,
  idleMs: bodyTimeoutMs,
})

const limitsOf = (route: Route, { rateLimits: take, carts }: RouteNeeds): Middleware[] => {
  if (take === 'off') return []
  const { limit, cart } = route.options
  return [
    ...(addressOf(route).method === 'GET' ? [] : [writeLimit(take)]),
    ...(limit ? [rateLimit(limit, take)] : []),
    ...(cart ? [carts] : []),
  ]
}

export const routing = { sensitive: true, strict: true }

/** Every answer carries the school's time, as device clocks are often wrong. */
const tellsTime =
  (now: Now): Middleware =>
  async (context, next) => {
    try {
      await next()
    } finally {
      context.set('School-Time', now().toISOString())
    }
  }

const named =
  (path: string, bodyLimits: BodyLimits): Middleware =>
  (context, next) => {
    Object.assign(stateOf(context), { label: path, bodyLimits })
    return next()
  }

type Input = Pick<Call, 'params' | 'query' | 'body'> & Partial<Pick<Call, 'isRepeat'>>

const serveJson =
  (route: JsonRoute, needs: RouteNeeds): Middleware =>
  async (context) => {
    const { endpoint } = route
    const given = givenParams(context)
    const params = endpoint.params === nothing ? undefined : parseParams(endpoint.params, given)
    const query = endpoint.query === nothing ? undefined : parseInput(endpoint.query, context.query)
    const body = endpoint.body === nothing ? undefined : parseInput(endpoint.body, await readJson(context))
    const reply = await performedOnce(route, context, { params, query, body }, needs).catch(
      async (error: unknown) => {
        throw await naming(error, needs.sessions)
      },
    )
    replyJson(context, statusOf(endpoint, reply), reply)
    if (endpoint.etag) answerUnlessKnown(context)
  }

/** Modules know who changed a record by number alone. */
const naming = async (error: unknown, { usernameOf }: RouteNeeds['sessions']): Promise<unknown> => {
  if (!(error instanceof Refusal) || error.code !== 'changed_meanwhile') return error
  const changed = error.extra.changed as ChangedMeanwhile
  const [, id] = /^user:(\d+)$/.exec(changed.by ?? '') ?? []
  const by = id === undefined ? null : await usernameOf(Number(id))
  return httpRefusal('changed_meanwhile', error.message, { extra: { changed: { ...changed, by } } })
}

const performedOnce = async (
  route: JsonRoute,
  context: Context,
  input: Input,
  needs: RouteNeeds,
): Promise<unknown> => {
  const { once } = route.options
  const idempotencyKey = once ? idempotencyKeyOf(context) : null
  if (!once || idempotencyKey === null) return performed(route, context, input, needs)
  const { method, path } = route.endpoint
  const { by } = callOf(context, input)
  const request = { actor: by.actor, idempotencyKey, asked: { method, path, ...input } }
  const noted = await needs.requestKeys.note(request)
  if (noted === 'other')
    throw httpRefusal(
      'idempotency_key_reused',
      'This request key was already used for something else. Please try again.',
    )
  if (noted.answer !== null) return JSON.parse(noted.answer) as unknown
  const reply = await performed(route, context, { ...input, isRepeat: !noted.isNew }, needs).catch(
    async (error: unknown) => {
      if (noted.isNew && error instanceof Refusal) await needs.requestKeys.free(request)
      throw error
    },
  )
  if (once.again === 'answer') await needs.requestKeys.noteAnswer(request, JSON.stringify(reply))
  return reply
}

type Waits = Pick<RouteNeeds, 'viewsInclude'>

const performed = async (
  { endpoint, handle }: JsonRoute,
  context: Context,
  input: Input,
  needs: Waits,
): Promise<unknown> => {
  const call = callOf(context, input)
  // A refusal, too, may follow a write.
  return endpoint.reply.parse(await handle(call).finally(() => ownWritesShown(call.by, needs)))
}

export type InProcessRead = (context: Context, url: string) => Promise<unknown>

/** Reads parameterless routes within a request, with its rights and parsing but without rate limits. Throws the call's refusal. */
export const inProcessReads = (routes: readonly Route[], needs: Waits): InProcessRead => {
  const reads = new Map(
    routes.flatMap((route) =>
      route.kind === 'json' && route.endpoint.method === 'GET' ? [[route.endpoint.path, route] as const] : [],
    ),
  )
  return async (context, url) => {
    const [path = '', asked] = url.split('?')
    const route = reads.get(path)
    if (!route) throw new Error(`No route reads ${path}`)
    const refusal = refusalOf(route.access, stateOf(context).principal)
    if (refusal) throw refusal
    const { query: schema } = route.endpoint
    const query = schema === nothing ? undefined : parseInput(schema, parse(asked ?? ''))
    return performed(route, context, { params: undefined, query, body: undefined }, needs)
  }
}

/** Koa's `fresh` would resend: browsers add `no-cache` to a page's own If-None-Match. */
const answerUnlessKnown = (context: Context): void => {
  const hash = createHash('sha256').update(String(context.body)).digest('base64url')
  context.etag = hash
  if (context.get('If-None-Match') !== `"${hash}"`) return
  context.status = 304
}

const serveRaw =
  ({ serve }: RawRoute, needs: Waits): Middleware =>
  async (context) => {
    const params = givenParams(context)
    refuseDeclaredSize(context, stateOf(context).bodyLimits)
    context.set('Cache-Control', 'no-store')
    const call = callOf(context, { params, query: context.query, body: undefined })
    await serve(context, call).finally(() => ownWritesShown(call.by, needs))
  }

/** Path parameters; a NUL, which no database stores, is 404. */
const givenParams = (context: Context): Record<string, string> => {
  if (context.path.includes('%00')) throw notFound()
  if (context.querystring.includes('%00'))
    throw httpRefusal('malformed_request', 'The address has characters that cannot be used')
  return (context as Context & { params: Record<string, string> }).params
}

type Schema = Endpoint['body']

const parseParams = (schema: Schema, params: Record<string, string>): unknown => {
  const read = schema.safeParse(params)
  if (!read.success) throw notFound()
  return read.data
}

/** The spec's wording (parent-and-teacher.md section 8) for type errors without their own message. */
const schemaDefault: core.$ZodErrorMap = ({ code, input }) => {
  if (code !== 'invalid_type') return undefined
  return input === undefined ? 'Required' : 'Invalid input'
}

/** Throws `validation_failed` with a message per field. */
export const parseInput = (schema: Schema, input: unknown): unknown => {
  const read = schema.safeParse(input, { error: schemaDefault })
  if (read.success) return read.data
  const found = new Map<string, string>()
  for (const { path, message } of read.error.issues) {
    const field = path.join('.')
    if (field !== '' && !found.has(field)) found.set(field, message)
  }
  const fields = Object.fromEntries(found)
  throw httpRefusal('validation_failed', read.error.issues[0]?.message ?? 'Invalid input', { fields })
}

const callOf = (context: Context, input: Input): Call => {
  const { principal, requestId } = stateOf(context)
  return {
    isRepeat: false,
    ...input,
    principal,
    get user(): Principal {
      if (!principal) throw new Error('A handler of a route for anyone asked for the signed-in user')
      return principal
    },
    by: writing({ actor: principal ? `user:${principal.userId}` : 'system', correlationId: requestId }),
    idempotencyKey: idempotencyKeyOf(context),
    get ip() {
      return plainAddress(context.ip)
    },
    origin: `${context.protocol}://${context.host}`,
    session: {
      signIn: (user) => signIn(context, user),
      signOut: () => signOut(context),
      deviceOf: (user) => deviceOf(context, user),
      id: () => stateOf(context).sessionId,
    },
  }
}

const printable = /^[\x21-\x7e]{1,200}$/

const idempotencyKeyOf = (context: Context) => {
  const sent = context.req.headers['idempotency-key']
  if (sent === undefined || sent === '') return null
  if (typeof sent === 'string' && printable.test(sent)) return sent
  throw httpRefusal('validation_failed', 'Idempotency-Key takes at most 200 printable characters')
}
