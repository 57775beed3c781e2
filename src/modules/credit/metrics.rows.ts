import type { Ports } from '#platform/ports'
import type { Measure } from '#platform/module'
import { creditInAll } from './credit.rows'

export const creditMeasures = ({ database: { pool } }: Ports): Measure[] => [
  {
    name: 'tuckshop_credit_balance_ngwee',
    help: 'Credit of all families that can be spent, in ngwee',
    value: async () => (await creditInAll(pool)).balance,
  },
  {
    name: 'tuckshop_credit_held_ngwee',
    help: 'Credit that payments under way hold, in ngwee',
    value: async () => (await creditInAll(pool)).held,
  },
]
