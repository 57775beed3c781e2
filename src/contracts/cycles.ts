import * as z from 'zod/mini'
import { classNamed } from '#kernel/class-name'
import {
  endpoint,
  idParam,
  messageReply,
  pageMetadata,
  wholeNumber,
  direction,
  givenVersion,
  shownVersion,
} from './endpoint'
import { grade } from './identity'

const blockedDay = z.object({
  week: z.int().check(z.gte(1), z.lte(6)),
  day: z.int().check(z.gte(1), z.lte(5)),
})
export type BlockedDay = z.infer<typeof blockedDay>

const dayStates = ['open', 'blocked', 'past', 'cutoff'] as const
export const dayState = z.enum(dayStates)
export type DayState = z.infer<typeof dayState>

/** Both empty: everybody. */
export const whom = { grades: z.array(grade), classes: z.array(z.string()) }
type Whom = { grades: readonly string[]; classes: readonly string[] }
type Child = { grade: string; class?: string | null | undefined }

export const isForEverybody = ({ grades, classes }: Whom): boolean => grades.length + classes.length === 0

/** "5a ", "5 A" and "Grade 5A" are one class. */
export const classKey = (name: string): string => classNamed(name).toLowerCase()

/** A child matches by its grade or its class. */
export const concerns = (closure: Whom, child: Child): boolean =>
  isForEverybody(closure) ||
  closure.grades.includes(child.grade) ||
  closure.classes.some((one) => child.class && classKey(one) === classKey(child.class))

/** Whether a date is closed for a child, and by what: a closure for everybody comes first. */
export const closureFor = <Closure extends Whom & { date: string }>(
  closures: readonly Closure[],
  date: string,
  child: Child,
): Closure | undefined => {
  const found = closures.filter((closure) => closure.date === date && concerns(closure, child))
  return found.find(isForEverybody) ?? found[0]
}

const closedFor = z.object({ date: z.string(), ...whom, reason: z.string() })
export type ClosedFor = z.infer<typeof closedFor>

const cycleDay = z.object({
  day: z.number(),
  date: z.string(),
  state: dayState,
  /** The ISO instant from which the date can no longer be ordered. */
  cutoffAt: z.string(),
  /** Of an open day: the same for dishes with 1, 2, … lead days. */
  earlierCutoffs: z.optional(z.array(z.string())),
  /** Of an open day: dishes with more lead days can no longer be ordered. */
  openLeadDays: z.optional(z.number()),
  /** Why everybody's day was closed; absent where it was blocked when the cycle was made. */
  reason: z.optional(z.string()),
})

const cycleWeek = z.object({
  week: z.number(),
  startDate: z.string(),
  endDate: z.string(),
  /** The week's Friday, or its cutoff, has passed. */
  completed: z.boolean(),
  days: z.array(cycleDay),
})
export type CycleWeek = z.infer<typeof cycleWeek>

const orderCycle = z.object({
  id: z.number(),
  isActive: z.boolean(),
  startDate: z.string(),
  endDate: z.string(),
  cycleLength: z.number(),
  createdAt: z.string(),
  blockedDays: z.array(blockedDay),
  /** In the list of cycles: its dates that are closed for some children and open for the others. */
  closedFor: z.optional(z.array(closedFor)),
  /** Active cycle only. */
  weeks: z.optional(z.array(cycleWeek)),
  today: z.optional(z.string()),
  /** Active cycle only: time until the next cutoff or midnight changes a day's state. */
  nextChangeInMs: z.optional(z.number()),
})
export type OrderCycle = z.infer<typeof orderCycle>

export const listCycles = endpoint('GET', '/api/order-cycles', { reply: z.array(orderCycle) })

export const cycleLengths = [4, 6] as const

const cyclePlan = z.object({
  startDate: z.string('Missing required information').check(z.minLength(1, 'Missing required information')),
  cycleLength: z.literal([4, 6], 'Missing required information'),
  blockedDays: z._default(z.array(blockedDay).check(z.maxLength(30)), []),
})

/** Pending and completed orders of other cycles on these dates; they stay and are cooked. */
const overlap = z.object({ orders: z.number(), dates: z.array(z.string()) })
export type CycleOverlap = z.infer<typeof overlap>

const cycleWithOverlap = z.extend(orderCycle, { overlap })

export const createCycle = endpoint('POST', '/api/order-cycles', {
  once: true,
  status: 201,
  body: cyclePlan,
  reply: cycleWithOverlap,
})

export const previewCycle = endpoint('POST', '/api/order-cycles/preview', {
  body: cyclePlan,
  reply: z.object({
    startDate: z.string(),
    endDate: z.string(),
    weeks: z.array(cycleWeek),
    overlap,
    closed: z.array(z.string()),
  }),
})

export const deactivateCycle = endpoint('DELETE', '/api/order-cycles/:id', {
  params: idParam,
  reply: messageReply,
})

export const reactivateCycle = endpoint('POST', '/api/order-cycles/:id/reactivate', {
  params: idParam,
  reply: cycleWithOverlap,
})

export const getCycleLength = endpoint('GET', '/api/settings/cycle-length', {
  reply: z.object({ cycleLength: z.number() }),
})

/** Orders of a date close at `cutoffHour`:`cutoffMinute`, `daysBefore` school days (or calendar days) earlier. */
const cutoff = z.object({
  cutoffHour: z.number(),
  cutoffMinute: z.number(),
  daysBefore: z.number(),
  schoolDaysOnly: z.boolean(),
})
export type CutoffTime = z.infer<typeof cutoff>

const shownCutoff = z.extend(cutoff, shownVersion)

export const getCutoff = endpoint('GET', '/api/settings/cutoff-time', { reply: shownCutoff })

const within = (most: number, name: string) => {
  const message = `${name} must be between 0 and ${most}`
  return z.int(message).check(z.gte(0, message), z.lte(most, message))
}

const mostDaysBefore = 5

/** `daysBefore` and `schoolDaysOnly` stay as they are when left out. */
const typedCutoff = {
  hour: within(23, 'Hour'),
  minute: within(59, 'Minute'),
  daysBefore: z.optional(within(mostDaysBefore, 'Days before')),
  schoolDaysOnly: z.optional(z.boolean()),
}

export const saveCutoff = endpoint('POST', '/api/settings/cutoff-time', {
  body: z.object({ ...typedCutoff, ...givenVersion }),
  reply: shownCutoff,
})

/** Changes nothing. `closes`: dates of the active cycle that are open and would not be. */
export const previewCutoff = endpoint('POST', '/api/settings/cutoff-time/preview', {
  body: z.object(typedCutoff),
  reply: z.object({ closes: z.array(z.string()) }),
})

export const cycleSorts = ['created', 'start', 'length', 'orders', 'revenue'] as const
export type CycleSort = (typeof cycleSorts)[number]

const year = z.pipe(wholeNumber, z.number().check(z.gte(1000), z.lte(9999)))

const writtenLength = z.pipe(
  z.enum(['4', '6']),
  z.transform((text) => Number(text)),
)

/** Newest first, 10 a page. `year` is that of the first day. */
export const cycleHistory = endpoint('GET', '/api/order-cycles/history', {
  query: z.object({
    page: z.optional(wholeNumber),
    sort: z.optional(z.enum(cycleSorts)),
    direction: z.optional(direction),
    year: z.optional(year),
    cycleLength: z.optional(writtenLength),
  }),
  reply: z.object({
    data: z.array(
      z.object({
        ...orderCycle.shape,
        cycleId: z.number(),
        totalOrders: z.number(),
        totalRevenue: z.number(),
      }),
    ),
    metadata: pageMetadata,
  }),
})
