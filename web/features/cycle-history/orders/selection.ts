import type { CycleOrder } from '#contracts/cycle-orders'

/** The chosen orders by id, as they were when they were chosen; they may be on other pages by now. */
export type Selection = ReadonlyMap<string, CycleOrder>

/** Selects these orders, or none of them when all were selected. */
export const switched = (selection: Selection, orders: readonly CycleOrder[]): Selection => {
  const next = new Map(selection)
  const all = orders.every(({ id }) => next.has(id))
  for (const order of orders) {
    if (all) next.delete(order.id)
    else next.set(order.id, order)
  }
  return next
}

/** The chosen orders, those that are shown as they are now. */
export const chosenAmong = (selection: Selection, shown: readonly CycleOrder[]): CycleOrder[] => {
  const now = new Map(shown.map((order) => [order.id, order]))
  return [...selection.values()].map((order) => now.get(order.id) ?? order)
}
