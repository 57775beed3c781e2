import type { Readable } from 'node:stream'
import type { Endpoint, QueryOf } from '#contracts/endpoint'
import { rawRoute, type Access, type Principal, type Route } from './route'
import { parseInput } from './serve-route'

/** Answers a file of the name that `read` gives it. */
export const csvRoute = <E extends Endpoint>(
  endpoint: E,
  access: Access,
  read: (query: QueryOf<E>, user: Principal) => Promise<{ name: string; text: string | Readable }>,
): Route =>
  rawRoute({
    method: endpoint.method,
    path: endpoint.path,
    access,
    serve: async (context, { query, user }) => {
      const { name, text } = await read(parseInput(endpoint.query, query) as QueryOf<E>, user)
      context.set('Content-Type', 'text/csv; charset=utf-8')
      context.set('Content-Disposition', `attachment; filename="${name}"`)
      context.body = text
    },
  })
