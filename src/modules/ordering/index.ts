import { schoolMoment } from '#kernel/school-time'
import type { Cycles } from '#modules/cycles/index'
import { cached } from '#platform/cached'
import type { Reader } from '#platform/database'
import { ownWritesShown, writing, type By } from '#platform/event-store/command-handler'
import type { Module } from '#platform/module'
import { finishBulkActions, actionReasons, forgetInActions } from './bulk-actions/bulk-actions.commands'
import { bulkActionRoutes } from './bulk-actions/bulk-actions.routes'
import { cancelAct, tellOtherGuardians } from './bulk-actions/cancel-orders.commands'
import { substituteAct } from './bulk-actions/substitute-orders.commands'
import {
  checkCart,
  holdersOf,
  lunchesOf,
  amendedLines,
  paidLineUnavailableReasons,
} from './cart/cart.commands'
import { changeOwnOrder } from './cart/change-order.commands'
import { mealsOf } from './cart/checkout-meals.commands'
import { menuOfGrade } from './cart/line-policies.decide'
import { conflictsOfOrders, tellOfConflicts, conflictRoutes } from './conflicts/conflicts.routes'
import { discountCodeCommands, discountCodeRoutes, discountOf } from './discounts/discount-codes.routes'
import { servingCommands } from './hatch/keep-marks.commands'
import { lunchMarksView, servingRoutes } from './hatch/serving.routes'
import { kitchenRoutes } from './kitchen/kitchen.routes'
import { menuRoutes } from './menu.routes'
import { kitchenChangesView } from './orders/kitchen-changes.view'
import {
  absentOwingCredit,
  cancelledOwingCredit,
  cancelledPaidOrders,
  datesServed,
  unpaidMealsOf,
  unpaidOrders,
  payableOrders,
  unpaidOrdersOf,
  usersWithUnpaidOrders,
  lapsedOrders,
  lapsingOrders,
  ordersToLapse,
  portionsToLapse,
  type UnpaidGroups,
} from './orders/order-money.rows'
import { orderPayments, paidMeals } from './orders/order-payments.commands'
import {
  orderCommands,
  orderFacts,
  orderReplies,
  placedReplies,
  type ChangeResult,
} from './orders/orders.commands'
import { orderRoutes, statusCommands, batchRetention } from './orders/orders.routes'
import {
  orderMeasures,
  mealsOfOrders,
  activeOrders,
  activeOrderTotals,
  itemsWithOrders,
  openOrdersOf,
  orderCountOf,
  orderedSince,
  ordersOffMenu,
  sameDates,
  streamsOfUser,
  withLunchesFrom,
  type OrderOffMenu,
} from './orders/orders.rows'
import { ordersView } from './orders/orders.view'
import { tellPayerWhenGuardianActs } from './orders/tell-payer-when-guardian-acts.reactor'
import {
  loadPortions,
  liveOrdersOn,
  ordersOn,
  portionsTaken,
  portionReservationsView,
} from './portions/portions.view'
import type { OrderingNeeds } from './ports'
import { linesRefused, orderingStatuses } from './refusals'
import { remindToOrder, reminderRetention } from './reminders/remind-to-order.job'
import {
  cycleHistoryRoute,
  orderTotals,
  ordersOnDates,
  type CycleTotals,
  cycleOrderRoutes,
} from './reports/cycle-history.routes'
import {
  attemptsNotPaid,
  attemptsOfOrders,
  moneyOfAttempts,
  ordersFound,
  ordersOfFamily,
  paidLunches,
  unpaidAttempts,
  orderParts,
  unpaidCounts,
  type FamilyOrder,
} from './reports/find-orders.rows'
import { revenueRoutes } from './reports/revenue.routes'
import { orderingRulesRoutes, readOrderingRules } from './rules/ordering-rules.routes'
import { lunchOrdered, orderChanged } from './slot/events'
import { markEventTypes } from './slot/lunch-marks'
import type { OrderFacts } from './slot/order'
import type { FamilyTerms } from './slot/order-permissions.decide'

export const orderingModule = (process: OrderingNeeds) => {
  const { knex, pool, reads } = process.database
  const needs = { ...process, portions: loadPortions({ ...process, liveOrdersOn: liveOrdersOn(pool) }) }
  const discount = discountOf(reads)
  const readRules = readOrderingRules(pool)
  const rules = cached(needs.notifications, 'ordering_rules', readRules)
  const termsOf =
    (read: typeof readRules, cutoffsNow: Cycles['shownCutoffs']) => async (): Promise<FamilyTerms> => {
      const [termRules, cutoffOf] = await Promise.all([read(), cutoffsNow()])
      return { rules: termRules, cutoffOf, zone: needs.zone }
    }
  const familyTerms = termsOf(readRules, async () => (await needs.cycles.orderingCalendar()).cutoffOf)
  const shownTerms = termsOf(rules.read, needs.cycles.shownCutoffs)
  const orders = orderCommands({ ...needs, familyTerms, shownTerms })
  const acts = { cancel: cancelAct({ ...needs, orders }), substitute: substituteAct({ ...needs, orders }) }

  /** Orders keep a portion when the limit is removed. */
  const stillLimited = async <Unpaid extends { item: { id: number }; portionUntil: Date | null }>(
    unpaid: readonly Unpaid[],
  ): Promise<Unpaid[]> => {
    const ids = unpaid.flatMap(({ item, portionUntil }) => (portionUntil === null ? [] : [item.id]))
    const items = ids.length === 0 ? null : await needs.catalogue.itemsByIds([...new Set(ids)])
    const isLimited = (id: number) => (items?.get(id)?.portionLimit ?? null) !== null
    return unpaid.map((one) => (isLimited(one.item.id) ? one : { ...one, portionUntil: null }))
  }

  const module: Module = {
    name: 'ordering',
    routes: [
      ...menuRoutes({
        ...needs,
        discountOf: discount,
        portionsTaken: portionsTaken(knex),
        ordersOn: ordersOn(knex),
      }),
      ...orderRoutes(orders, {
        ...needs,
        shownTerms,
        changeOwn: changeOwnOrder({ ...needs, familyTerms, shownTerms, discountOf: discount }),
        statuses: statusCommands({ ...needs, orders }),
        conflictsOf: (rows) => conflictsOfOrders(needs, rows),
      }),
      ...bulkActionRoutes(needs, acts),
      ...kitchenRoutes(needs),
      ...servingRoutes(needs, servingCommands(needs)),
      ...conflictRoutes(needs),
      ...cycleOrderRoutes(needs),
      cycleHistoryRoute({ ...needs, orderTotals: (cycleIds) => orderTotals(pool, cycleIds) }),
      ...discountCodeRoutes(needs),
      ...revenueRoutes(needs),
      ...orderingRulesRoutes({ ...needs, rules }),
    ],
    views: [ordersView, portionReservationsView, kitchenChangesView, lunchMarksView],
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
    refusals: orderingStatuses,
  }

  return {
    ...module,
    lunchesOf: lunchesOf(needs),
    holdersOf: holdersOf(needs),
    checkCart: checkCart({ ...needs, discountOf: discount }),
    mealsOf: mealsOf(needs),
    paidLineUnavailableReasons: paidLineUnavailableReasons(needs),
    amendedLines: amendedLines(needs),
    linesRefused,
    orderReplies: orderReplies({ ...needs, shownTerms }),
    placedReplies: placedReplies({ shownTerms }),
    orderFacts: orderFacts(needs),
    paidMeals: paidMeals(needs),
    refundStep: orders.refundStep,
    ...orderPayments({ ...needs, datesServed: datesServed(knex) }),
    changeByClosure: orders.changeByClosure,
    lapseOrders: (orderIds: readonly string[], by: By): Promise<ChangeResult> =>
      orders.changeOrders(orderIds, 'lapsed', by),
    lapsePortions: (orderIds: readonly string[], by: By): Promise<ChangeResult> =>
      orders.changeOrders(orderIds, 'portion-lapsed', by),
    portionsToLapse: async (now: Date): Promise<string[]> =>
      (await stillLimited(await portionsToLapse(knex, now)))
        .filter(({ portionUntil }) => portionUntil !== null)
        .map(({ id }) => id),
    ordersToLapse: ordersToLapse(knex),
    lapsedOrders: lapsedOrders(knex),
    lapsingOrders: lapsingOrders(knex),
    standingOrders: activeOrders(knex),
    /** Reads streams, not views. */
    stillPending: async (orderIds: readonly string[]): Promise<ReadonlySet<string>> => {
      const rows = await orders.ordersNow(orderIds)
      return new Set(rows.filter(({ status }) => status === 'pending').map(({ id }) => id))
    },
    standingTotals: activeOrderTotals(knex),
    mealsOfOrders: mealsOfOrders(knex),
    tellOtherGuardians: tellOtherGuardians(needs),
    cancelledPaidOrders: cancelledPaidOrders(knex),
    cancelledOwingCredit: cancelledOwingCredit(knex),
    absentOwingCredit: absentOwingCredit(knex),
    unpaidOrders: async (...asked: Parameters<ReturnType<typeof unpaidOrders>>): Promise<UnpaidGroups> => {
      const { groups, totalGroups } = await unpaidOrders(knex)(...asked)
      const kept = groups.map(async (group) => ({ ...group, orders: await stillLimited(group.orders) }))
      return { groups: await Promise.all(kept), totalGroups }
    },
    unpaidOrdersOf: async (userId: number): Promise<OrderFacts[]> =>
      stillLimited(await unpaidOrdersOf(knex)(userId)),
    payableOrders: payableOrders(knex),
    usersWithUnpaidOrders: usersWithUnpaidOrders(knex),
    attemptsOfOrders,
    ordersFound,
    ordersOfFamily: async (...asked: Parameters<typeof ordersOfFamily>): Promise<FamilyOrder[]> =>
      stillLimited(await ordersOfFamily(...asked)),
    unpaidAttempts,
    unpaidCounts,
    attemptsNotPaid,
    moneyOfAttempts,
    paidLunches,
    unpaidMealsOf: unpaidMealsOf(knex),
    itemsWithOrders: itemsWithOrders(knex),
    orderCountOf: orderCountOf(knex),
    ordersOffMenu: (studentIds: readonly number[], grade: string | null): Promise<OrderOffMenu[]> =>
      ordersOffMenu(knex, studentIds, {
        menu: grade === null ? null : menuOfGrade(grade),
        from: schoolMoment(needs.now(), needs.zone).date,
      }),
    withLunchesToCome: (studentIds: readonly number[]): Promise<number[]> =>
      withLunchesFrom(knex, studentIds, schoolMoment(needs.now(), needs.zone).date),
    orderedSince: (studentIds: readonly number[], since: Date): Promise<number[]> =>
      orderedSince(knex, studentIds, since),
    sameDates: (some: readonly number[], others: readonly number[]): Promise<string[]> =>
      sameDates(knex, some, others),
    cancelOrdersOf: async (studentIds: readonly number[], by: By): Promise<void> => {
      const writer = writing(by)
      await orders.changeOrders(await openOrdersOf(knex, studentIds), 'cancelled', writer)
      // The account's rows are folded again next.
      await ownWritesShown(writer, needs)
    },
    streamsOfUser: (userId: number): Promise<string[]> => streamsOfUser(knex, userId),
    deleteDiscountCodesOf: discountCodeCommands(needs).removeOfUser,
    actReasons: (ids: readonly string[]): Promise<Map<string, string>> => actionReasons(knex, ids),
    forgetInActions,
    ordersOnDates: ordersOnDates(pool),
    orderTotals: (cycleIds: readonly number[] | null, at?: Reader): Promise<Map<number, CycleTotals>> =>
      orderTotals(at ?? needs.database.pool, cycleIds),
  }
}

export type Ordering = ReturnType<typeof orderingModule>
export type { Amendment } from './cart/cart.commands'
export type { CheckoutMeals, CheckoutOrders, Hold } from './cart/checkout-meals.commands'
export type { OrderFacts, OrderFactsInStream } from './slot/order'
export type { LapsingOrder, PayableOrder } from './orders/order-money.rows'
export type { OrderToPay, PaidMeal } from './orders/order-payments.commands'
export type { ChangedOrder } from './orders/orders.commands'
export type { ActiveOrder, MealOfOrder } from './orders/orders.rows'
export type { OrderingNeeds } from './ports'
export type { FamilyOrder, FoundOrder } from './reports/find-orders.rows'
export type { RefundStep } from './slot/meal-slot.decide'
