import type { RefundsNeeds } from './needs'
import {
  advanced,
  loadStream,
  commandHandler,
  type By,
  handleUntilShown,
} from '#platform/event-store/command-handler'
import { approvalDecider, waitingIn } from './approval.decide'
import { requestCardRefund, type CardRequestNeeds } from './card-refund-request.commands'
import type { Refund } from './refund'
import { leaving, needTwoPersons, orderChanges } from './refund.commands'
import { refusal } from './refusals'

type Judged = { refundId: string; administrator: number; by: By }
type Approval = Judged & { seenAt: string | null }

/**
 * Pays back, or asks the card provider to, what another administrator requested; of two concurrent approvals one does. Closes the order
 * first. Throws `approval_asker_gone` when the asker lost the right.
 */
export const approveAsked =
  (needs: CardRequestNeeds) =>
  async (approval: Approval): Promise<Refund> => {
    const { refundId, administrator, seenAt, by } = approval
    const { state } = await loadStream(needs.eventStore, approvalDecider, refundId)
    const ask = 'asks' in state ? state.asks.waiting : null
    if (!ask?.toCard) return approveByHand(needs, approval)
    const asked = { refundId, requestId: ask.askId, administrator: ask.by, by }
    await requestCardRefund(needs)({ ...asked, approval: { by: administrator, seenAt } })
    return (await loadStream(needs.eventStore, approvalDecider, refundId)).state
  }

const approveByHand = async (
  needs: RefundsNeeds & CardRequestNeeds,
  { refundId, administrator, seenAt, by }: Approval,
): Promise<Refund> => {
  const { refund } = await handleUntilShown(needs, by, async (at) => {
    const loaded = await loadStream(needs.eventStore, approvalDecider, refundId)
    const approve = { kind: 'approve', by: administrator, seenAt, now: at } as const
    const events = approvalDecider.decide(approve, loaded.state)
    if (events.length === 0 || !('due' in loaded.state))
      return { changes: [{ loaded, events: [] }], refund: loaded.state }
    const ask = waitingIn(loaded.state)
    if (ask.toCard) throw refusal('approval_changed')
    await needTwoPersons(needs, ask.by, administrator)
    const { due } = loaded.state
    const { change } = await needs.credit.countOutflow(leaving(due, { ...ask, payoutId: ask.askId }), at)
    const idSeed = `approve/${ask.askId}/${administrator}`
    const refund = advanced(approvalDecider, loaded, events).state
    const closing = await orderChanges(needs, refund, at)
    return { changes: [change, ...closing, { loaded, events, idSeed }], refund }
  })
  return refund
}

export const withdrawAsked = (needs: RefundsNeeds) => {
  const handle = commandHandler(approvalDecider, needs)
  return async ({ refundId, administrator, by }: Judged): Promise<Refund> => {
    const { state, position } = await handle(refundId, by, (refund, now) =>
      approvalDecider.decide({ kind: 'withdraw-ask', by: administrator, now }, refund),
    )
    if (position !== null) await needs.waitForViews(position)
    return state
  }
}
