import { getFamily } from '#contracts/families'
import { familyFeatures, find, findFeatures } from '#contracts/find'
import { route, withFeature, type Route } from '#platform/http/route'
import { familyPage } from './family.commands'
import { findAnything } from './find.commands'
import type { FindNeeds } from './needs'

/** Somebody types; a program that reads everything out does not. */
const searches = { name: 'find', points: 120, seconds: 60, by: 'user' } as const

export const findRoutes = (needs: FindNeeds): Route[] => {
  const search = findAnything(needs)
  const page = familyPage(needs)
  return [
    route(find, withFeature(...findFeatures), ({ query, user }) => search(query.q, user), {
      limit: searches,
    }),
    route(getFamily, withFeature(...familyFeatures), ({ params }) => page(params.id)),
  ]
}
