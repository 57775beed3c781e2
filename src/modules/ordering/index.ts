import type { Database, Reader } from '#platform/database'
import { cached } from '#platform/cached'
import type { Module } from '#platform/module'
import type { Notifications } from '#platform/notifications'
import { checkCart } from './cart/cart.commands'
import type { CartNeeds } from './cart/cart.commands'
import { checkoutMeals } from './cart/checkout.commands'
import type { MealCheckout } from './cart/checkout.commands'
import { cycleOrderRoutes } from './reports/cycle-orders.routes'
import type { CycleOrderNeeds } from './reports/cycle-orders.routes'
import { orderTotals } from './reports/cycle-totals.rows'
import { bestDiscountOf, bestPercentages } from './discounts/discount-codes.rows'
import { discountCodeRoutes } from './discounts/discount-codes.routes'
import type { DiscountNeeds } from './discounts/discount-codes.routes'
import { kitchenRoutes } from './kitchen/kitchen.routes'
import type { KitchenNeeds } from './kitchen/kitchen.routes'
import { orderMeasures } from './orders/measures.rows'
import { orderMoney } from './orders/order-money.commands'
import { orderCommands } from './orders/orders.commands'
import type { By, OrderNeeds } from './orders/orders.commands'
import { orderReplies } from './orders/order-replies.commands'
import { amendedLines, paidLineUnavailableReasons } from './slot/paid-lines.commands'
import { orderRoutes } from './orders/orders.routes'
import { itemsWithOrders, openOrdersOf, orderCountOf } from './orders/orders.rows'
import { ordersView } from './orders/orders.view'
import { linesRefused, orderingStatuses } from './refusals'
import { revenueRoutes } from './reports/revenue.routes'
import type { RevenueNeeds } from './reports/revenue.routes'
import { loadSlots } from './slot/slots.commands'

export type { CycleFacts, MenuFacts, StudentFacts } from './cart/cart-line.decide'
export type { OrderFacts } from './orders/order-money.commands'

export type OrderingNeeds = OrderNeeds &
  KitchenNeeds &
  CycleOrderNeeds &
  DiscountNeeds &
  RevenueNeeds &
  Omit<CartNeeds, 'discountOf'> & {
    database: Pick<Database, 'pool'>
    notifications: Pick<Notifications, 'subscribe' | 'publisher'>
  }

/**
 * Meal slots and their orders, what they cost, and what the kitchen sees of them. For siblings: the cart's check and
 * the slots' part of a checkout, discounts, and what is known about the orders of items, students and cycles.
 */
export const orderingModule = (needs: OrderingNeeds) => {
  const { eventStore } = needs
  const { pool } = needs.database
  const orders = orderCommands(needs)

  const discounts = cached(needs, 'ordering_discounts', () => bestPercentages(pool))

  const module: Module = {
    name: 'ordering',
    routes: [
      ...orderRoutes(orders, needs),
      ...kitchenRoutes(needs),
      ...cycleOrderRoutes(needs),
      ...discountCodeRoutes({ ...needs, changed: discounts.changed }),
      ...revenueRoutes(needs),
    ],
    views: [ordersView],
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
      discountOf: async (userId) => (await bestDiscountOf(pool, userId))?.percentage ?? 0,
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
    paidLineUnavailableReasons: paidLineUnavailableReasons(needs),
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
    orderTotals: (cycleIds: readonly number[] | null, at?: Reader) =>
      orderTotals(at ?? needs.database.pool, cycleIds),
  }
}
