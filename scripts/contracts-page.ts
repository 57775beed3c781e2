import { toJSONSchema } from 'zod'
import type { $ZodType } from 'zod/v4/core'
import { nothing } from '#contracts/endpoint'
import { addressOf, type Route } from '#platform/http/route'
import { composed } from './composed'

/** Schema of what a caller sends (`input`) or gets (`output`). */
const written = (schema: $ZodType, io: 'input' | 'output') => {
  if (schema === nothing) return undefined
  const { $schema: _same, ...rest } = toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

const contractOf = (route: Route) => {
  const { access, options } = route
  const { limit, once, cart, maxBodyBytes, crossSite } = options
  const held = { access, limit, once, cart, maxBodyBytes, crossSite }
  if (route.kind === 'raw') return held
  const { status, etag, accepted, params, query, body, reply } = route.endpoint
  return {
    ...held,
    status,
    etag,
    params: written(params, 'input'),
    query: written(query, 'input'),
    body: written(body, 'input'),
    reply: written(reply, 'output'),
    accepted: accepted ? written(accepted, 'output') : undefined,
  }
}

/** Text of docs/contracts.json: every route with access, limits, status and JSON schemas, one line each so that a change is one line. */
export const contractsPage = (): string => {
  const entries = composed()
    .flatMap(({ routes }) => routes)
    .map((route) => {
      const { method, path } = addressOf(route)
      const parts = Object.entries(contractOf(route))
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
      return {
        key: `${path} ${method}`,
        text: `  ${JSON.stringify(`${method} ${path}`)}: {\n${parts.join(',\n')}\n  }`,
      }
    })
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
  return `{\n${entries.map(({ text }) => text).join(',\n')}\n}\n`
}
