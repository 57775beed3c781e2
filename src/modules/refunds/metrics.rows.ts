import type { Ports } from '#platform/ports'
import type { Measure } from '#platform/module'
import { cardRefundsToCheck } from './refunds.rows'

export const refundMeasures = ({ database: { knex }, now }: Ports): Measure[] => {
  const due = () => knex('refunds.refunds').where('status', 'due')
  return [
    {
      name: 'tuckshop_refunds_due',
      help: 'Refunds that are due and not paid back in full',
      value: async () => Number((await due().count({ count: '*' }).first())?.count),
    },
    {
      name: 'tuckshop_refunds_due_ngwee',
      help: 'What is still to be paid back, in ngwee',
      value: async () => Number((await due().sum({ owed: 'owed' }).first())?.owed),
    },
    {
      name: 'tuckshop_refunds_oldest_due_seconds',
      help: 'For how long the oldest refund has been due, 0 without one',
      value: async () => {
        const oldest = await due().min({ since: 'due_since' }).first()
        return oldest?.since ? Math.max(0, (now().getTime() - oldest.since.getTime()) / 1000) : 0
      },
    },
    {
      name: 'tuckshop_card_refunds_to_check',
      help: 'Refunds to the card of which the provider has not said what became of them, for a person to find out',
      value: () => cardRefundsToCheck(knex),
    },
  ]
}
