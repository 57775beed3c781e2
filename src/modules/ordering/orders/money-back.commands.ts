import type { OrderingNeeds } from '../ports'
import { owedForOrder, type MoneyBack } from '../slot/money-back.decide'
import { ordersInStreams } from './order-payments.commands'
import { factsOf } from './orders.view'

/** By order, as the refund and the credit are booked whenever they are settled; nothing for orders that stand. */
export const moneyBackOf =
  ({ eventStore, credit }: Pick<OrderingNeeds, 'eventStore' | 'credit'>) =>
  async (orderIds: readonly string[], owed = owedForOrder): Promise<Map<string, MoneyBack>> => {
    const accounts = credit.accounts()
    const backs = new Map<string, MoneyBack>()
    for (const order of await ordersInStreams({ eventStore }, [...new Set(orderIds)])) {
      const account = await accounts.of(order.user_id)
      backs.set(order.id, owed(factsOf(order), order.received, account.credit()))
    }
    return backs
  }
