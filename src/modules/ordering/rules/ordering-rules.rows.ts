import type { Knex } from 'knex'
import type { OrderingRules } from '#contracts/ordering-rules'
import type { Reader } from '#platform/database'

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

/** The rules as they are set now. A prepared query: every list of a family's orders asks it. */
export const readOrderingRules = (reader: Reader) => async (): Promise<OrderingRules> => {
  const { rows } = await reader.query<OrderingRules>({
    name: 'ordering-rules',
    text: `select ${selected} from ordering.rules`,
  })
  return rows[0]!
}

/** Answers the rules before. */
export const writeOrderingRules = async (
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
