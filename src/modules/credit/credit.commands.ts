import { v5, v7 } from 'uuid'
import type { BodyOf } from '#contracts/endpoint'
import type { payOutCredit } from '#contracts/approvals'
import type { giveCredit } from '#contracts/credit'
import { commandHandler, handleCommand, loadStream, type By } from '#platform/event-store/command-handler'
import { familyCredit } from './family-credit.decide'
import type { CreditNeeds } from './needs'
import { leavingBy } from './payout-approval.commands'
import { payoutApproval } from './payout-approval.decide'
import { refusal } from './refusals'

const namespace = '8e0c5a52-3d0b-4a0e-a1d5-6b4cf4f7a9c3'

/** The same request of the same kind for the same family has the same id. */
const idFor = (what: 'gift' | 'payout', userId: number, idempotencyKey: string | null): string =>
  idempotencyKey === null ? v7() : v5(`${what}/${userId}/${idempotencyKey}`, namespace)

const ngweeFrom = (kwacha: number): number => Math.round(kwacha * 100)

/** An administrator's call on the credit of one family. */
type Asked<Body> = {
  userId: number
  body: Body
  idempotencyKey: string | null
  by: By
  administrator: number
}

/**
 * What administrators do with a family's credit. Throws `parent_not_found`, `payout_exceeds_balance` and
 * `idempotency_key_reused`.
 */
export const creditCommands = (needs: CreditNeeds) => {
  const handle = commandHandler(familyCredit, needs)

  const someFamily = async (userId: number): Promise<number> => {
    const person = await needs.identity.personOf(userId)
    if (!person || person.role === 'admin') throw refusal('parent_not_found')
    return userId
  }

  const giveGift = async ({ userId, body, idempotencyKey, by }: Asked<BodyOf<typeof giveCredit>>) => {
    await someFamily(userId)
    const entry = {
      userId,
      entryId: `gift/${idFor('gift', userId, idempotencyKey)}`,
      kind: 'gift' as const,
      amount: ngweeFrom(body.amount),
      attemptId: null,
      about: { orderId: null, reference: null },
      text: body.reason,
    }
    await handle(userId, by, (credit, now) => familyCredit.decide({ kind: 'give', entry, now }, credit))
  }

  /** Answers what waits where the payout needs the approval of another administrator, else null. */
  const payOut = async ({
    userId,
    body,
    idempotencyKey,
    by,
    administrator,
  }: Asked<BodyOf<typeof payOutCredit>>) => {
    await someFamily(userId)
    const payout = {
      userId,
      payoutId: idFor('payout', userId, idempotencyKey),
      amount: ngweeFrom(body.amount),
      method: body.method,
      reference: body.reference || null,
      by: administrator,
    }
    const { isWaiting } = await handleCommand(needs, by, async (now) => {
      const loaded = await loadStream(needs.eventStore, familyCredit, userId)
      const events = familyCredit.decide({ kind: 'pay-out', payout, now }, loaded.state)
      const isWaiting = loaded.state.asks.get(payout.payoutId)?.state === 'waiting'
      if (events.length === 0) return { changes: [{ loaded, events }], isWaiting }
      const { needsApproval, change } = await needs.countOutflow(leavingBy(payout), now)
      if (!needsApproval) return { changes: [change, { loaded, events }], isWaiting: false }
      const asked = payoutApproval.decide({ kind: 'ask', payout, now }, loaded.state)
      return { changes: [{ loaded, events: asked }], isWaiting: true }
    })
    return isWaiting ? { id: payout.payoutId, state: 'approval' as const } : null
  }

  /** What can be spent is given up by whoever deletes the family; safe to repeat. */
  const giveUp = async (userId: number, administrator: number, by: By): Promise<void> => {
    const withdraw = { kind: 'withdraw-all', by: administrator } as const
    await handle(userId, by, (credit, now) => {
      const withdrawn = payoutApproval.decide({ ...withdraw, now }, credit)
      if (credit.balance === 0) return withdrawn
      const method = 'given_up' as const
      const payout = {
        userId,
        payoutId: v7(),
        amount: credit.balance,
        method,
        reference: null,
        by: administrator,
      }
      return [...withdrawn, ...familyCredit.decide({ kind: 'pay-out', payout, now }, credit)]
    })
  }

  return { someFamily, giveGift, payOut, giveUp }
}
