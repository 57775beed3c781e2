import type { PendingGroup } from '#contracts/pending-payments'

export type Selection = ReadonlySet<string>

export const orderIdsOf = (groups: PendingGroup[]): string[] =>
  groups.flatMap((group) => group.orders.map(({ id }) => id))

/** The selected orders that are still listed: what was verified or cancelled meanwhile falls out. */
export const selectedIn = (groups: PendingGroup[], selection: Selection): PendingGroup['orders'] =>
  groups.flatMap((group) => group.orders.filter(({ id }) => selection.has(id)))

/** Selects these orders, or none of them when all were selected. */
export const switched = (selection: Selection, ids: readonly string[]): Selection => {
  const next = new Set(selection)
  const all = ids.every((id) => next.has(id))
  for (const id of ids) {
    if (all) next.delete(id)
    else next.add(id)
  }
  return next
}

/** Kwacha, exact to the ngwee. */
export const total = (orders: readonly { amount: number }[]): number =>
  orders.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0) / 100
