import type { Context, Middleware } from 'koa'
import { compiled } from '#kernel/compiled'
import { nothing } from '#contracts/endpoint'
import type { Endpoint } from '#contracts/endpoint'
import { callOf } from './call'
import { httpRefusal } from './http-refusals'
import { readJson } from './json-body'
import { replyText } from './json-reply'
import { refuseDeclaredSize } from './read-body'
import { stateOf } from './request-state'
import type { JsonRoute, RawRoute } from './route'
import { parseInput, parseParams } from './validation'

/** The innermost: parses what the contract says, performs the route's one act and parses its reply. */
export const serveRoute: Middleware = async (context) => {
  const { route, params } = stateOf(context).match!
  refuseBadQuery(context)
  if (route.kind === 'json') await serveJson(context, route, params)
  else await serveRaw(context, route, params)
}

const serveJson = async (context: Context, route: JsonRoute, given: Record<string, string>) => {
  const { endpoint } = route
  const params = parseParams(endpoint.params, given)
  const query = endpoint.query === nothing ? undefined : parseInput(endpoint.query, context.query)
  const body = endpoint.body === nothing ? undefined : parseInput(endpoint.body, await readJson(context))
  const reply = await route.handle(callOf(context, { params, query, body }))
  replyText(context, endpoint.status, textOf(endpoint, reply))
}

const texts = new WeakMap<object, Buffer>()

/** The reply as its contract lets it out. A handler that answers the same value again, unchanged, is not asked twice. */
const textOf = ({ method, reply: shape }: Endpoint, reply: unknown): string | Buffer | undefined => {
  if (method !== 'GET' || typeof reply !== 'object' || reply === null)
    return JSON.stringify(compiled(shape).parse(reply))
  const known = texts.get(reply)
  if (known !== undefined) return known
  const text = Buffer.from(JSON.stringify(compiled(shape).parse(reply)))
  texts.set(reply, text)
  return text
}

const serveRaw = async (context: Context, route: RawRoute, params: Record<string, string>) => {
  refuseDeclaredSize(context, stateOf(context).bodyLimits)
  context.set('Cache-Control', 'no-store')
  await route.serve(context, callOf(context, { params, query: context.query, body: undefined }))
}

// As in a body: no database keeps a NUL.
const refuseBadQuery = ({ querystring }: Context) => {
  if (querystring.includes('%00'))
    throw httpRefusal('malformed_request', 'The address holds characters that cannot be kept')
}
