import type { CycleOrder } from '#contracts/cycle-orders'
import type { ReplyOf } from '#contracts/endpoint'
import type { substituteOrders } from '#contracts/order-acts'
import { counted } from '../../../lib/format'

/** An order that an act on many did not reach, and why. */
export type LeftOrder = { orderId: string; message: string }

/** What the dialog of an act on many orders is given. */
export type ActDialogProps = {
  /** The orders that it is for. */
  orders: readonly CycleOrder[]
  /** How many selected orders it is not for. */
  others: number
  /** After the act, with the orders that it did not reach. */
  onActed: (left: readonly LeftOrder[]) => void
  onClose: () => void
}

/** Kwacha, exact to the ngwee. */
export const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + Math.round(amount * 100), 0) / 100

export const othersWords = (others: number): string[] =>
  others === 0
    ? []
    : [`${counted(others, 'other selected order stays', 'other selected orders stay')} as before.`]

/** What is added to the notification of an act: who was not told, what was skipped. */
export const toldWords = (notTold: number, skipped: number): string[] => [
  ...(notTold > 0 ? [`${counted(notTold, 'family', 'families')} without an address not told`] : []),
  ...(skipped > 0 ? [`${skipped} skipped`] : []),
]

export const substitutedToast = ({
  updated,
  families,
  notTold,
  skipped,
}: ReplyOf<typeof substituteOrders>) => ({
  title: 'Orders changed',
  text: [
    `${counted(updated, 'order')} of ${counted(families, 'family', 'families')} changed`,
    ...toldWords(notTold, skipped.length),
  ].join(', '),
})
