import { useQuery } from '@tanstack/react-query'
import type { Credit } from '#contracts/credit'
import type { ReplyOf } from '#contracts/endpoint'
import type { Order } from '#contracts/ordering'
import type { ownRefunds } from '#contracts/refunds'
import { kwacha } from '../../lib/format'
import { dateAndTime } from '../../lib/school-moment'
import { creditQuery } from './family-money'
import { isOff } from './order-words'
import { refundsQuery } from './refunds-query'

type Refunds = ReplyOf<typeof ownRefunds>['data']

/** What becomes of the money of a cancelled paid meal, and since when it is done; nothing while nobody has said. */
export const MoneyBack = ({ order }: { order: Order }) => {
  const isAsked = isOff(order) && order.paymentStatus === 'confirmed'
  const refunds = useQuery({ ...refundsQuery, enabled: isAsked }).data?.data
  const credit = useQuery({ ...creditQuery, enabled: isAsked }).data?.entries
  if (!isAsked) return null
  const words = [...refundWords(refunds ?? [], order), ...creditWords(credit ?? [], order)]
  return words.length === 0 ? null : (
    <ul className="w-full text-xs">
      {words.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

const refundWords = (refunds: Refunds, { id }: Order): string[] =>
  refunds
    // What became credit is told by the credit.
    .filter(({ orderId, asCredit }) => orderId === id && !asCredit)
    .map(({ amount, owed, dueSince, doneAt }) =>
      doneAt === null
        ? `${kwacha(owed)} is owed back to you since ${dateAndTime(dueSince)}`
        : `${kwacha(amount)} was paid back on ${dateAndTime(doneAt)}`,
    )

const givenFor: ReadonlySet<string> = new Set(['cancelled', 'closed'])

/** What became credit since the order was cancelled last; the entries are the newest first. */
const creditWords = (entries: Credit['entries'], { id }: Order): string[] => {
  const own = entries.filter(({ about }) => about.orderId === id)
  const reopened = own.findIndex(({ kind }) => kind === 'takenBack')
  return own
    .slice(0, reopened === -1 ? own.length : reopened)
    .filter(({ kind }) => givenFor.has(kind))
    .map(({ amount, at }) => `${kwacha(amount)} became your credit on ${dateAndTime(at)}`)
}
