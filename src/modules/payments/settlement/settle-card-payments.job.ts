import { type By } from '#platform/event-store/command-handler'
import { type Sweep } from '#platform/module'
import { giveUpDraft } from '../card/issue-token.commands'
import { endLostRecovery } from '../console/recovery.commands'
import { type PaymentsNeeds } from '../needs'
import { answerPushes } from './push.commands'
import { acknowledgePayment, giveUpAcknowledgement, settlePayment } from './settle-payment.job'
import { acknowledgeForMs, acknowledgePauseMs, nextCheckAfter } from './sweep-schedule'
import {
  dueChecks,
  forgetAcknowledgement,
  forgottenDrafts,
  lostRecoveries,
  noteCheck,
  noteRefusedAcknowledgement,
  paidNotFulfilled,
  unacknowledged,
  type Unacknowledged,
} from './unfinished.rows'
import { type SettleNeeds, type VerifyAndSettle } from './settle.commands'

type SweepNeeds = SettleNeeds &
  Pick<PaymentsNeeds, 'books' | 'database' | 'identity' | 'zone'> & { settle: VerifyAndSettle }

// Longer than the provider may take for a token, with its second try.
const draftGraceMs = 2 * 60_000
// Whoever verified it has the first go, then the job.
const workGraceMs = 30_000
const mostAtOnce = 5

/**
 * Everything about card payments that nobody came back for, found in the tables: nothing is lost with a process. Each by
 * itself, so that one that the provider keeps waiting holds up none of the others.
 */
export const cardPaymentSweeps = (needs: SweepNeeds): Sweep[] => {
  const { database, now, settle } = needs
  const { knex, pool } = database
  const ago = (ms: number) => new Date(now().getTime() - ms)

  return [
    { name: 'answer-card-pushes', run: answerPushes(needs) },
    sweep(
      'check-card-payments',
      () => dueChecks(pool, now()),
      async ({ id, ...token }, byOf) => {
        const at = now()
        await settle(id, { source: 'sweep' }, byOf(id))
        await noteCheck(knex, id, nextCheckAfter(at, token))
      },
    ),
    sweep(
      'give-up-card-drafts',
      () => forgottenDrafts(knex, ago(draftGraceMs)),
      (id, byOf) => giveUpDraft(needs)(id, 'timeout', null, byOf(id)),
    ),
    sweep(
      'end-lost-recoveries',
      () => lostRecoveries(knex, now()),
      (id, byOf) => endLostRecovery(needs)(id, byOf(id)),
    ),
    sweep(
      'settle-card-payments',
      () => paidNotFulfilled(knex, ago(workGraceMs)),
      (id, byOf) => settlePayment(needs)(id, byOf(id), true),
    ),
    sweep(
      'acknowledge-card-payments',
      async () => (needs.provider ? unacknowledged(knex, ago(workGraceMs), now()) : []),
      (payment, byOf) => acknowledgeOrGiveUp(needs)(payment, byOf(payment.id)),
    ),
  ]
}

/** Does to each of what is found what is to be done, in the name of the sweep. */
const sweep = <Item>(
  name: string,
  find: () => Promise<readonly Item[]>,
  act: (item: Item, byOf: (id: string) => By) => Promise<unknown>,
): Sweep => {
  const byOf = (id: string) => ({ actor: `job:${name}`, correlationId: id })
  return { name, run: async () => each(await find(), (item) => act(item, byOf)) }
}

/**
 * Tells the provider of a payment that it has not heard of. One that it takes no acknowledgement of is tried ever more
 * rarely, and given up after a day and at least one try.
 */
const acknowledgeOrGiveUp =
  (needs: SweepNeeds) =>
  async ({ id, since, failed }: Unacknowledged, by: By): Promise<void> => {
    const { knex } = needs.database
    const now = needs.now().getTime()
    if (failed > 0 && since.getTime() < now - acknowledgeForMs) await giveUpAcknowledgement(needs)(id, by)
    else
      await acknowledgePayment(needs)(id, by).catch(async (fault: unknown) => {
        const again = new Date(now + acknowledgePauseMs(failed + 1))
        await noteRefusedAcknowledgement(knex, id, failed + 1, again)
        throw fault
      })
    if (failed > 0) await forgetAcknowledgement(knex, id)
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
