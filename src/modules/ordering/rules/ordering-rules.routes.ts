import { getOrderingRules, saveOrderingRules, type OrderingRules } from '#contracts/ordering-rules'
import { recordChanges } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { route, signedIn, withFeature, type Route } from '#platform/http/route'
import type { OrderingNeeds } from '../needs'
import { writeOrderingRules } from './ordering-rules.rows'

type RulesNeeds = Pick<OrderingNeeds, 'database' | 'now'> & {
  rules: { read: () => Promise<OrderingRules>; changed: () => void }
}

/** What families may do with their orders, as everybody signed in reads it and the office sets it. */
export const orderingRulesRoutes = (needs: RulesNeeds): Route[] => [
  route(getOrderingRules, signedIn, needs.rules.read),
  route(saveOrderingRules, withFeature('settings'), async ({ body, actor, correlationId }) => {
    await saveRules(needs, body, { actor, correlationId }).finally(needs.rules.changed)
    return body
  }),
]

const saveRules = ({ database, now }: RulesNeeds, rules: OrderingRules, by: By): Promise<void> =>
  database.knex.transaction(async (transaction) => {
    const old = await writeOrderingRules(transaction, rules)
    const what = 'Ordering rules changed'
    await recordChanges(transaction, { ...by, at: now() }, [{ kind: 'settings', what, old, new: rules }])
  })
