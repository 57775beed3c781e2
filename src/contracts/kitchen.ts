import * as z from 'zod/mini'
import { itemType } from './catalogue'
import { endpoint, pageMetadata, wholeNumber, calendarDay, numberUpTo, direction } from './endpoint'
import { diet, tellApart } from './health'
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
  cancelledLate: z.boolean(),
  absent: z.boolean(),
})
export type KitchenOrder = z.infer<typeof kitchenOrder>

const portion = z.object({ name: z.string(), count: z.number() })

const remark = z.object({ text: z.string(), count: z.number(), students: z.array(z.string()) })

/** Null where the item has no choices. The most common remarks come first. */
const plate = z.object({
  category: z.nullable(z.string()),
  sideDish: z.nullable(z.string()),
  count: z.number(),
  comments: z.array(remark),
})

/** Portions of one item on one day; pending and completed orders count. */
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
  absent: z.optional(z.number()),
  proteins: z.array(portion),
  sides: z.array(portion),
  plates: z.array(plate),
  pendingOrderIds: z.array(z.string()),
})
export type KitchenTotal = z.infer<typeof kitchenTotal>

const allergyOfDay = z.object({
  mealDate: z.string(),
  name: z.string(),
  children: z.number(),
  meals: z.array(z.object({ menuItem: z.string(), count: z.number() })),
  /** By grade and name; `inMeal`: the child's meal contains it. */
  who: z.array(
    z.object({
      student: z.string(),
      grade,
      class: z.nullable(z.string()),
      tellApart: z.optional(z.string()),
      inMeal: z.boolean(),
    }),
  ),
})
export type AllergyOfDay = z.infer<typeof allergyOfDay>

const dietOfDay = z.object({
  mealDate: z.string(),
  diet,
  children: z.number(),
  meals: z.array(z.object({ menuItem: z.string(), count: z.number() })),
})
export type DietOfDay = z.infer<typeof dietOfDay>

const noteOfDay = z.object({
  mealDate: z.string(),
  student: z.string(),
  grade,
  class: z.nullable(z.string()),
  medicalNote: z.string(),
  tellApart: z.optional(z.string()),
})
export type NoteOfDay = z.infer<typeof noteOfDay>

const kitchenQuery = z.object({ page: z.optional(wholeNumber), pageSize: z.optional(wholeNumber) })
const kitchenReply = z.object({
  data: z.array(kitchenOrder),
  metadata: pageMetadata,
  totals: z.array(kitchenTotal),
  /** By date, the instant up to which changes are shown; sent as `at` when printed. */
  shown: z.optional(z.array(z.object({ date: z.string(), at: z.string() }))),
  /** Null: no eater on these days has declared anything. */
  allergies: z.nullable(z.array(allergyOfDay)),
  diets: z.optional(z.array(dietOfDay)),
  medicalNotes: z.optional(z.array(noteOfDay)),
  /** What plans of families would still order, about. */
  planned: z.array(z.object({ date: z.string(), meals: z.number() })),
})
export type KitchenReply = z.infer<typeof kitchenReply>

/** `date` is today, or the next date with orders or school. */
export const kitchenToday = endpoint('GET', '/api/orders/today', {
  etag: true,
  query: kitchenQuery,
  reply: z.extend(kitchenReply, { date: z.string() }),
})

/** `day` (1 to 5) narrows to one day. Without an active cycle, weeks count from this one. */
export const kitchenWeek = endpoint('GET', '/api/orders/week/:week', {
  etag: true,
  params: z.object({ week: wholeNumber }),
  query: z.extend(kitchenQuery, { day: z.optional(numberUpTo(5)) }),
  reply: kitchenReply,
})

const kitchenChange = z.object({
  at: z.string(),
  kind: z.enum(['ordered', 'cancelled', 'changed', 'absent']),
  orderId: z.string(),
  student: z.string(),
  grade,
  class: z.nullable(z.string()),
  tellApart: z.optional(z.string()),
  /** Text of what to cook before and after; null for nothing. */
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  /** Ordered by the office after the cutoff. */
  late: z.optional(z.boolean()),
  /** The other day of a lunch that was moved. */
  moved: z.optional(z.string()),
})
export type KitchenChange = z.infer<typeof kitchenChange>

/** `until` (of a print): what was printed then. */
export const kitchenChanges = endpoint('GET', '/api/kitchen/changes', {
  query: z.object({
    date: calendarDay,
    since: z.optional(z.iso.datetime({ offset: true })),
    until: z.optional(z.iso.datetime({ offset: true })),
  }),
  reply: z.object({ at: z.string(), since: z.string(), changes: z.array(kitchenChange) }),
})

/** Marks printed changes up to `at`, or everything visible now; later ones count as new. */
export const notePrint = endpoint('POST', '/api/kitchen/prints', {
  once: true,
  body: z.object({ date: calendarDay, at: z.optional(z.iso.datetime({ offset: true })) }),
  reply: z.object({ at: z.string() }),
})

/** Newest first, at most 100. `by`: a username. */
export const kitchenPrints = endpoint('GET', '/api/kitchen/prints', {
  query: z.object({ date: calendarDay }),
  reply: z.object({ data: z.array(z.object({ at: z.string(), by: z.string() })) }),
})

const skippedIds = z.array(z.object({ id: z.string(), code: z.string(), message: z.string() }))

/** `skipped` orders could not change, each with its reason. `batchId` undoes the rest within ten minutes. */
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

/** Only for the same administrator; restores pending orders. */
export const undoOrderStatus = endpoint('POST', '/api/orders/status/undo', {
  once: true,
  body: z.object({ batchId: z.uuid() }),
  reply: z.object({ restored: z.number(), skipped: skippedIds }),
})

const classListEntry = z.object({
  id: z.string(),
  grade,
  class: z.nullable(z.string()),
  student: z.string(),
  tellApart,
  menuItem: z.string(),
  category: z.nullable(z.string()),
  sideDish: z.nullable(z.string()),
  comments: z.string(),
  status: orderStatus,
  paymentStatus,
  absent: z.boolean(),
  /** Null: not declared. Empty: none. */
  allergies: z.nullable(z.array(z.string())),
  diet,
  /** Null without consent or without a note. */
  medicalNote: z.nullable(z.string()),
})
export type ClassListEntry = z.infer<typeof classListEntry>

export const classListSorts = ['name', 'meal'] as const
export type ClassListSort = (typeof classListSorts)[number]

/** Lunches on a school day (`YYYY-MM-DD`) by grade, then name; at most 10,000. `grades` lists all grades with a lunch. */
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
