import type { Access, Route } from './route'
import { addressOf } from './route-table'

export type RouteAccess = { method: string; path: string; access: Access }

/** Every route with whom it is for, ordered by path: the table that the access test walks. */
export const describeAccess = (routes: readonly Route[]): RouteAccess[] =>
  routes
    .map((route) => {
      const { method, path } = addressOf(route)
      return { method, path, access: route.access }
    })
    .toSorted((a, b) => `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`))
