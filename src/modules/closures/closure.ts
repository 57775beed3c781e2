import type { Remedy } from '#kernel/remedy'
import type { SchoolDate } from '#kernel/school-time'

/** `planned`: blocked when its cycle was made; cancels nothing and ends with the cycle. */
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

/** At work while `done` is less than `total`. */
export type ClosureNow = Closure & {
  done: number
  total: number
  cancelled: number
  unpaidCancelled: number
  families: number[]
  restored: number
  familiesBack: number[]
}

export type LeftOrder = { orderId: string; code: string; message: string }

/** Until the last day has passed. */
export const canUndo = (
  { undoneAt, dates }: Pick<Closure, 'undoneAt' | 'dates'>,
  today: SchoolDate,
): boolean => undoneAt === null && dates.some((date) => date >= today)
