import { handleCommand, commandHandler, loadStream, type By } from '#platform/event-store/command-handler'
import type { CreditNeeds } from './needs'
import { askOf, payoutApproval } from './payout-approval.decide'
import { userOfPayout } from './payout-approvals.rows'
import { refusal } from './refusals'

type Judged = { payoutId: string; administrator: number; by: By }

const familyOf = async ({ database }: Pick<CreditNeeds, 'database'>, payoutId: string): Promise<number> => {
  const userId = await userOfPayout(database.knex, payoutId)
  if (userId === null) throw refusal('payout_not_found')
  return userId
}

/**
 * Pays out the credit that another administrator asked for. Of two who approve at once one does. Throws
 * `approval_asker_gone` where whoever asked may not pay out any more: then only one would stand for it.
 */
export const approveAsked =
  (needs: CreditNeeds) =>
  async ({ payoutId, administrator, by }: Judged): Promise<void> => {
    const userId = await familyOf(needs, payoutId)
    await handleCommand(needs, by, async (now) => {
      const loaded = await loadStream(needs.eventStore, payoutApproval, userId)
      const approve = { kind: 'approve', payoutId, by: administrator, now } as const
      const events = payoutApproval.decide(approve, loaded.state)
      if (events.length === 0) return { changes: [{ loaded, events }] }
      const ask = askOf(loaded.state, payoutId)
      if (!(await needs.identity.holdsFeature(ask.by, 'refunds'))) throw refusal('approval_asker_gone')
      const out = await needs.countOutflow(leavingBy(ask), now)
      return { changes: [out.change, { loaded, events, idSeed: `approve/${payoutId}/${administrator}` }] }
    })
  }

/** What leaves the family's account by this payout. */
export const leavingBy = ({
  userId,
  payoutId,
  amount,
}: {
  userId: number
  payoutId: string
  amount: number
}) => ({
  userId,
  of: payoutId,
  most: amount,
  actId: payoutId,
  amount,
})

/** What waits for approval is not to be paid out: by whoever asked, or by another who looked at it. */
export const withdrawAsked = (needs: CreditNeeds) => {
  const handle = commandHandler(payoutApproval, needs)
  return async ({ payoutId, administrator, by }: Judged): Promise<void> => {
    const userId = await familyOf(needs, payoutId)
    await handle(userId, by, (credit, now) =>
      payoutApproval.decide({ kind: 'withdraw', payoutId, by: administrator, now }, credit),
    )
  }
}
