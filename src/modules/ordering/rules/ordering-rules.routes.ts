import type { Ports } from '#platform/ports'
import { getOrderingRules, saveOrderingRules, type OrderingRules } from '#contracts/ordering'
import { recordChanges } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { route, signedIn, withFeature, type Route } from '#platform/http/route'
import type { Knex } from 'knex'
import type { Reader } from '#platform/database'

type RulesNeeds = Ports & {
  rules: { read: () => Promise<OrderingRules>; changed: () => void }
}

export const orderingRulesRoutes = (needs: RulesNeeds): Route[] => [
  route(getOrderingRules, signedIn, needs.rules.read),
  route(saveOrderingRules, withFeature('settings'), async ({ body, by }) => {
    await saveRules(needs, body, by).finally(needs.rules.changed)
    return body
  }),
]

const saveRules = ({ database, now }: RulesNeeds, rules: OrderingRules, by: By): Promise<void> =>
  database.knex.transaction(async (transaction) => {
    const old = await writeOrderingRules(transaction, rules)
    const what = 'Ordering rules changed'
    await recordChanges(transaction, { ...by, at: now() }, [{ kind: 'settings', what, old, new: rules }])
  })

const columns = {
  cancelUntil: 'cancel_until',
  lateRemedy: 'late_remedy',
  absence: 'absence',
  absencePercent: 'absence_percent',
  lowPortions: 'low_portions',
} as const satisfies Record<keyof OrderingRules, string>

const selected = Object.entries(columns)
  .map(([name, column]) => `${column} as "${name}"`)
  .join(', ')

/** Prepared: every list of a family's orders asks it. */
export const readOrderingRules = (reader: Reader) => async (): Promise<OrderingRules> => {
  const { rows } = await reader.query<OrderingRules>({
    name: 'ordering-rules',
    text: `select ${selected} from ordering.rules`,
  })
  return rows[0]!
}

const writeOrderingRules = async (
  transaction: Knex.Transaction,
  rules: OrderingRules,
): Promise<OrderingRules> => {
  const stored = () => transaction('ordering.rules')
  const before: OrderingRules = await stored().forUpdate().first(columns)
  await stored().update(
    Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [column, rules[name as keyof OrderingRules]]),
    ),
  )
  return before
}
