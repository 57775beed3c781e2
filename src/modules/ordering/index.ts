import type { Knex } from 'knex'
import type { SchoolDate } from '#kernel/school-time'
import type { Cycles } from '#modules/cycles/index'
import { cached } from '#platform/cached'
import type { Reader } from '#platform/database'
import type { Module } from '#platform/module'
import { finishBulkActions, actionReasons, forgetInActions } from './bulk-actions/bulk-actions.commands'
import { bulkActionRoutes } from './bulk-actions/bulk-actions.routes'
import { cancelAct, tellOtherGuardians } from './bulk-actions/cancel-orders.commands'
import { substituteAct } from './bulk-actions/substitute-orders.commands'
import { checkCart, holdersOf, amendedLines, paidLineUnavailableReasons } from './cart/cart.commands'
import { changeOwnOrder } from './cart/change-order.commands'
import { mealsOf } from './cart/checkout-meals.commands'
import { moveOrder } from './cart/move-order.commands'
import { conflictsOfOrders, tellOfConflicts, conflictRoutes } from './conflicts/conflicts.routes'
import { bursariesOf, setBursaries, undoBursaries } from './discounts/bursaries.rows'
import { discountCodeCommands, discountCodeRoutes } from './discounts/discount-codes.routes'
import { deleteDiscountCodesOf, discountOf, moveCodesOfChild } from './discounts/discounts.rows'
import { servingCommands } from './hatch/keep-marks.commands'
import { lunchMarksView, servingRoutes } from './hatch/serving.routes'
import { kitchenRoutes } from './kitchen/kitchen.routes'
import { papersRoutes } from './kitchen/papers.routes'
import { menuRoutes } from './menu.routes'
import { kitchenChangesView } from './orders/kitchen-changes.view'
import { moneyBackOf } from './orders/money-back.commands'
import { datesServed, unpaidOrders, type UnpaidGroups } from './orders/order-money.rows'
import { orderPayments } from './orders/order-payments.commands'
import {
  lastOrders,
  orderIdsWhere,
  ordersWhere,
  orderTotals,
  type KeyBy,
  type OrderFilter,
  type OrdersShown,
  type OrderTotals,
} from './orders/orders-where.rows'
import { orderCommands, orderReplies, ordersNow } from './orders/orders.commands'
import { orderRoutes, statusCommands, batchRetention } from './orders/orders.routes'
import { orderMeasures, itemsWithOrders } from './orders/orders.rows'
import { ordersView } from './orders/orders.view'
import { tellPayerWhenGuardianActs } from './orders/tell-payer-when-guardian-acts.reactor'
import type { WeekKept } from './plan/plan.decide'
import { duePlans, isWeekOpen, plannedMeals, planMisfits, planStore, planWeek } from './plan/plans.commands'
import { plansView, weeksToFollow } from './plan/plans.view'
import {
  loadPortions,
  liveOrdersOn,
  ordersOn,
  portionsTaken,
  portionReservationsView,
  type OrderNeeds,
} from './portions/portions.view'
import type { OrderingNeeds } from './ports'
import { orderingStatuses } from './refusals'
import { remindToOrder, reminderRetention } from './reminders/remind-to-order.job'
import { cycleHistoryRoute, cycleOrderRoutes } from './reports/cycle-history.routes'
import { discountedMeals, mealsOfOrders, type DiscountedMeal } from './reports/discounted-meals.rows'
import { ordersFound, unpaidAttempts, orderParts } from './reports/find-orders.rows'
import { lunchesBetween } from './reports/lunches-between.rows'
import { lunchesOnDay, noLunchRoutes } from './reports/no-lunch.routes'
import { revenueRoutes } from './reports/revenue.routes'
import { orderingRulesRoutes, storedRules } from './rules/ordering-rules.routes'
import type { FamilyTerms } from './slot/deadlines.decide'
import { lunchOrdered, orderChanged } from './slot/events'
import { markEventTypes } from './slot/lunch-marks'
import type { OrderFacts } from './slot/order-facts'

export const orderingModule = (process: OrderingNeeds) => {
  const { knex, pool, reads } = process.database
  const readRules = () => storedRules.readPrepared(reads)
  const rules = cached(process.notifications, 'ordering_rules', readRules)
  const termsOf =
    (read: typeof readRules, cutoffsNow: Cycles['shownCutoffs']) => async (): Promise<FamilyTerms> => {
      const [termRules, cutoffOf] = await Promise.all([read(), cutoffsNow()])
      return { rules: termRules, cutoffOf, zone: process.zone }
    }
  const arePlansOffered = async (): Promise<boolean> => (await rules.read()).plans
  const needs: OrderNeeds = {
    ...process,
    portions: loadPortions(process, liveOrdersOn(pool)),
    discountOf: discountOf(reads),
    familyTerms: termsOf(readRules, async () => (await process.cycles.orderingCalendar()).cutoffOf),
    shownTerms: termsOf(rules.read, process.cycles.shownCutoffs),
    plannedMeals: plannedMeals(process, arePlansOffered),
  }
  const orders = orderCommands(needs)
  const { ordersToPay, changePayments } = orderPayments(needs, datesServed(knex))
  const acts = { cancel: cancelAct(needs, orders), substitute: substituteAct(needs, orders) }

  /** Orders keep a portion when the limit is removed. */
  const stillLimited = async (unpaid: readonly OrderFacts[]): Promise<OrderFacts[]> => {
    const ids = unpaid.flatMap(({ item, portionUntil }) => (portionUntil === null ? [] : [item.id]))
    if (ids.length === 0) return [...unpaid]
    const items = await needs.catalogue.itemsByIds([...new Set(ids)])
    const isLimited = (id: number) => (items.get(id)?.portionLimit ?? null) !== null
    return unpaid.map((one) => (isLimited(one.item.id) ? one : { ...one, portionUntil: null }))
  }

  const module: Module = {
    name: 'ordering',
    routes: [
      ...menuRoutes(needs, portionsTaken(knex), ordersOn(knex)),
      ...orderRoutes(
        needs,
        {
          ...orders,
          changeOwn: changeOwnOrder(needs),
          move: moveOrder(needs),
          statuses: statusCommands(needs, orders),
        },
        (rows) => conflictsOfOrders(needs, rows),
      ),
      ...bulkActionRoutes(needs, acts),
      ...kitchenRoutes(needs),
      ...papersRoutes(needs, async () => (await rules.read()).buyingMargin),
      ...servingRoutes(needs, servingCommands(needs)),
      ...conflictRoutes(needs),
      ...cycleOrderRoutes(needs),
      cycleHistoryRoute(needs.cycles, (cycleIds) => orderTotals(pool, { cycleIds }, 'cycle')),
      ...discountCodeRoutes(needs),
      ...revenueRoutes(needs),
      ...noLunchRoutes(needs),
      ...orderingRulesRoutes(needs, rules),
    ],
    views: [ordersView, portionReservationsView, kitchenChangesView, lunchMarksView, plansView],
    reactors: [tellPayerWhenGuardianActs(needs)],
    jobs: [],
    sweeps: [finishBulkActions(needs, Object.values(acts)), tellOfConflicts(needs), remindToOrder(needs)],
    familyParts: orderParts,
    retentions: [batchRetention(knex, needs.now), reminderRetention(knex, needs.now)],
    measures: orderMeasures(needs),
    personal: {
      [lunchOrdered.type]: ['student.name', 'comments'],
      [orderChanged.type]: ['meal.comments', 'old.comments'],
      ...Object.fromEntries(markEventTypes.map(({ type }) => [type, ['note']])),
    },
    forgetWords: forgetInActions,
    refusals: orderingStatuses,
  }

  return {
    ...module,
    holdersOf: holdersOf(needs),
    discountOf: needs.discountOf,
    checkCart: checkCart(needs),
    mealsOf: mealsOf(needs),
    paidLineUnavailableReasons: paidLineUnavailableReasons(needs),
    amendedLines: amendedLines(needs),
    orderReplies: orderReplies(needs),
    ordersNow: ordersNow(needs),
    moneyBackOf: moneyBackOf(needs),
    ordersToPay,
    changePayments,
    refundStep: orders.refundStep,
    change: orders.change,
    tellOtherGuardians: tellOtherGuardians(needs),
    ordersWhere: async (
      filter: OrderFilter,
      { at = pool, ...shown }: OrdersShown = {},
    ): Promise<OrderFacts[]> => stillLimited(await ordersWhere(at, filter, shown)),
    orderIdsWhere: (filter: OrderFilter, limit?: number): Promise<string[]> =>
      orderIdsWhere(pool, filter, limit),
    /** Over `at`, or a connection of the pool. */
    totals: <By extends keyof KeyBy>(
      filter: OrderFilter,
      by: By,
      { at = pool, limit }: { at?: Reader; limit?: number } = {},
    ): Promise<Map<KeyBy[By], OrderTotals>> => orderTotals(at, filter, by, limit),
    unpaidOrders: async (...asked: Parameters<ReturnType<typeof unpaidOrders>>): Promise<UnpaidGroups> => {
      const { groups, totalGroups } = await unpaidOrders(knex)(...asked)
      const kept = groups.map(async (group) => ({ ...group, orders: await stillLimited(group.orders) }))
      return { groups: await Promise.all(kept), totalGroups }
    },
    unpaidAttempts,
    discountedMeals: (range: { from: SchoolDate; to: SchoolDate }): Promise<DiscountedMeal[]> =>
      discountedMeals(pool, range),
    mealsOfOrders: (orderIds: readonly string[]): Promise<DiscountedMeal[]> => mealsOfOrders(pool, orderIds),
    ordersFound,
    lastOrders,
    lunchesBetween,
    lunchesOnDay: lunchesOnDay(needs),
    itemsWithOrders: itemsWithOrders(knex),
    deleteDiscountCodesOf: discountCodeCommands(needs).removeOfUser,
    plans: planStore(needs),
    arePlansOffered,
    planWeek: planWeek(needs),
    planMisfits: planMisfits(needs),
    duePlans: duePlans(needs),
    isWeekOpen: isWeekOpen(needs),
    planWeeksToFollow: (since: SchoolDate): Promise<{ userId: number; week: WeekKept }[]> =>
      weeksToFollow(pool, since),
    deleteCodesOfChild: async (transaction: Knex.Transaction, studentId: number): Promise<void> => {
      await deleteDiscountCodesOf(transaction, null, [studentId])
    },
    moveCodesOfChild,
    bursariesOf,
    setBursaries,
    undoBursaries,
    actReasons: (ids: readonly string[]): Promise<Map<string, string>> => actionReasons(knex, ids),
  }
}

export type Ordering = ReturnType<typeof orderingModule>
export type { BursarySet } from './discounts/bursaries.rows'
export type { Amendment, CheckedCart } from './cart/cart.commands'
export {
  holdMeals,
  orderMeals,
  ordersOfMeals,
  releaseMeals,
  takenMeals,
  withdrawMeals,
  type Hold,
  type Meals,
  type OrderedMeals,
} from './cart/checkout-meals.commands'
export { planStep, type PlanDue } from './plan/plans.commands'
export type { OrderFacts, OrderFactsInStream } from './slot/order-facts'
export type { LunchSum } from './reports/lunches-between.rows'
export type { OrderToPay } from './orders/order-payments.commands'
export type { ChangedOrder } from './orders/orders.commands'
export type { OrderingNeeds } from './ports'
export type { RefundStep } from './slot/meal-slot.decide'
export type { MoneyBack } from './slot/money-back.decide'
