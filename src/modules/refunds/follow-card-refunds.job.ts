import type { Sweep } from '#platform/module'
import { followCardRefund } from './card-refund-request.commands'
import type { RefundsNeeds } from './needs'

type SweepNeeds = RefundsNeeds & {
  cardRefundsToFollow: () => Promise<readonly { refundId: string; requestId: string; since: string }[]>
}

const minuteMs = 60_000

/** Often while young, later hourly. */
const pauseMs = (ageMs: number): number => Math.min(Math.max(ageMs / 4, minuteMs), 60 * minuteMs)

export const followCardRefunds = (needs: SweepNeeds): Sweep => {
  const name = 'follow-card-refunds'
  const follow = followCardRefund(needs)
  let nextAt = new Map<string, number>()
  return {
    name,
    run: async () => {
      const waiting = await needs.cardRefundsToFollow()
      const now = needs.now().getTime()
      nextAt = new Map(waiting.map(({ requestId }) => [requestId, nextAt.get(requestId) ?? now]))
      const faults: unknown[] = []
      for (const { refundId, requestId, since } of waiting) {
        if (nextAt.get(requestId)! > now) continue
        nextAt.set(requestId, now + pauseMs(now - Date.parse(since)))
        await follow(refundId, { actor: `job:${name}`, correlationId: requestId }).catch((fault: unknown) =>
          faults.push(fault),
        )
      }
      if (faults.length > 0)
        throw new AggregateError(faults, `${faults.length} refunds could not be followed`)
    },
  }
}
