import {
  type AttemptItem,
  type LiveOrder,
  liveOrders,
  retryAttempt,
  setAttemptStatus,
} from '#contracts/payments-console'
import { dayName } from '../../lib/format'
import type { Tone } from '../../ui/badge'
import type { QueryOf } from '#contracts/endpoint'
import { verifyPayment } from '#contracts/payments'
import { endpointMutation, listQuery } from '../../lib/endpoint-query'

/** Asks for the history of an attempt; the title says whose it is. */
export type OnHistory = (asked: { attemptId: string; title: string }) => void

const each = <Value>(values: Value[]): Value[] => [...new Set(values)]

type Child = { id: number; name: string; grade: AttemptItem['student']['grade']; lines: AttemptItem[] }

/** The lines by child, in the order of the cart. */
export const byChild = (lines: AttemptItem[]): Child[] => {
  const children = new Map<number, Child>()
  for (const line of lines) {
    const known = children.get(line.studentId)
    if (known) known.lines.push(line)
    else children.set(line.studentId, { id: line.studentId, ...line.student, lines: [line] })
  }
  return [...children.values()]
}

/** What the columns of a row say of its lines, each thing once: "Beef Stew, Soup"; weeks and days in order. */
export const rowWords = ({ cartItems }: Pick<LiveOrder, 'cartItems'>) => ({
  students: byChild(cartItems)
    .map((child) => child.name)
    .join(', '),
  items: each(cartItems.map((line) => line.menuItem.name)).join(', '),
  weeks: each(cartItems.map((line) => line.weekNumber))
    .toSorted((a, b) => a - b)
    .join(', '),
  days: each(cartItems.map((line) => line.dayOfWeek))
    .toSorted((a, b) => a - b)
    .map((day) => dayName(day).slice(0, 3))
    .join(', '),
})

export const statusTones: Record<LiveOrder['status'], Tone> = {
  'Payment Initiated': 'info',
  'Processing Started': 'warning',
  'Orders created successfully': 'brand',
  Failed: 'danger',
  'Payment Abandoned': 'neutral',
}

/**
 * The status that giving up on an attempt sets: without a transaction id a free one is completed instead, and one with
 * an amount cannot be given up at all (administrator.md section 4).
 */
export const statusOnAbandon = ({
  transactionId,
  amount,
}: Pick<LiveOrder, 'transactionId' | 'amount'>):
  | 'Payment Abandoned'
  | 'Orders created successfully'
  | null => {
  if (transactionId) return 'Payment Abandoned'
  return amount === 0 ? 'Orders created successfully' : null
}

/** How often the list is read again by itself while the tab is seen, in ms (administrator.md section 9). */
const refreshEvery = 5000

export const liveOrdersQuery = (query: QueryOf<typeof liveOrders>) => ({
  ...listQuery('payments', liveOrders, { query }),
  refetchInterval: refreshEvery,
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: true,
})

// A settled payment makes orders or money owed back.
const touched = ['payments', 'ordering', 'refunds'] as const

export const retry = endpointMutation(retryAttempt, ...touched)
export const verify = endpointMutation(verifyPayment, ...touched)
export const setStatus = endpointMutation(setAttemptStatus, ...touched)
