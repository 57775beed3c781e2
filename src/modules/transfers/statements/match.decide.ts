import type { Certainty } from '#contracts/transfers'
import { groupedBy } from '#kernel/grouped-by'
import { decimalFromNgwee, type Ngwee } from '#kernel/money'
import { payerIndex, type Family, type FittingOf, referenceFinder } from './payers.decide'
export type RowToMatch = {
  id: string
  at: Date
  amount: Ngwee
  payer: string | null
  phone: string | null
  text: string | null
}

/** `toPay` is unpaid. `lapsedAt`: cancelled unpaid then; an earlier payment restores it. */
export type OpenOrder = {
  id: string
  userId: number
  reference: string
  toPay: Ngwee
  lapsedAt: Date | null
}

type RowPayment = { orderId: string; userId: number; amount: Ngwee }

/** `together`: rows paying the same orders, confirmed in one act; `pays` is then this row's part. */
export type RowMatch = {
  pays: readonly RowPayment[]
  references: readonly string[]
  certainty: Certainty
  why: string
  together: readonly string[]
}

export type NamedInRow = { references: readonly string[]; orders: readonly OpenOrder[] }

/** `uncertain`: orders a row may pay, by an ambiguous or unproven phone or name. */
export type Matches = {
  matches: ReadonlyMap<string, RowMatch>
  named: ReadonlyMap<string, NamedInRow>
  uncertain: ReadonlySet<string>
}

const kwacha = (amount: Ngwee) => `K${decimalFromNgwee(amount)}`
const sumOf = (orders: readonly OpenOrder[]): Ngwee => orders.reduce((sum, { toPay }) => sum + toPay, 0)
const referencesIn = (orders: readonly OpenOrder[]) => [...new Set(orders.map(({ reference }) => reference))]
const inWords = (references: readonly string[]) =>
  `${references.join(' and ')} ${references.length === 1 ? 'is' : 'are'} in the text`

/**
 * Each order to the earliest row: by references, several rows of the same ones, or by phone or name if the amount fits one family alone.
 * `families` are all. Yields per step: a large month takes a second.
 */
export const matchRows = function* (
  rows: readonly RowToMatch[],
  { orders, families }: { orders: readonly OpenOrder[]; families: readonly Family[] },
): Generator<undefined, Matches> {
  const inTime = rows.toSorted((one, other) => +one.at - +other.at || (one.id < other.id ? -1 : 1))
  const desk = openDesk(orders)
  const find = referenceFinder(desk.references)
  const naming = new Map<string, readonly string[]>()
  for (const { id, text } of inTime) {
    naming.set(id, find(text ?? ''))
    yield
  }
  const matches = new Map<string, RowMatch>()
  const unmatched = () => inTime.filter(({ id }) => !matches.has(id))
  yield* matchWholeReferences(inTime, naming, desk, matches)
  yield* matchRowsTogether(inTime, naming, desk, matches)
  const uncertain = new Set<string>()
  yield* matchPayers(unmatched(), naming, desk, yield* payerIndex(families), { matches, uncertain })
  const named = unmatched().flatMap((row) => {
    const references = naming.get(row.id)!
    const open = references.flatMap((reference) => desk.openOf(reference, row.at))
    return open.length === 0 ? [] : [[row.id, { references: referencesIn(open), orders: open }] as const]
  })
  return { matches, named: new Map(named), uncertain }
}

const openDesk = (orders: readonly OpenOrder[]) => {
  const taken = new Set<string>()
  const byReference = groupedBy(orders, ({ reference }) => reference)
  const byUser = groupedBy(orders, ({ userId }) => userId)
  const stillOpen = (of: readonly OpenOrder[] | undefined, at: Date) =>
    (of ?? []).filter(({ id, lapsedAt }) => !taken.has(id) && (lapsedAt === null || at < lapsedAt))
  return {
    references: byReference.keys(),
    openOf: (reference: string, at: Date) => stillOpen(byReference.get(reference), at),
    openOfUser: (userId: number, at: Date) => stillOpen(byUser.get(userId), at),
    take: (given: readonly OpenOrder[]) => given.forEach(({ id }) => taken.add(id)),
  }
}
type Desk = ReturnType<typeof openDesk>
type Naming = ReadonlyMap<string, readonly string[]>

const worth = (orders: readonly OpenOrder[], amount: Ngwee): readonly OpenOrder[] | null => {
  const ordered = orders.filter(({ lapsedAt }) => lapsedAt === null)
  return [ordered, orders].find((some) => some.length > 0 && sumOf(some) === amount) ?? null
}

const inFull = (orders: readonly OpenOrder[]): RowPayment[] =>
  orders.map(({ id, userId, toPay }) => ({ orderId: id, userId, amount: toPay }))

const matchWholeReferences = function* (
  rows: readonly RowToMatch[],
  naming: Naming,
  desk: Desk,
  matches: Map<string, RowMatch>,
): Generator<undefined, void> {
  for (const { id, at, amount } of rows) {
    yield
    const orders = worth(
      naming.get(id)!.flatMap((reference) => desk.openOf(reference, at)),
      amount,
    )
    if (orders === null) continue
    desk.take(orders)
    const references = referencesIn(orders)
    const on = references.length === 1 ? 'it' : 'them'
    const why = `${inWords(references)}, and ${kwacha(amount)} is what is unpaid on ${on}`
    matches.set(id, { pays: inFull(orders), references, certainty: 'exact', why, together: [] })
  }
}

const matchRowsTogether = function* (
  rows: readonly RowToMatch[],
  naming: Naming,
  desk: Desk,
  matches: Map<string, RowMatch>,
): Generator<undefined, void> {
  const byReferences = groupedBy(
    rows.filter(({ id }) => naming.get(id)!.length > 0),
    ({ id }) => naming.get(id)!.join(' '),
  )
  for (const group of byReferences.values()) {
    yield
    const latest = group.at(-1)!
    const open = naming.get(latest.id)!.flatMap((reference) => desk.openOf(reference, latest.at))
    // Rows matched alone are already taken.
    const amount = group.reduce((sum, row) => sum + row.amount, 0)
    const orders = group.length > 1 ? worth(open, amount) : null
    if (orders === null) continue
    desk.take(orders)
    const references = referencesIn(orders)
    const why = `${inWords(references)}, and ${group.length} payments come to ${kwacha(amount)}, which is what is unpaid`
    const parts = partsOf(group, orders)
    for (const { id } of group) {
      const together = group.map((row) => row.id).filter((other) => other !== id)
      matches.set(id, { pays: parts.get(id)!, references, certainty: 'exact', why, together })
    }
  }
}

const partsOf = (rows: readonly RowToMatch[], orders: readonly OpenOrder[]): Map<string, RowPayment[]> => {
  const waiting = inFull(orders)
  const parts = new Map<string, RowPayment[]>()
  for (const { id, amount } of rows) {
    const part: RowPayment[] = []
    for (let left = amount; left > 0 && waiting[0];) {
      const [next] = waiting
      const paid = Math.min(left, next.amount)
      part.push({ ...next, amount: paid })
      left -= paid
      next.amount -= paid
      if (next.amount === 0) waiting.shift()
    }
    parts.set(id, part)
  }
  return parts
}

// A self-typed phone or a shared name needs a person's decision.
const matchPayers = function* (
  rows: readonly RowToMatch[],
  naming: Naming,
  desk: Desk,
  fittingOf: FittingOf,
  { matches, uncertain }: { matches: Map<string, RowMatch>; uncertain: Set<string> },
): Generator<undefined, void> {
  for (const row of rows) {
    yield
    const { byPhone, byTypedPhone, byName } = fittingOf(row)
    const fitting = [...new Set([...byPhone, ...byName, ...byTypedPhone])]
    const payable = fitting.flatMap((userId) => {
      const orders = worthOfUser(desk.openOfUser(userId, row.at), row.amount)
      return orders === null || namesAnother(row, userId, naming, desk) ? [] : [{ userId, orders }]
    })
    const [only] = payable
    if (!only) continue
    const { userId, orders } = only
    if (fitting.length > 1 || !(byPhone.has(userId) || byName.has(userId))) {
      for (const { id } of payable.flatMap((one) => one.orders)) uncertain.add(id)
      continue
    }
    desk.take(orders)
    const by = byPhone.has(userId) ? 'the phone number' : 'the name'
    const why = `${kwacha(row.amount)} and ${by} fit this family only`
    const references = referencesIn(orders)
    matches.set(row.id, { pays: inFull(orders), references, certainty: 'likely', why, together: [] })
  }
}

/** The first reference worth the amount, else everything open; null for neither. */
const worthOfUser = (open: readonly OpenOrder[], amount: Ngwee): readonly OpenOrder[] | null => {
  for (const reference of referencesIn(open)) {
    const orders = worth(
      open.filter((order) => order.reference === reference),
      amount,
    )
    if (orders) return orders
  }
  return worth(open, amount)
}

const namesAnother = ({ id, at }: RowToMatch, userId: number, naming: Naming, desk: Desk): boolean =>
  naming
    .get(id)!
    .flatMap((reference) => desk.openOf(reference, at))
    .some((order) => order.userId !== userId)
