import * as z from 'zod/mini'
import { calendarDay, dayRange, endpoint, yesOrNo } from './endpoint'

const sponsoredQuery = z
  .object({
    from: calendarDay,
    to: calendarDay,
    /** Meals by their date, or discounts by the day of booking: those sums are the journal's. */
    by: z._default(z.enum(['lunch', 'booking']), 'lunch'),
    /** Also lists children; needs `parents_students`. */
    names: z.optional(yesOrNo),
  })
  .check(dayRange(366))

/** `days` counts dates with a meal. */
const figures = {
  children: z.number(),
  meals: z.number(),
  days: z.number(),
  fullPrice: z.number(),
  sponsored: z.number(),
  paidByFamilies: z.number(),
}
const sponsoredChild = z.object({
  id: z.number(),
  name: z.string(),
  grade: z.string(),
  class: z.nullable(z.string()),
  meals: z.number(),
  sponsored: z.number(),
})
const sponsoredRow = z.object({
  sponsor: z.nullable(z.string()),
  discountPercentage: z.number(),
  ...figures,
  students: z.optional(z.array(sponsoredChild)),
})
export type SponsoredRow = z.infer<typeof sponsoredRow>

/** By sponsor, then the highest discount; meals without a sponsor's name come last. */
export const sponsoredReport = endpoint('GET', '/api/reports/sponsored', {
  query: sponsoredQuery,
  reply: z.object({ rows: z.array(sponsoredRow), totals: z.object(figures) }),
})
export type SponsoredReport = z.infer<typeof sponsoredReport.reply>

export const sponsoredReportCsv = endpoint('GET', '/api/reports/sponsored/csv', {
  query: sponsoredQuery,
  reply: z.unknown(),
})

const lunchCounts = { children: z.number(), ordered: z.number(), absent: z.number(), without: z.number() }
const noLunchClass = z.object({
  class: z.string(),
  ...lunchCounts,
  /** Those without; null unless the caller has `parents_students`. */
  students: z.nullable(
    z.array(z.object({ id: z.number(), name: z.string(), discountPercentage: z.number() })),
  ),
})
export type NoLunchClass = z.infer<typeof noLunchClass>

/** Children of the register at `date`, by class, or by grade where a child is in none. Children = ordered + absent + without. */
export const noLunchReport = endpoint('GET', '/api/reports/no-lunch', {
  query: z.object({ date: calendarDay }),
  reply: z.object({ date: z.string(), classes: z.array(noLunchClass), totals: z.object(lunchCounts) }),
})
