import type { Knex } from 'knex'
import type { BodyOf } from '#contracts/endpoint'
import { getOrderingRules, saveOrderingRules, type OrderingRules } from '#contracts/ordering'
import { saveSettings } from '#platform/changes'
import type { Reader } from '#platform/database'
import type { By } from '#platform/event-store/command-handler'
import { route, signedIn, withFeature, type Route } from '#platform/http/route'
import type { Ports } from '#platform/ports'
import { withVersion } from '#platform/versions'

type RulesNeeds = Ports & {
  rules: { read: () => Promise<OrderingRules>; changed: () => void }
}

export const orderingRulesRoutes = (needs: RulesNeeds): Route[] => [
  route(getOrderingRules, signedIn, async () => withVersion(record, await needs.rules.read())),
  route(saveOrderingRules, withFeature('settings'), ({ body, by }) =>
    saveRules(needs, body, by).finally(needs.rules.changed),
  ),
]

const record = 'settings:ordering-rules'

const saveRules = (
  { database, now }: RulesNeeds,
  { version, ...after }: BodyOf<typeof saveOrderingRules>,
  by: By,
): Promise<OrderingRules & { version: string }> =>
  database.knex.transaction(async (transaction) => {
    const before = await lockOrderingRules(transaction)
    const saved = { record, what: 'Ordering rules changed', version, before, after }
    return saveSettings(transaction, { ...by, at: now() }, saved, () =>
      writeOrderingRules(transaction, after),
    )
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

const lockOrderingRules = (transaction: Knex.Transaction): Promise<OrderingRules> =>
  transaction('ordering.rules').forUpdate().first(columns)

const writeOrderingRules = async (transaction: Knex.Transaction, rules: OrderingRules): Promise<void> => {
  await transaction('ordering.rules').update(
    Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [column, rules[name as keyof OrderingRules]]),
    ),
  )
}
