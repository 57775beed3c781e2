import type { Context } from 'koa'
import { plainAddress } from './caller-key'
import { httpRefusal } from './http-refusals'
import { stateOf } from './request-state'
import type { Call, Principal } from './route'
import { signIn, signOut } from './sessions'

type Input = { params: unknown; query: unknown; body: unknown }

/** What a handler is given, of a request that has passed the column of middleware. */
export const callOf = (context: Context, { params, query, body }: Input): Call => {
  const { principal, requestId } = stateOf(context)
  return {
    params,
    query,
    body,
    principal,
    get user(): Principal {
      if (!principal) throw new Error('A handler of a route for anyone asked for the signed-in user')
      return principal
    },
    actor: principal ? `user:${principal.userId}` : 'system',
    correlationId: requestId,
    idempotencyKey: idempotencyKeyOf(context),
    ip: plainAddress(context.ip),
    origin: `${context.protocol}://${context.host}`,
    session: {
      signIn: (userId) => signIn(context, userId),
      signOut: () => signOut(context),
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
