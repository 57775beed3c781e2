import { instantAt, schoolMoment } from '#kernel/school-time'

/**
 * Unpaid meals lapse at the cutoffs from this instant on; null: none does. `since`: when the school began to let them lapse.
 * What was cooked on an earlier date is never cancelled, nor what had its cutoff before the school began.
 */
export const lapsingFrom = (since: Date | null, now: Date, zone: string): Date | null => {
  if (since === null) return null
  const today = instantAt(schoolMoment(now, zone).date, 0, 0, zone)
  return new Date(Math.max(since.getTime() + 1, today.getTime()))
}

/** When the first of these orders lapses, at a cutoff or because its item is limited; null: none does. */
export const firstLapse = (
  orders: readonly { lapsesAt: Date | null; portionUntil: Date | null }[],
  lapsing: Date | null,
): Date | null => {
  const times = orders.flatMap(({ lapsesAt, portionUntil }) => [
    ...(lapsing !== null && lapsesAt !== null && lapsesAt >= lapsing ? [lapsesAt.getTime()] : []),
    ...(portionUntil === null ? [] : [portionUntil.getTime()]),
  ])
  return times.length === 0 ? null : new Date(Math.min(...times))
}
