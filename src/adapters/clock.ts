import type { Now } from '#platform/ports'

/** The machine's clock, or one running from `from` at `rate` times real speed. */
export const systemClock = (start?: { from: Date; rate: number }): Now => {
  if (!start) return () => new Date()
  const began = Date.now()
  return () => new Date(start.from.getTime() + (Date.now() - began) * start.rate)
}
