const minuteMs = 60_000

/** An attempt that is unpaid this long after its time limit is closed as expired. */
export const limitGraceMs = 2 * minuteMs

/** So long the provider is told that we know of a payment; then that is given up. */
export const acknowledgeForMs = 24 * 60 * minuteMs

const maxAcknowledgePauseMs = 60 * minuteMs

/** After so many tries that failed the provider is told again: 1 min, 2, 4, … and at most an hour later. */
export const acknowledgePauseMs = (tries: number): number =>
  Math.min(minuteMs * 2 ** (tries - 1), maxAcknowledgePauseMs)

const afterIssueMs = [1, 2, 4, 8, 15, 25].map((minutes) => minutes * minuteMs)
const afterLimitMs = [limitGraceMs, 30 * minuteMs, 24 * 60 * minuteMs]

/**
 * When the provider is next asked about an attempt whose token was issued at `issuedAt`, if it was last asked (or
 * issued) at `since`; null when no more. payments.md section 5: 60 s, 2, 4, 8, 15, 25 min, then 2 and 30 min and 24 h
 * after the time limit. What was missed meanwhile is made up for by one check.
 */
export const nextCheckAfter = (
  since: Date,
  { issuedAt, limitAt }: { issuedAt: Date; limitAt: Date },
): Date | null => {
  const times = [
    ...afterIssueMs.map((ms) => issuedAt.getTime() + ms),
    ...afterLimitMs.map((ms) => limitAt.getTime() + ms),
  ].toSorted((one, other) => one - other)
  const next = times.find((time) => time > since.getTime())
  return next === undefined ? null : new Date(next)
}
