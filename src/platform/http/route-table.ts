import { isBadText } from './json-body'
import type { Route } from './route'
import type { RouteMatch } from './request-state'

type Entry = { route: Route; names: string[] }
type Place = { literals: Map<string, Place>; parameter: Place | null; entries: Map<string, Entry> }

/** What an address leads to: a route, a path that takes other methods, or (null) nothing. */
export type Found = { match: RouteMatch; allow: null } | { match: null; allow: string } | null

/**
 * Builds the look-up of routes once: a tree by path segment, in which written text wins over a `:name`.
 * HEAD is answered by the GET route. Two routes for one method and path are a fault of the composition and throw.
 */
export const routeTable = (routes: readonly Route[]): ((method: string, path: string) => Found) => {
  const root = emptyPlace()
  for (const route of routes) add(root, route)
  return (method, path) => {
    const values: string[] = []
    const place = walk(root, path.split('/'), 1, values)
    if (!place) return null
    const entry = place.entries.get(method === 'HEAD' ? 'GET' : method)
    if (!entry) return { match: null, allow: allowedOn(place) }
    const params = namedValues(entry.names, values)
    return params && { match: { route: entry.route, params }, allow: null }
  }
}

const emptyPlace = (): Place => ({ literals: new Map(), parameter: null, entries: new Map() })

/** The method and path of a route of either kind. */
export const addressOf = (route: Route): { method: string; path: string } =>
  route.kind === 'json' ? route.endpoint : route

const add = (root: Place, route: Route) => {
  const { method, path } = addressOf(route)
  const names: string[] = []
  let place = root
  for (const segment of path.split('/').slice(1)) {
    if (segment.startsWith(':')) {
      names.push(segment.slice(1))
      place = place.parameter ??= emptyPlace()
    } else {
      const next = place.literals.get(segment) ?? emptyPlace()
      place.literals.set(segment, next)
      place = next
    }
  }
  if (place.entries.has(method)) throw new Error(`Two routes answer ${method} ${path}`)
  place.entries.set(method, { route, names })
}

const walk = (place: Place, segments: string[], depth: number, values: string[]): Place | null => {
  if (depth === segments.length) return place.entries.size > 0 ? place : null
  const segment = segments[depth]!
  const literal = place.literals.get(segment)
  const found = literal ? walk(literal, segments, depth + 1, values) : null
  if (found || !place.parameter || segment === '') return found
  values.push(segment)
  const byName = walk(place.parameter, segments, depth + 1, values)
  if (!byName) values.pop()
  return byName
}

const allowedOn = (place: Place) =>
  [...place.entries.keys()]
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .toSorted()
    .join(', ')

/** Null when a value is no proper percent-encoding or no text that can be kept: such an address leads nowhere. */
const namedValues = (names: string[], values: string[]) => {
  const params: Record<string, string> = {}
  try {
    for (const [index, name] of names.entries()) params[name] = decodeURIComponent(values[index]!)
  } catch {
    return null
  }
  return Object.values(params).some(isBadText) ? null : params
}
