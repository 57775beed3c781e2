import type { QueryOf } from '#contracts/endpoint'
import { verifyPayment } from '#contracts/payments'
import {
  type AttemptItem,
  type LiveOrder,
  liveOrders,
  notPaidYet,
  retryAttempt,
  setAttemptStatus,
} from '#contracts/payments-console'
import { endpointMutation, listQuery } from '../../lib/endpoint-query'
import { dayName, kwacha } from '../../lib/format'
import type { Tone } from '../../ui/badge'

/** `title` names the payment. */
export type OnHistory = (asked: { attemptId: string; title: string }) => void

const each = <Value>(values: Value[]): Value[] => [...new Set(values)]

type Child = { id: number; name: string; grade: AttemptItem['student']['grade']; lines: AttemptItem[] }

export const byChild = (lines: AttemptItem[]): Child[] => {
  const children = new Map<number, Child>()
  for (const line of lines) {
    const known = children.get(line.studentId)
    if (known) known.lines.push(line)
    else children.set(line.studentId, { id: line.studentId, ...line.student, lines: [line] })
  }
  return [...children.values()]
}

/** Distinct values in cart order; weeks and days sorted. */
export const rowText = ({ cartItems }: Pick<LiveOrder, 'cartItems'>) => ({
  students: byChild(cartItems)
    .map((child) => child.name)
    .join(', '),
  items: each(cartItems.map((line) => line.menuItem.name)).join(', '),
  weeks: each(cartItems.map((line) => line.weekNumber))
    .toSorted((a, b) => a - b)
    .join(', '),
  days: daysText(each(cartItems.map((line) => line.dayOfWeek)).toSorted((a, b) => a - b)),
})

/** "Tue", "Mon–Fri" where one follows another, else "Mon, Fri". */
const daysText = (days: readonly number[]): string => {
  const [first, last] = [days[0] ?? 0, days.at(-1) ?? 0]
  return days.length > 2 && last - first === days.length - 1
    ? `${shortName(first)}–${shortName(last)}`
    : days.map(shortName).join(', ')
}

const shortName = (day: number): string => dayName(day).slice(0, 3)

export const statusTones: Record<LiveOrder['status'], Tone> = {
  'Payment Initiated': 'info',
  'Processing Started': 'warning',
  'Orders created successfully': 'brand',
  Failed: 'danger',
  'Payment Abandoned': 'neutral',
}

const transferTones = { unpaid: 'warning', paid: 'brand', cancelled: 'neutral' } as const

/** Made orders are green once they are paid. */
export const liveTone = ({ status, transfer }: Pick<LiveOrder, 'status' | 'transfer'>): Tone =>
  status === 'Orders created successfully' && transfer ? transferTones[transfer.state] : statusTones[status]

export const transferText = ({ transfer, amount }: Pick<LiveOrder, 'transfer' | 'amount'>): string | null => {
  if (transfer === null || transfer.state === 'paid') return null
  if (transfer.state === 'cancelled') return 'Cancelled, not paid'
  return transfer.unpaid === amount ? notPaidYet : `${kwacha(transfer.unpaid)} not paid yet`
}

const statusWords: Record<LiveOrder['status'], string> = {
  'Payment Initiated': 'Started',
  'Processing Started': 'Processing',
  'Orders created successfully': 'Paid',
  Failed: 'Failed',
  'Payment Abandoned': 'Abandoned',
}

/** One word for the row; the details have the document's. */
export const statusWord = ({ status, transfer, amount, paidWith, isRecovered }: LiveOrder): string => {
  if (paidWith !== null) return 'Paid since'
  if (status !== 'Orders created successfully') return statusWords[status]
  if (transfer?.state === 'cancelled') return 'Cancelled'
  if (transfer?.state === 'unpaid') return transfer.unpaid === amount ? 'Not paid' : 'Part paid'
  if (amount === 0) return 'Free'
  return isRecovered ? 'Recovered' : statusWords[status]
}

/** Free attempts without a transaction id are completed; paid ones cannot be abandoned (administrator.md section 4). */
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

const refreshEvery = 5000

export const liveOrdersQuery = (query: QueryOf<typeof liveOrders>) => ({
  ...listQuery('payments', liveOrders, { query }),
  refetchInterval: refreshEvery,
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: true,
})

// Settling creates orders or refunds.
const touched = ['payments', 'ordering', 'refunds'] as const

export const retry = endpointMutation(retryAttempt, ...touched)
export const verify = endpointMutation(verifyPayment, ...touched)
export const setStatus = endpointMutation(setAttemptStatus, ...touched)
