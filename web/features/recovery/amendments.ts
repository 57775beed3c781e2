import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { MenuItem } from '#contracts/catalogue'
import type { OrderCycle } from '#contracts/cycles'
import type { QueryOf } from '#contracts/endpoint'
import { refusedLine } from '#contracts/ordering'
import {
  amendedLine,
  type AmendedLine,
  type AttemptItem,
  type FailedOrder,
  acceptMismatch,
  retryAttempt,
  waiveRemainder,
  listFailedOrders,
} from '#contracts/payments-console'
import { CallError, messageOf } from '../../lib/call'
import { endpointMutation, listQuery } from '../../lib/endpoint-query'
import { dayAndMonth, dayName, gradeLabel, kwacha, kwachaSum } from '../../lib/format'
import { adminToast } from '../../lib/toast'
import { cyclesQuery } from '../../queries/cycles'
import type { Tone } from '../../ui/badge'
import type { Choice } from '../../ui/select'

/** One amendment per changed line. */
export const amendedLines = z.object({ cartItems: z.array(amendedLine) })

/** The line as an unchanged amendment. */
export const asOrdered = (line: AttemptItem): AmendedLine => ({
  index: line.index,
  menuItemId: line.menuItem.id,
  studentId: line.studentId,
  weekNumber: line.weekNumber,
  dayOfWeek: line.dayOfWeek,
  category: line.category,
  sideDish: line.sideDish,
  comments: line.comments,
})

/** Whether an amendment is of this line and changes anything of it. */
export const isChange = (line: AttemptItem, amendment: AmendedLine): boolean =>
  amendment.index === line.index &&
  JSON.stringify(asOrdered(line)) !== JSON.stringify({ ...asOrdered(line), ...amendment })

/** Keeps protein and side if available, else takes the first. */
export const withItem = (amendment: AmendedLine, item: MenuItem): AmendedLine => ({
  ...amendment,
  menuItemId: item.id,
  category: offered(item.categories, amendment.category),
  sideDish: offered(item.sideDishes, amendment.sideDish),
})

const offered = (offers: string[], wanted: string | null | undefined): string | null =>
  offers.find((one) => one === wanted) ?? offers[0] ?? null

const sameDay = (one: { weekNumber: number; dayOfWeek: number }, week: number, day: number) =>
  one.weekNumber === week && one.dayOfWeek === day

export const dayKey = (of: { weekNumber: number; dayOfWeek: number }): string =>
  `${of.weekNumber}/${of.dayOfWeek}`

/** The same line on the day of this key. */
export const onDay = (amendment: AmendedLine, key: string): AmendedLine => {
  const [weekNumber = amendment.weekNumber, dayOfWeek = amendment.dayOfWeek] = key.split('/').map(Number)
  return { ...amendment, weekNumber, dayOfWeek }
}

/** The ordered day, and open days of the active cycle. */
export const dayChoices = (line: AttemptItem, cycles: OrderCycle[]): Choice[] => {
  const open = cycles
    .flatMap((cycle) => cycle.weeks ?? [])
    .flatMap(({ week, days }) => days.map((day) => ({ week, ...day })))
    .filter(({ week, day, state }) => state === 'open' && !sameDay(line, week, day))
    .map(({ week, day, date }) => ({
      value: dayKey({ weekNumber: week, dayOfWeek: day }),
      label: `Week ${week}, ${dayName(day)}, ${dayAndMonth(date)}`,
    }))
  return [
    { value: dayKey(line), label: `Week ${line.weekNumber}, ${dayName(line.dayOfWeek)} (as ordered)` },
    ...open,
  ]
}

/** The ordered item, and items of the day at most as dear, so that the payment covers them. */
export const itemChoices = (line: AttemptItem, amendment: AmendedLine, menu: MenuItem[]): Choice[] => {
  const type = menu.find((item) => item.id === line.menuItem.id)?.type
  const others = menu.filter(
    (item) =>
      item.id !== line.menuItem.id &&
      (item.id === amendment.menuItemId || isChoice(item, line, amendment)) &&
      (type === undefined || item.type === type),
  )
  return [
    { value: String(line.menuItem.id), label: `${line.menuItem.name} (as ordered)` },
    ...others.map((item) => ({ value: String(item.id), label: `${item.name}, ${kwacha(item.price)}` })),
  ]
}

const isChoice = (item: MenuItem, line: AttemptItem, day: AmendedLine) =>
  item.isAvailable &&
  !item.isArchived &&
  Number(item.price) <= line.originalPrice &&
  item.weekNumbers.includes(day.weekNumber) &&
  item.daysOfWeek.includes(day.dayOfWeek)

/** The ordered child and known siblings. */
export const childChoices = (line: AttemptItem, order: FailedOrder): Choice[] => {
  const known = order.students ?? order.cartItems.map((one) => ({ id: one.studentId, ...one.student }))
  const children = new Map(known.map((child) => [child.id, child]))
  children.delete(line.studentId)
  return [
    { value: String(line.studentId), label: `${line.student.name} (as ordered)` },
    ...[...children.values()].map((child) => ({
      value: String(child.id),
      label: `${child.name}, ${gradeLabel(child.grade)}`,
    })),
  ]
}

const initiated = 'Order recovery initiated successfully'

export const useRetry = (order: FailedOrder) => {
  const retrying = useMutation(retry)
  const retryWith = async (amendments: readonly AmendedLine[]) => {
    const cartItems = unresolved(order).map(
      (line) => amendments.find(({ index }) => index === line.index) ?? asOrdered(line),
    )
    const body = cartItems.length > 0 ? { cartItems } : undefined
    try {
      const { success, status, message } = await retrying.mutateAsync({ params: { id: order.id }, body })
      if (success) adminToast({ title: initiated, text: message === initiated ? undefined : message })
      else adminToast({ title: status, text: message, kind: 'error' })
      return success
    } catch (error) {
      const text = refusedLines(error) ?? messageOf(error, 'Failed to retry order')
      adminToast({ title: 'Error', text, kind: 'error' })
      return false
    }
  }
  return { retryWith, retrying: retrying.isPending }
}

const refusal = z.object({ lines: z.array(refusedLine) })

/** Unique reasons; null for other errors. */
const refusedLines = (error: unknown): string | null => {
  if (!(error instanceof CallError)) return null
  const lines = z.safeParse(refusal, error.reply).data?.lines ?? []
  return lines.length > 0 ? [...new Set(lines.map(({ message }) => message))].join(' · ') : null
}

/** administrator.md section 4; "failed" in any case (payments.md section 6). */
export const statusTone = (status: FailedOrder['status']): Tone => {
  const words = status.toLowerCase()
  if (words.includes('failed')) return 'danger'
  if (status === 'Processing started' || status === 'Recovery in progress') return 'info'
  return words.includes('successfully') ? 'brand' : 'neutral'
}

/** Lines without an order. */
export const unresolved = (order: Pick<FailedOrder, 'cartItems'>): AttemptItem[] =>
  order.cartItems.filter((line) => line.orderId === null)

export const charged = (lines: AttemptItem[]): number =>
  kwachaSum(lines.map(({ discountedPrice }) => discountedPrice))

export const failedOrdersQuery = (query: QueryOf<typeof listFailedOrders>) =>
  listQuery('payments', listFailedOrders, { query })

/** For moving lines. */
export const freshCyclesQuery = { ...cyclesQuery, staleTime: 0 }

const touched = ['payments', 'ordering', 'refunds'] as const

/** As they are or amended. */
const retry = endpointMutation(retryAttempt, ...touched)
export const accept = endpointMutation(acceptMismatch, ...touched)
export const waive = endpointMutation(waiveRemainder, ...touched)
