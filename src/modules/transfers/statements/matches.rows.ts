import { createHash } from 'node:crypto'
import { groupedBy } from '#kernel/grouped-by'
import { moneyOf } from '#kernel/meal-line'
import { schoolMoment } from '#kernel/school-time'
import type { OrderFacts } from '#modules/ordering/index'
import { inSlices } from '#platform/pacing'
import type { TransfersNeeds } from '../ports'
import { matchRows, type Matches, type OpenOrder } from './match.decide'
import type { Family } from './payers.decide'
import type { StatementRow } from './statement-row'
import { openRows, phonesThatPaid } from './statement-rows.rows'

export const matchOpenRows = async (needs: TransfersNeeds): Promise<Matches & { rows: StatementRow[] }> => {
  const { knex } = needs.database
  const today = schoolMoment(needs.now(), needs.zone).date
  const [rows, payable] = await Promise.all([
    openRows(knex),
    needs.ordering.ordersWhere({ payableOn: today }, { sort: 'placed' }),
  ])
  if (rows.length === 0 || payable.length === 0)
    return { rows, matches: new Map(), named: new Map(), uncertain: new Set() }
  const [references, families] = await Promise.all([
    needs.payments.alternativeReferences([...new Set(payable.map(({ attemptId }) => attemptId))]),
    familiesOf(needs, payable),
  ])
  const orders = payable.flatMap((order): OpenOrder[] => {
    const { id, userId, lapsed, lapse } = order
    const reference = references.get(order.attemptId)
    if (reference === undefined) return []
    return [{ id, userId, reference, toPay: moneyOf(order), lapsedAt: lapsed ? lapse : null }]
  })
  return { rows, ...(await matchedNow(rows, { orders, families })) }
}

let last: { asked: string; matches: Promise<Matches> } | null = null

/** Matches anew when rows, orders or names have changed: 10,000 rows take 2 s of processor, and every view asks. */
export const matchedNow: (...asked: Parameters<typeof matchRows>) => Promise<Matches> = (...asked) => {
  const digest = createHash('sha256').update(JSON.stringify(asked)).digest('base64')
  if (last?.asked !== digest) last = { asked: digest, matches: inSlices(matchRows(...asked)) }
  return last.matches
}

/** Includes families that owe nothing: they may have paid. */
const familiesOf = async (
  { database, identity }: TransfersNeeds,
  orders: readonly OrderFacts[],
): Promise<Family[]> => {
  const [families, remembered] = await Promise.all([identity.families(), phonesThatPaid(database.knex)])
  const paidBy = groupedBy(remembered, ({ userId }) => userId)
  const ordered = groupedBy(orders, ({ userId }) => userId)
  return families.map(({ id, name, phone, isPhoneVerified, children }) => ({
    userId: id,
    phones: [
      ...(phone !== null && isPhoneVerified ? [phone] : []),
      ...(paidBy.get(id) ?? []).map((one) => one.phone),
    ],
    typedPhones: phone === null ? [] : [phone],
    names: name === null ? [] : [name],
    children: [...new Set([...children, ...(ordered.get(id) ?? []).map(({ student }) => student.name)])],
  }))
}

export const openRowsThatCouldPay = async (
  needs: TransfersNeeds,
  orderIds: readonly string[],
): Promise<Set<string>> => {
  const { matches, named, uncertain } = await matchOpenRows(needs)
  const payable = new Set([
    ...[...matches.values()].flatMap(({ pays }) => pays.map(({ orderId }) => orderId)),
    ...[...named.values()].flatMap(({ orders }) => orders.map(({ id }) => id)),
    ...uncertain,
  ])
  return new Set(orderIds.filter((id) => payable.has(id)))
}
