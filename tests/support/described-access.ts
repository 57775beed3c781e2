import { addressOf, type Access, type Route } from '#platform/http/route'

export type RouteAccess = { method: string; path: string; access: Access }

/** Every route with whom it is for, ordered by path: the table that the access tests walk. */
export const describeAccess = (routes: readonly Route[]): RouteAccess[] =>
  routes
    .map((route) => {
      const { method, path } = addressOf(route)
      return { method, path, access: route.access }
    })
    .toSorted((a, b) => `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`))
