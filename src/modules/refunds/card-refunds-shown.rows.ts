import type { ListedRefund } from '#contracts/refunds'
import { isUnderWay, cardReply } from './card-refund'
import { cardRefundsOf } from './refunds.rows'
import type { RefundsNeeds } from './needs'
import type { RefundRow } from './refunds.view'

type CardShown = Pick<ListedRefund, 'card'> & {
  allowed: Pick<ListedRefund['allowed'], 'complete' | 'card' | 'check'>
}

export const withCardRefunds = async (
  { database, cards, cardRefundsOn, payments }: RefundsNeeds,
  rows: readonly RefundRow[],
): Promise<(row: RefundRow) => CardShown> => {
  const isOn = cards !== null && (await cardRefundsOn())
  const attemptIds = isOn ? [...new Set(rows.map((row) => row.attempt_id))] : []
  const [requests, byCard] = await Promise.all([
    cardRefundsOf(
      database.knex,
      rows.map(({ id }) => id),
    ),
    payments.cardPayments(attemptIds),
  ])
  return (row) => {
    const request = requests.get(row.id) ?? null
    const isFree = row.status === 'due' && !isUnderWay(request)
    return {
      card: request && cardReply(request),
      allowed: {
        complete: isFree,
        card: isFree && byCard.has(row.attempt_id),
        check: request?.state === 'check',
      },
    }
  }
}
