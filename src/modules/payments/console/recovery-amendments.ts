import type { Amendment } from '../needs'
import { unresolvedLines, type StartedAttempt } from '../attempt/payment-attempt'

type Wanted = Amendment['to'] & { index?: number | undefined }

/** By index; else by position among all lines if the counts match, or among unresolved ones. Ordered lines are not asked again. */
export const amendmentsOf = (
  attempt: StartedAttempt,
  wanted: readonly Wanted[],
): { index: number; to: Wanted }[] => {
  const waiting = unresolvedLines(attempt).map(({ index }) => index)
  const places =
    wanted.length === attempt.checkout.lines.length ? [...attempt.checkout.lines.keys()] : waiting
  return wanted.flatMap((to, position) => {
    const index = to.index ?? places[position]
    return index !== undefined && attempt.outcomes[index]?.kind !== 'ordered' ? [{ index, to }] : []
  })
}
