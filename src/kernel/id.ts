import { z } from 'zod'
import { isSchoolDate, type SchoolDate } from './school-time'

export const rowId = z.int().positive()

/** `week` counts from 1, `day` is 1 to 5. */
export const slotKey = z.strictObject({
  cycleId: rowId,
  studentId: rowId,
  week: z.int().min(1).max(6),
  day: z.int().min(1).max(5),
})
export type SlotKey = z.infer<typeof slotKey>

export type Lunch = { studentId: number; date: SchoolDate }

export const lunchId = ({ studentId, date }: Lunch): string => `${studentId}.${date}`

// No leading zeros, so that an order has one id.
const orderIdPattern = /^([1-9]\d{0,8})\.(\d{4}-\d{2}-\d{2})\.([1-9]\d{0,5})$/

/** For example `118.2026-09-17.1`: student, date, running number. */
export const orderId = z.string().regex(orderIdPattern)

export const orderIdOf = (lunch: Lunch, number: number): string => `${lunchId(lunch)}.${number}`

export const parseOrderId = (id: string): { lunch: Lunch; number: number } | null => {
  const [studentId, date, number] = orderIdPattern.exec(id)?.slice(1) ?? []
  if (!date || !isSchoolDate(date)) return null
  return { lunch: { studentId: Number(studentId), date }, number: Number(number) }
}
