const minuteMs = 60_000

/** Unpaid attempts expire this long after their limit. */
export const limitGraceMs = 2 * minuteMs

export const acknowledgeForMs = 24 * 60 * minuteMs

const maxAcknowledgePauseMs = 60 * minuteMs

/** 1 min, 2, 4, … up to an hour. */
export const acknowledgePauseMs = (tries: number): number =>
  Math.min(minuteMs * 2 ** (tries - 1), maxAcknowledgePauseMs)

const afterIssueMs = [1, 2, 4, 8, 15, 25].map((minutes) => minutes * minuteMs)
const afterLimitMs = [limitGraceMs, 30 * minuteMs, 24 * 60 * minuteMs]

/** 60 s, 2, 4, 8, 15, 25 min, then 2 and 30 min and 24 h after the limit (payments.md section 5). One check makes up for missed ones. */
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
