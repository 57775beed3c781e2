import { instantAt, schoolMoment } from '#kernel/school-time'

/** Unpaid meals lapse at cutoffs from here on; null: never. Cutoffs before the rule (`since`) and earlier dates are spared. */
export const lapsingFrom = (since: Date | null, now: Date, zone: string): Date | null => {
  if (since === null) return null
  const today = instantAt(schoolMoment(now, zone).date, 0, 0, zone)
  return new Date(Math.max(since.getTime() + 1, today.getTime()))
}

/** The first instant at which one lapses, by cutoff or portion limit; null for none. */
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
