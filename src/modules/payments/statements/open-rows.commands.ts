import { schoolMoment } from '#kernel/school-time'
import { referencesOf } from '../alternative/references.rows'
import type { PayableOrder, PaymentsNeeds } from '../needs'
import { matchRows, type Matches, type OpenOrder } from './match.decide'
import type { Family } from './payers.decide'
import type { StatementRow } from './statement-row'
import { openRows, phonesThatPaid } from './statement-rows.rows'

export type MatchingNeeds = Pick<PaymentsNeeds, 'database' | 'now' | 'zone'> & {
  ordering: Pick<PaymentsNeeds['ordering'], 'payableOrders'>
  identity: Pick<PaymentsNeeds['identity'], 'peopleOf'>
}

/** All rows of all statements that have paid nothing yet, and what each of them pays as far as its facts tell. */
export const matchOpenRows = async (needs: MatchingNeeds): Promise<Matches & { rows: StatementRow[] }> => {
  const { knex } = needs.database
  const today = schoolMoment(needs.now(), needs.zone).date
  const [rows, payable] = await Promise.all([openRows(knex), needs.ordering.payableOrders(today)])
  if (rows.length === 0 || payable.length === 0) return { rows, matches: new Map(), named: new Map() }
  const [references, families] = await Promise.all([
    referencesOf(knex, [...new Set(payable.map(({ attemptId }) => attemptId))]),
    familiesOf(needs, payable),
  ])
  const orders = payable.flatMap(({ attemptId, ...order }): OpenOrder[] => {
    const reference = references.get(attemptId)
    return reference === undefined ? [] : [{ ...order, reference }]
  })
  return { rows, ...matchRows(rows, { orders, families }) }
}

const familiesOf = async (
  { database, identity }: MatchingNeeds,
  orders: readonly PayableOrder[],
): Promise<Family[]> => {
  const userIds = [...new Set(orders.map(({ userId }) => userId))]
  const [people, remembered] = await Promise.all([identity.peopleOf(userIds), phonesThatPaid(database.knex)])
  const phones = new Map<number, string[]>()
  for (const { phone, userId } of remembered) phones.set(userId, [...(phones.get(userId) ?? []), phone])
  const children = new Map(userIds.map((userId) => [userId, new Set<string>()]))
  for (const { userId, student } of orders) children.get(userId)!.add(student)
  return userIds.map((userId) => {
    const person = people.get(userId)
    return {
      userId,
      phones: [...(person?.phone ? [person.phone] : []), ...(phones.get(userId) ?? [])],
      names: person?.name ? [person.name] : [],
      children: [...children.get(userId)!],
    }
  })
}

/** Those of these orders that an open row of a statement could pay. */
export const openRowsThatCouldPay = async (
  needs: MatchingNeeds,
  orderIds: readonly string[],
): Promise<Set<string>> => {
  const { matches, named } = await matchOpenRows(needs)
  const payable = new Set([
    ...[...matches.values()].flatMap(({ pays }) => pays.map(({ orderId }) => orderId)),
    ...[...named.values()].flatMap(({ orders }) => orders.map(({ id }) => id)),
  ])
  return new Set(orderIds.filter((id) => payable.has(id)))
}
