import * as z from 'zod/mini'
import { itemType } from './catalogue'
import { endpoint, pageMetadata, wholeNumber, calendarDay, numberUpTo, direction } from './endpoint'
import { diet } from './health'
import { grade } from './identity'
import { orderStatus, paymentStatus, manyOrderIds } from './ordering'

const kitchenOrder = z.object({
  id: z.string(),
  weekNumber: z.number(),
  dayOfWeek: z.number(),
  mealDate: z.string(),
  menuItem: z.object({ id: z.number(), name: z.string(), type: itemType }),
  category: z.nullable(z.string()),
  sideDish: z.nullable(z.string()),
  comments: z.string(),
  status: orderStatus,
  paymentStatus,
  /** Cancelled after the day's cutoff: the kitchen may have cooked it. */
  cancelledLate: z.boolean(),
  /** The child is ill and does not eat it. */
  absent: z.boolean(),
})
export type KitchenOrder = z.infer<typeof kitchenOrder>

const portion = z.object({ name: z.string(), count: z.number() })

/** A remark once, by how many children it came, and their names. */
const remark = z.object({ text: z.string(), count: z.number(), students: z.array(z.string()) })

/** What goes on a plate together; null where the item has nothing to choose. The remarks that most children have come first. */
const plate = z.object({
  category: z.nullable(z.string()),
  sideDish: z.nullable(z.string()),
  count: z.number(),
  comments: z.array(remark),
})

/** Portions of one item on one day, over every order of the day however many. Pending and completed count. */
const kitchenTotal = z.object({
  weekNumber: z.number(),
  dayOfWeek: z.number(),
  mealDate: z.string(),
  menuItemId: z.number(),
  menuItem: z.string(),
  type: itemType,
  total: z.number(),
  unpaid: z.number(),
  completed: z.number(),
  cancelledLate: z.number(),
  /** Of `total`, those whose child is ill and does not eat; left out when there are none. */
  absent: z.optional(z.number()),
  proteins: z.array(portion),
  sides: z.array(portion),
  /** The combinations of protein and side, those that most children have first. */
  plates: z.array(plate),
  /** The orders still to complete, so that a row can be marked complete whole. */
  pendingOrderIds: z.array(z.string()),
})
export type KitchenTotal = z.infer<typeof kitchenTotal>

/** An allergy of children who eat on a day, and which of the meals that contain it they have ordered. */
const allergyOfDay = z.object({
  mealDate: z.string(),
  name: z.string(),
  children: z.number(),
  meals: z.array(z.object({ menuItem: z.string(), count: z.number() })),
})
export type AllergyOfDay = z.infer<typeof allergyOfDay>

/** A diet of children who eat on a day, and which meals they have ordered. */
const dietOfDay = z.object({
  mealDate: z.string(),
  diet,
  children: z.number(),
  meals: z.array(z.object({ menuItem: z.string(), count: z.number() })),
})
export type DietOfDay = z.infer<typeof dietOfDay>

/** What a family wants the kitchen to know of a child who eats on a day. */
const noteOfDay = z.object({
  mealDate: z.string(),
  student: z.string(),
  grade,
  class: z.nullable(z.string()),
  medicalNote: z.string(),
})
export type NoteOfDay = z.infer<typeof noteOfDay>

const kitchenQuery = z.object({ page: z.optional(wholeNumber), pageSize: z.optional(wholeNumber) })
const kitchenReply = z.object({
  data: z.array(kitchenOrder),
  metadata: pageMetadata,
  totals: z.array(kitchenTotal),
  /** By date, up to which instant its changes are in what is shown: what a print of it notes as `at`. Left out when nothing was told. */
  shown: z.optional(z.array(z.object({ date: z.string(), at: z.string() }))),
  /** Null: nobody who eats on these days has said whether they have any. */
  allergies: z.nullable(z.array(allergyOfDay)),
  /** Left out when there are none, as the notes are. */
  diets: z.optional(z.array(dietOfDay)),
  medicalNotes: z.optional(z.array(noteOfDay)),
})
export type KitchenReply = z.infer<typeof kitchenReply>

/** Of `date`: today, or on a day without school the next date that has orders or is a school day. */
export const kitchenToday = endpoint('GET', '/api/orders/today', {
  etag: true,
  query: kitchenQuery,
  reply: z.extend(kitchenReply, { date: z.string() }),
})

/** With `day` (1 to 5) that day of the week alone. Without an active cycle the weeks count from the one of today. */
export const kitchenWeek = endpoint('GET', '/api/orders/week/:week', {
  etag: true,
  params: z.object({ week: wholeNumber }),
  query: z.extend(kitchenQuery, { day: z.optional(numberUpTo(5)) }),
  reply: kitchenReply,
})

const kitchenChange = z.object({
  /** An ISO instant. */
  at: z.string(),
  kind: z.enum(['ordered', 'cancelled', 'changed', 'absent']),
  orderId: z.string(),
  student: z.string(),
  grade,
  /** The name of the class, where children have one. */
  class: z.nullable(z.string()),
  /** What was to be cooked and what is now, in words; null for nothing. */
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
})
export type KitchenChange = z.infer<typeof kitchenChange>

/**
 * What changed for the kitchen on a day, every change by itself, in the order in which they came to be seen, at most 5,000: since an
 * instant, else since the last print of that day by anybody, else since its first order. `at` is what the next call
 * sends as `since` to read each change once; on a day without any it is 1970.
 */
export const kitchenChanges = endpoint('GET', '/api/kitchen/changes', {
  query: z.object({ date: calendarDay, since: z.optional(z.iso.datetime({ offset: true })) }),
  reply: z.object({ at: z.string(), since: z.string(), changes: z.array(kitchenChange) }),
})

/**
 * The list or the changes of a day are about to be printed: those of the reply that had this `at`, else all that can be seen
 * now. What is not among them is a change since this print.
 */
export const notePrint = endpoint('POST', '/api/kitchen/prints', {
  body: z.object({ date: calendarDay, at: z.optional(z.iso.datetime({ offset: true })) }),
  reply: z.object({ at: z.string() }),
})

const skippedIds = z.array(z.object({ id: z.string(), code: z.string(), message: z.string() }))

/**
 * `skipped` are orders for which the change is not possible, each with the reason; the others are changed. `batchId`
 * undoes it for ten minutes.
 */
export const setOrderStatus = endpoint('POST', '/api/orders/status', {
  once: true,
  body: z.object({
    orderIds: manyOrderIds,
    status: z.enum(['completed', 'pending', 'cancelled']),
  }),
  reply: z.object({
    message: z.string(),
    updated: z.number(),
    skipped: skippedIds,
    batchId: z.uuid(),
  }),
})

/** For whoever did it: what was pending before is pending again. */
export const undoOrderStatus = endpoint('POST', '/api/orders/status/undo', {
  once: true,
  body: z.object({ batchId: z.uuid() }),
  reply: z.object({ restored: z.number(), skipped: skippedIds }),
})

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
