import { listConflicts } from '#contracts/conflicts'
import { route, withFeature, type Route } from '#platform/http/route'
import { conflictsForOffice } from './conflicts.commands'

/** The meals that a child is allergic to, for whoever can do something about it. */
export const conflictRoutes = (needs: Parameters<typeof conflictsForOffice>[0]): Route[] => [
  route(listConflicts, withFeature('kitchen', 'menu', 'parents_students'), async () => ({
    data: (await conflictsForOffice(needs)).map(({ orderId, student, date, item, allergens }) => ({
      orderId,
      student,
      date,
      menuItem: item,
      allergens: [...allergens],
    })),
  })),
]
