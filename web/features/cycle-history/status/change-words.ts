import type { CycleOrder } from '#contracts/cycle-orders'
import { counted, kwacha } from '../../../lib/format'

/** The statuses that can be set together (administrator.md section 4). */
export const settable = ['completed', 'pending', 'cancelled'] as const
export type Settable = (typeof settable)[number]

/** The orders that this change does something to. */
export const touchedBy = (orders: readonly CycleOrder[], status: Settable): CycleOrder[] =>
  orders.filter(({ allowed }) => allowed[status])

/** Kwacha, exact to the ngwee. */
const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + Math.round(amount * 100), 0) / 100

type ChangeWords = { title: string; confirm: string; effects: string[] }

/** What is asked before a change: how many orders it touches and what becomes of their money. */
export const changeWords = (orders: readonly CycleOrder[], status: Settable): ChangeWords => {
  const touched = touchedBy(orders, status)
  const how = counted(touched.length, 'order')
  const others = orders.length - touched.length
  const rest =
    others === 0
      ? []
      : [`${counted(others, 'other selected order stays', 'other selected orders stay')} as before.`]
  if (status === 'completed')
    return {
      title: `Mark ${how} as completed?`,
      confirm: 'Mark as Completed',
      effects: ['The kitchen counts them as done. No money moves.', ...rest],
    }
  if (status === 'pending')
    return {
      title: `Set ${how} back to pending?`,
      confirm: 'Set to Pending',
      effects: ['The kitchen cooks them again.', reopenedMoney(touched), ...rest],
    }
  return {
    title: `Cancel ${how}?`,
    confirm: 'Cancel Orders',
    effects: [
      'The kitchen no longer cooks them and the day is free again.',
      cancelledMoney(touched),
      ...rest,
    ],
  }
}

const cancelledMoney = (orders: readonly CycleOrder[]): string => {
  const paid = orders.filter(({ owedIfCancelled }) => owedIfCancelled > 0)
  if (paid.length === 0) return 'Nothing was paid for them, so nothing is owed back.'
  const owed = kwacha(sum(paid.map(({ owedIfCancelled }) => owedIfCancelled)))
  return `${owed} that was paid for ${paid.length} of them becomes due for refund, under Refund Management.`
}

const reopenedMoney = (orders: readonly CycleOrder[]): string => {
  const gone = orders.filter(({ status }) => status === 'cancelled').length
  if (gone === 0) return 'No money moves.'
  return `${counted(gone, 'of them was cancelled', 'of them were cancelled')}: a refund still due is no longer owed, and where the day has been ordered anew the order stays cancelled.`
}
