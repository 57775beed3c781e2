import type { Knex } from 'knex'
import { payOutCredit } from '#contracts/approvals'
import { getCredit, getParentCredit, giveCredit, type Credit } from '#contracts/credit'
import { kwachaFromNgwee } from '#kernel/money'
import { onlyRoles, route, withFeature, type Route } from '#platform/http/route'
import { creditCommands } from './credit.commands'
import { accountOf, entriesOf } from './credit.rows'
import type { EntryRow } from './credit.view'
import type { CreditNeeds } from './needs'

/** A family's credit as it sees it itself, and what the office does with it. */
export const creditRoutes = (needs: CreditNeeds): Route[] => {
  const { knex } = needs.database
  const commands = creditCommands(needs)
  const office = withFeature('refunds')
  const creditOf = creditShown(knex)

  return [
    route(getCredit, onlyRoles('parent', 'teacher'), ({ user }) => creditOf(user.userId)),

    route(getParentCredit, office, async ({ params }) => creditOf(await commands.someFamily(params.id))),

    route(giveCredit, office, async ({ params, body, user, idempotencyKey, actor, correlationId }) => {
      const by = { actor, correlationId }
      await commands.giveGift({ userId: params.id, body, idempotencyKey, by, administrator: user.userId })
      return creditOf(params.id)
    }),

    route(payOutCredit, office, async ({ params, body, user, idempotencyKey, actor, correlationId }) => {
      const by = { actor, correlationId }
      const asked = { userId: params.id, body, idempotencyKey, by, administrator: user.userId }
      return (await commands.payOut(asked)) ?? creditOf(params.id)
    }),
  ]
}

/** A family's credit, as it sees it. */
export const creditShown =
  (knex: Knex) =>
  async (userId: number): Promise<Credit> => {
    const [account, entries] = await Promise.all([accountOf(knex, userId), entriesOf(knex, userId)])
    return {
      balance: kwachaFromNgwee(account.balance),
      held: kwachaFromNgwee(account.held),
      entries: entries.map(entryReply),
    }
  }

const entryReply = (row: EntryRow): Credit['entries'][number] => ({
  at: new Date(row.at).toISOString(),
  kind: row.kind,
  amount: row.amount / 100,
  balanceAfter: kwachaFromNgwee(row.balance_after),
  about: {
    ...(row.order_id !== null && { orderId: row.order_id }),
    ...(row.reference !== null && { reference: row.reference }),
  },
  text: row.text,
})
