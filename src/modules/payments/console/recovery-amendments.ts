import type { Amendment } from '../needs'
import { unresolvedLines, type StartedAttempt } from '../attempt/payment-attempt'

type Wanted = Amendment['to'] & { index?: number | undefined }

/**
 * Which line each sent meal means: the one of its index; without, by its place among all lines when as many were sent,
 * else among the unresolved. Lines that are orders already are not asked about again.
 */
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
