import * as z from 'zod/mini'
import { endpoint } from './endpoint'
import { diet } from './eating'
import { grade } from './identity'
import { orderStatus, paymentStatus } from './ordering'
import { calendarDay, direction } from './sorting'

/** One lunch to hand out. */
const classListEntry = z.object({
  id: z.string(),
  grade,
  /** The name of the class, where children have one. */
  class: z.nullable(z.string()),
  student: z.string(),
  menuItem: z.string(),
  category: z.nullable(z.string()),
  sideDish: z.nullable(z.string()),
  comments: z.string(),
  status: orderStatus,
  paymentStatus,
  /** The child is ill and does not eat it. */
  absent: z.boolean(),
  /** Null: not declared; empty: declared that there are none. */
  allergies: z.nullable(z.array(z.string())),
  diet,
  /** Null without the family's consent, or without a note. */
  medicalNote: z.nullable(z.string()),
})
export type ClassListEntry = z.infer<typeof classListEntry>

/** Within its class: `name` is the student's, `meal` what they get, then their name. */
export const classListSorts = ['name', 'meal'] as const
export type ClassListSort = (typeof classListSorts)[number]

/**
 * Who gets what on a school day (`YYYY-MM-DD`), by grade from the smallest to staff, then by name unless asked
 * otherwise; at most 10,000. A filter that is absent takes all. `grades` are all that have a lunch on that day.
 */
export const classList = endpoint('GET', '/api/orders/class-list', {
  query: z.object({
    date: calendarDay,
    sort: z.optional(z.enum(classListSorts)),
    direction: z.optional(direction),
    grade: z.optional(grade),
    paymentStatus: z.optional(paymentStatus),
  }),
  reply: z.object({ date: z.string(), data: z.array(classListEntry), grades: z.array(grade) }),
})
