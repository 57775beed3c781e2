import { type By } from '#platform/event-store/command-handler'
import { type Sweep } from '#platform/module'
import { giveUpDraft } from '../card/issue-token.commands'
import { endLostRecovery } from '../console/recovery.commands'
import { type PaymentsNeeds } from '../needs'
import { answerPushes } from './push.commands'
import {
  acknowledgePayment,
  giveUpAcknowledgement,
  settlePayment,
  type AcknowledgeNeeds,
} from './settle-payment.job'
import { acknowledgeForMs, acknowledgePauseMs, nextCheckAfter } from './sweep-schedule'
import {
  dueChecks,
  forgottenDrafts,
  lostRecoveries,
  noteCheck,
  paidNotFulfilled,
  unacknowledged,
} from './unfinished.rows'
import { type SettleNeeds, type VerifyAndSettle } from './settle.commands'

type SweepNeeds = SettleNeeds &
  Pick<PaymentsNeeds, 'database' | 'identity' | 'zone'> & { settle: VerifyAndSettle }

// Longer than the provider may take for a token, with its second try.
const draftGraceMs = 2 * 60_000
// Whoever verified it has the first go, then the job.
const workGraceMs = 30_000
const mostAtOnce = 5

/** Everything about card payments that nobody came back for, found in the view: nothing is lost with a process. */
export const settleCardPayments = (needs: SweepNeeds): Sweep => {
  const name = 'settle-card-payments'
  const { database, now, settle } = needs
  const { knex, pool } = database
  const byOf = (id: string) => ({ actor: `job:${name}`, correlationId: id })
  const ago = (ms: number) => new Date(now().getTime() - ms)

  const acknowledge = acknowledging(
    { ...needs, unacknowledged: (before) => unacknowledged(knex, before) },
    byOf,
  )

  const parts: (() => Promise<void>)[] = [
    () => answerPushes(needs)(),
    async () =>
      each(await dueChecks(pool, now()), async ({ id, ...token }) => {
        const at = now()
        await settle(id, { source: 'sweep' }, byOf(id))
        await noteCheck(knex, id, nextCheckAfter(at, token))
      }),
    async () =>
      each(await forgottenDrafts(knex, ago(draftGraceMs)), (id) =>
        giveUpDraft(needs)(id, 'timeout', null, byOf(id)),
      ),
    async () => each(await lostRecoveries(knex, now()), (id) => endLostRecovery(needs)(id, byOf(id))),
    async () =>
      each(await paidNotFulfilled(knex, ago(workGraceMs)), (id) => settlePayment(needs)(id, byOf(id))),
    () => acknowledge(),
  ]

  return {
    name,
    run: async () => {
      const faults: unknown[] = []
      // Side by side: a part that the provider keeps waiting holds up none of the others.
      await Promise.all(parts.map((part) => part().catch((fault: unknown) => faults.push(fault))))
      if (faults.length > 0) throw new AggregateError(faults, 'some card payments could not be looked at')
    },
  }
}

type Tries = { failed: number; again: number }

type AcknowledgingNeeds = AcknowledgeNeeds & {
  /** Card payments of before then that the provider has not been told of, by their attempt's id. */
  unacknowledged: (paidBefore: Date) => Promise<readonly string[]>
}

/**
 * Tells the provider of payments that it has not heard of. A payment that it takes no acknowledgement of is tried ever
 * more rarely, and given up after a day. The tries are this process's: another one begins anew, so with one at least.
 */
export const acknowledging = (needs: AcknowledgingNeeds, byOf: (id: string) => By) => {
  const { now, unacknowledged } = needs
  const before = (ms: number) => new Date(now().getTime() - ms)
  let tries = new Map<string, Tries>()

  const tell = async (id: string): Promise<void> => {
    const at = now().getTime()
    if ((tries.get(id)?.again ?? 0) > at) return
    await acknowledgePayment(needs)(id, byOf(id)).catch((fault: unknown) => {
      const failed = (tries.get(id)?.failed ?? 0) + 1
      tries.set(id, { failed, again: at + acknowledgePauseMs(failed) })
      throw fault
    })
  }

  return async (): Promise<void> => {
    if (!needs.provider) return
    const due = await unacknowledged(before(workGraceMs))
    tries = new Map([...tries].filter(([id]) => due.includes(id)))
    const hopeless = new Set(tries.size === 0 ? [] : await unacknowledged(before(acknowledgeForMs)))
    await each(due, (id) =>
      hopeless.has(id) && tries.has(id) ? giveUpAcknowledgement(needs)(id, byOf(id)) : tell(id),
    )
  }
}

/** Does all of it, a few at once; one that fails does not keep the others waiting. */
const each = async <Item>(items: readonly Item[], act: (item: Item) => Promise<unknown>): Promise<void> => {
  const faults: unknown[] = []
  for (let from = 0; from < items.length; from += mostAtOnce) {
    const done = await Promise.allSettled(items.slice(from, from + mostAtOnce).map(act))
    faults.push(...done.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])))
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} of ${items.length}`)
}
