import type { Remedy } from '#kernel/remedy'
import type { SchoolDate } from '#kernel/school-time'

/** Days without meals. `planned`: blocked when its cycle was made, so that it cancels nothing and ends with its cycle. */
export type Closure = {
  id: string
  cycleId: number
  dates: SchoolDate[]
  reason: string
  remedy: Remedy
  planned: boolean
  closedAt: Date
  closedBy: string
  undoneAt: Date | null
  undoneBy: string | null
}

/** What is closed, or open again, and what became of the orders so far; at work while `done` is less than `total`. */
export type ClosureNow = Closure & {
  done: number
  total: number
  cancelled: number
  unpaidCancelled: number
  /** The users whose orders were cancelled, and of these those who got one back. */
  families: number[]
  restored: number
  familiesBack: number[]
}

/** An order that was left as it is, and why. */
export type LeftOrder = { orderId: string; code: string; message: string }

/** The days can be opened again until the last of them has passed. */
export const canUndo = (
  { undoneAt, dates }: Pick<Closure, 'undoneAt' | 'dates'>,
  today: SchoolDate,
): boolean => undoneAt === null && dates.some((date) => date >= today)
