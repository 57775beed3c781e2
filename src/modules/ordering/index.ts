import type { Database, Reader } from '#platform/database'
import { kept } from '#platform/kept'
import type { Module } from '#platform/module'
import type { Notices } from '#platform/notices'
import { checkCart } from './cart.commands'
import type { CartNeeds } from './cart.commands'
import { checkoutMeals } from './checkout.commands'
import type { MealCheckout } from './checkout.commands'
import { cycleChangesView } from './cycle-changes.view'
import { cycleOrderRoutes } from './cycle-orders.routes'
import type { CycleOrderNeeds } from './cycle-orders.routes'
import { orderTotals } from './cycle-totals.rows'
import { bestDiscountOf, bestPercentages } from './discount-codes.rows'
import { discountCodeRoutes } from './discount-codes.routes'
import type { DiscountNeeds } from './discount-codes.routes'
import { kitchenRoutes } from './kitchen.routes'
import type { KitchenNeeds } from './kitchen.routes'
import { orderMeasures } from './measures.rows'
import { orderMoney } from './order-money.commands'
import { orderCommands } from './orders.commands'
import type { By, OrderNeeds } from './orders.commands'
import { orderReplies } from './order-replies.commands'
import { amendedLines, paidLineHindrances } from './paid-lines.commands'
import { orderRoutes } from './orders.routes'
import { itemsWithOrders, openOrdersOf, orderCountOf } from './orders.rows'
import { ordersView } from './orders.view'
import { linesRefused, orderingStatuses } from './refusals'
import { revenueRoutes } from './revenue.routes'
import type { RevenueNeeds } from './revenue.routes'
import { loadSlots } from './slots.commands'

export type { CycleFacts, MenuFacts, StudentFacts } from './cart-line.decide'
export type { OrderFacts } from './order-money.commands'

export type OrderingNeeds = OrderNeeds &
  KitchenNeeds &
  CycleOrderNeeds &
  DiscountNeeds &
  RevenueNeeds &
  Omit<CartNeeds, 'discountOf'> & {
    database: Pick<Database, 'lookups'>
    notices: Pick<Notices, 'hear' | 'sender'>
  }

/**
 * Meal slots and their orders, what they cost, and what the kitchen sees of them. For siblings: the cart's check and
 * the slots' part of a checkout, discounts, and what is known about the orders of items, students and cycles.
 */
export const orderingModule = (needs: OrderingNeeds) => {
  const { eventStore } = needs
  const { pool, lookups } = needs.database
  const orders = orderCommands(needs)

  const discounts = kept(needs, 'ordering_discounts', () => bestPercentages(pool))

  const module: Module = {
    name: 'ordering',
    routes: [
      ...orderRoutes(orders, needs),
      ...kitchenRoutes(needs),
      ...cycleOrderRoutes(needs),
      ...discountCodeRoutes({ ...needs, changed: discounts.changed }),
      ...revenueRoutes(needs),
    ],
    views: [ordersView, cycleChangesView],
    reactors: [],
    jobs: [],
    sweeps: [],
    measures: orderMeasures(needs),
    refusals: orderingStatuses,
  }

  return {
    ...module,
    /** What a user's best active discount code takes off, in percent, for what is shown; null without one. */
    shownDiscountOf: async (userId: number): Promise<number | null> =>
      (await discounts.read()).get(userId) ?? null,
    checkCart: checkCart({
      ...needs,
      discountOf: async (userId) => (await bestDiscountOf(lookups, userId))?.percentage ?? 0,
    }),
    /** The slots' part of a checkout that was begun before, from the slots as they are now. */
    mealsOf: async (checkout: MealCheckout) =>
      checkoutMeals(
        checkout,
        await loadSlots(
          eventStore,
          checkout.lines.map(({ slot }) => slot),
        ),
      ),
    /** What hinders lines that were paid for from becoming orders now. */
    paidLineHindrances: paidLineHindrances(needs),
    /** Paid lines as somebody wants to have them instead. */
    amendedLines: amendedLines(needs),
    /** The refusal of a whole cart for these lines. */
    linesRefused,
    orderReplies: orderReplies(needs),
    ...orderMoney(needs, orders),
    itemsWithOrders: (itemIds: readonly number[]) => itemsWithOrders(pool, itemIds),
    orderCountOf: (studentIds: readonly number[]) => orderCountOf(pool, studentIds),
    /** Cancels every order of these students that is still to be cooked. */
    cancelOrdersOf: async (studentIds: readonly number[], by: By): Promise<void> => {
      await orders.changeOrders(await openOrdersOf(pool, studentIds), 'cancelled', by)
    },
    orderTotals: (cycleIds: readonly number[], at?: Reader) => orderTotals(needs, cycleIds, at),
  }
}
