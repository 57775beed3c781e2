import { z } from 'zod'

/** Row ids of users, students, items and cycles: positive whole numbers. */
export const rowId = z.int().positive()

/** Where a meal belongs: one child's lunch on one day of a cycle. `week` counts from 1, `day` 1–5. */
export const slotKey = z.strictObject({
  cycleId: rowId,
  studentId: rowId,
  week: z.int().min(1).max(6),
  day: z.int().min(1).max(5),
})
export type SlotKey = z.infer<typeof slotKey>

export const slotId = (key: SlotKey): string => `${key.cycleId}.${key.studentId}.${key.week}.${key.day}`

// No leading zeros: one order has one name.
const orderIdPattern = /^([1-9]\d{0,8})\.([1-9]\d{0,8})\.([1-6])\.([1-5])\.([1-9]\d{0,5})$/

/** An order's id: its slot and a running number, e.g. `7.118.2.4.1`. */
export const orderId = z.string().regex(orderIdPattern)

export const orderIdOf = (key: SlotKey, number: number): string => `${slotId(key)}.${number}`

/** The slot an order id names and its running number; null when the text is no order id. */
export const parseOrderId = (id: string): { slot: SlotKey; number: number } | null => {
  const parts = orderIdPattern.exec(id)?.slice(1).map(Number)
  if (!parts) return null
  const [cycleId, studentId, week, day, number] = parts as [number, number, number, number, number]
  return { slot: { cycleId, studentId, week, day }, number }
}
