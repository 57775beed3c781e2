import type { PaidFrom } from '#contracts/payments'
import { paidFrom } from '#kernel/phone-number'
import type { ListedAttempt } from '../attempt/attempts.view'
import { ordersOf, phonesThatPaid } from '../attempt/payment-attempt'
import type { PaymentsNeeds } from '../ports'

/** `orderIds`: those of its orders alone. The account's phone is its present one, verified or not: the office pays back to it. */
export const withPaidFrom = async <Row extends ListedAttempt & { orderIds?: readonly string[] }>(
  { identity, phonesOfOrders }: PaymentsNeeds,
  rows: readonly Row[],
): Promise<(Row & { paidFrom: PaidFrom })[]> => {
  const ordersIn = rows.map(({ attempt, orderIds }) => {
    if (attempt.status === 'none' || attempt.checkout.kind !== 'alternative') return []
    return orderIds ?? ordersOf(attempt).map(({ orderId }) => orderId)
  })
  const byOrder = ordersIn.some(({ length }) => length > 0) ? await phonesOfOrders(ordersIn.flat()) : null
  const phonesOf = rows.map(({ attempt }, place) => [
    ...(attempt.status === 'none' ? [] : phonesThatPaid(attempt)),
    ...ordersIn[place]!.flatMap((orderId) => byOrder?.get(orderId) ?? []),
  ])
  const paid = rows.flatMap(({ user_id }, place) => (phonesOf[place]!.length > 0 ? [user_id] : []))
  const people = paid.length > 0 ? await identity.peopleOf([...new Set(paid)]) : null
  return rows.map((row, place) => ({
    ...row,
    paidFrom: paidFrom(phonesOf[place]!, people?.get(row.user_id)?.phone ?? null),
  }))
}

type Owed = { id: string; attemptId: string; orderId: string | null }

/** By `id`, of what an order's money came from, or its checkout's where it is no order. */
export const paidFromById = async (
  needs: PaymentsNeeds,
  owed: readonly Owed[],
): Promise<ReadonlyMap<string, PaidFrom>> => {
  const found: (ListedAttempt & { id: string })[] = await needs.database
    .knex('payments.attempts')
    .whereRaw('id = any(?::uuid[])', [[...new Set(owed.map(({ attemptId }) => attemptId))]])
    .select('id', 'user_id', 'attempt')
  const attempts = new Map(found.map(({ id, ...attempt }) => [id, attempt]))
  const rows = owed.flatMap(({ id, attemptId, orderId }) => {
    const attempt = attempts.get(attemptId)
    return attempt ? [{ id, ...attempt, ...(orderId !== null && { orderIds: [orderId] }) }] : []
  })
  return new Map((await withPaidFrom(needs, rows)).map((row) => [row.id, row.paidFrom]))
}
