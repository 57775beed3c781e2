import { isDeepStrictEqual } from 'node:util'
import { v5, v7 } from 'uuid'
import type { CreditAccounts } from '#modules/credit/index'
import {
  advanced,
  handleCommand,
  loadStream,
  loadStreams,
  type By,
  type LoadedStream,
  type StreamChange,
} from '#platform/event-store/command-handler'
import { sweepOf } from '#platform/jobs/whenever'
import type { Sweep } from '#platform/module'
import type { Ports } from '#platform/ports'
import type { TransfersNeeds } from '../ports'
import { refusal } from '../refusals'
import { transfersChangedBetween, typedTransferId } from '../transfers.view'
import {
  amountsOf,
  applyConfirmations,
  lastPaidAt,
  refuseFirst,
  takeBack,
} from './apply-confirmation.commands'
import {
  familiesPaid,
  transferDecider,
  type RequestedTransfer,
  type Confirmation,
  type Transfer,
  type TransferEvent,
} from './confirmation.decide'

export type Act = { confirmationId: string; administrator: number; by: By }

type LoadedTransfer = LoadedStream<Transfer, TransferEvent>

/** One append, repeatable by act. A typed id pays as its row. Throws `row_confirmed`, `undone_since` and what `familiesPaid` does. */
export const confirmTransfers = (needs: TransfersNeeds) => {
  const carryOutAll = applyConfirmations(needs)
  return (asked: readonly RequestedTransfer[], act: Act): Promise<unknown> =>
    handleCommand(needs, act.by, async (at) => {
      const ids = [...asked.map(({ money }) => money.transferId), ...asked.flatMap(typedFor)]
      const all = await loadStreams(needs.eventStore, transferDecider, ids)
      const [loaded, typed] = [all.slice(0, asked.length), all.slice(asked.length)]
      const own = loaded.map(({ state }) => standingOf(state, act.confirmationId))
      if (own.every((one) => one !== null)) {
        const { changes } = await carryOutAll(asTuple(own), at, { lostAsCredit: true })
        return { changes: [...loaded.map(unchanged), ...changes] }
      }
      if (typed.some(({ state }) => state.standing !== null)) throw refusal('row_confirmed')
      return begun(needs, asked, loaded, act, at)
    })
}

const typedFor = ({ money: { rowId, transactionId } }: RequestedTransfer): string[] =>
  rowId === null || transactionId === null ? [] : [typedTransferId(transactionId)]

/** Meals that became impossible meanwhile turn into credit. */
const begun = async (
  needs: TransfersNeeds,
  asked: readonly RequestedTransfer[],
  loaded: readonly LoadedTransfer[],
  act: Act,
  at: Date,
): Promise<{ changes: StreamChange[] }> => {
  const isTaken = ({ state }: LoadedTransfer) =>
    state.standing !== null && standingOf(state, act.confirmationId) === null
  if (loaded.some(isTaken)) throw refusal('row_confirmed')
  const paidAt = lastPaidAt(asked.map(({ money }) => money.paidAt))
  const orders = await needs.ordering.ordersToPay(
    [...new Set(asked.flatMap(({ orderIds }) => orderIds))],
    paidAt,
    at,
  )
  const gone = new Set<string>()
  for (;;) {
    const confirmations = confirmationsOf(asked, familiesPaid(asked, orders, gone), act, at)
    const changed = confirmations.map((confirmation, index) => confirmed(confirmation, loaded[index]!, at))
    const begunWith = loaded.every(({ state }) => state.standing === null) ? orders : undefined
    const { changes, refused } = await applyConfirmations(needs)(asTuple(confirmations), at, {
      lostAsCredit: false,
      begunWith,
    })
    if (refused.size === 0) return { changes: [...changed, ...changes] }
    const lapsed = orders.filter(({ id, state }) => state === 'lapsed' && refused.has(id) && !gone.has(id))
    if (lapsed.length === 0) refuseFirst(refused)
    for (const { id } of lapsed) gone.add(id)
  }
}

const confirmationsOf = (
  asked: readonly RequestedTransfer[],
  families: ReturnType<typeof familiesPaid>,
  { confirmationId, administrator }: Act,
  at: Date,
): Confirmation[] =>
  asked.map(({ money: { paidAt, ...money } }, index) => {
    const others = asked.map((one) => one.money.transferId).filter((id) => id !== money.transferId)
    return {
      ...money,
      paidAt: paidAt?.toISOString() ?? null,
      confirmationId,
      ...(others.length > 0 && { others }),
      by: administrator,
      families: families[index]!,
      at: at.toISOString(),
    }
  })

/** A confirmation of the same act must be equal: a crash separated it from the others. */
const confirmed = (
  { at: _at, ...confirmation }: Confirmation,
  loaded: LoadedTransfer,
  at: Date,
): StreamChange => {
  const standing = standingOf(loaded.state, confirmation.confirmationId)
  if (standing && !isDeepStrictEqual(standing.families, confirmation.families)) throw refusal('row_confirmed')
  return { loaded, events: transferDecider.decide({ kind: 'confirm', confirmation, now: at }, loaded.state) }
}

const standingOf = ({ standing }: Transfer, confirmationId: string): Confirmation | null =>
  standing?.confirmationId === confirmationId ? standing : null

const unchanged = (loaded: LoadedTransfer): StreamChange => ({ loaded, events: [] })

const asTuple = <One>(some: readonly (One | null)[]): [One, ...One[]] => some as [One, ...One[]]

const loadTogether = async ({ eventStore }: Ports, transferId: string): Promise<LoadedTransfer[]> => {
  const loaded = await loadStream(eventStore, transferDecider, transferId)
  const { standing } = loaded.state
  const others = await loadStreams(eventStore, transferDecider, standing?.others ?? [])
  return [loaded, ...others.filter(({ state }) => standing && standingOf(state, standing.confirmationId))]
}

/** Undoes the whole act; it pays `again` instead. Throws `meal_eaten`, `refunded`, `credit_spent`. */
export const undoTransfer =
  (needs: TransfersNeeds) =>
  (
    transferId: string,
    { administrator, by }: Pick<Act, 'administrator' | 'by'>,
    again?: (standing: Confirmation) => Omit<Confirmation, 'at'> | null,
  ): Promise<unknown> =>
    handleCommand(needs, by, async (at) => {
      const together = await loadTogether(needs, transferId)
      const credits: StreamChange[] = []
      const transfers: StreamChange[] = []
      const orders: StreamChange[] = []
      const accounts = needs.credit.accounts()
      for (const loaded of together) {
        const { standing } = loaded.state
        const undone = transferDecider.decide({ kind: 'undo', by: administrator, now: at }, loaded.state)
        const next = standing && again?.(standing)
        const events = next
          ? [
              ...undone,
              ...transferDecider.decide(
                { kind: 'confirm', confirmation: next, now: at },
                advanced(transferDecider, loaded, undone).state,
              ),
            ]
          : undone
        transfers.push({ loaded, events })
        if (!standing) continue
        const still = new Set(next ? amountsOf([{ ...next, at: '' }]).keys() : [])
        await refuseUndoing(needs, standing, still, accounts, at)
        const taken = await takeBack(needs)(standing, still, at, { mayBeSpent: false, accounts })
        credits.push(...taken.credits)
        orders.push(...taken.orders)
      }
      // Credit first: if it is gone, nothing else happened.
      return { changes: [...credits, ...transfers, ...uniqueByStream(orders)] }
    })

/** Transfers of one act share orders, each changed once. */
const uniqueByStream = (changes: readonly StreamChange[]): StreamChange[] => [
  ...new Map(changes.toReversed().map((change) => [change.loaded.stream, change])).values(),
]

const refuseUndoing = async (
  { ordering }: TransfersNeeds,
  standing: Confirmation,
  still: ReadonlySet<string>,
  accounts: CreditAccounts,
  at: Date,
): Promise<void> => {
  const transferIds = [standing.transferId, ...(standing.others ?? [])]
  const orderIds = [...amountsOf([standing]).keys()].filter((id) => !still.has(id))
  const orders = await ordering.ordersToPay(orderIds, null, at)
  for (const { id, userId, paidBy, eaten, state } of orders) {
    if (paidBy === null || !transferIds.includes(paidBy)) continue
    if (eaten) throw refusal('meal_eaten')
    if (state === 'refunded' || (await accounts.of(userId)).movedFor(id)) throw refusal('refunded')
  }
}

export type Acting = { administrator: number; idempotencyKey: string | null; by: By }

const namespace = '2f7a9d16-8b3c-4e05-9a41-c6d0e7b85f32'

/** The same request names the same act; without a key a new one. */
export const actOf = ({ administrator, idempotencyKey, by }: Acting, what: readonly string[]): Act => ({
  administrator,
  by,
  confirmationId:
    idempotencyKey === null
      ? v7()
      : v5(`${administrator}/${idempotencyKey}/${what.toSorted().join('/')}`, namespace),
})

// The request may still be running.
const graceMs = 15_000
const lookedAtMs = 7 * 24 * 60 * 60_000

/** Repairs crashes: aligns orders and credit with a transfer. Repeatable. */
const settleTransfer = (needs: TransfersNeeds) => async (transferId: string, by: By) => {
  const handle = (step: Parameters<typeof handleCommand>[2]) => handleCommand(needs, by, step)
  const { state } = await loadStream(needs.eventStore, transferDecider, transferId)
  const others = await loadStreams(needs.eventStore, transferDecider, othersOf(state))
  const still = new Set(amountsOf([state, ...others.map((one) => one.state)].flatMap(standingIn)).keys())
  const isUndone = (confirmation: Confirmation) =>
    others.some((one) => one.state.undone.some((other) => isSameAct(other, confirmation)))
  if (state.standing && isUndone(state.standing)) await handle((at) => undoAlone(needs, transferId, at))
  for (const confirmation of state.undone)
    await handle(async (at) => {
      const { credits, orders } = await takeBack(needs)(confirmation, still, at, { mayBeSpent: true })
      return { changes: [...credits, ...orders] }
    })
  await handle(async (at) => {
    const [loaded, ...together] = await loadTogether(needs, transferId)
    const { standing } = loaded!.state
    if (!standing || isUndone(standing)) return { changes: [] }
    const all = [standing, ...together.flatMap((one) => standingIn(one.state))] as const
    return applyConfirmations(needs)([...all], at, { lostAsCredit: true })
  })
}

const othersOf = ({ standing, undone }: Transfer): string[] => [
  ...new Set([...(standing ? [standing] : []), ...undone].flatMap(({ others = [] }) => others)),
]

const standingIn = ({ standing }: Transfer): Confirmation[] => (standing ? [standing] : [])

const isSameAct = (one: Confirmation, other: Confirmation): boolean =>
  one.confirmationId === other.confirmationId

const undoAlone = async (needs: TransfersNeeds, transferId: string, at: Date) => {
  const loaded = await loadStream(needs.eventStore, transferDecider, transferId)
  const { standing } = loaded.state
  if (!standing) return { changes: [] }
  const { credits, orders } = await takeBack(needs)(standing, new Set(), at, { mayBeSpent: true })
  const events = transferDecider.decide({ kind: 'undo', by: standing.by, now: at }, loaded.state)
  return { changes: [...credits, { loaded, events }, ...orders] }
}

export const settleTransfers = (needs: TransfersNeeds): Sweep => {
  // Rechecked only after changes.
  const settled = new Map<string, number>()
  return sweepOf({
    name: 'settle-transfers',
    due: async () => {
      const now = needs.now().getTime()
      const [from, until] = [new Date(now - lookedAtMs), new Date(now - graceMs)]
      const changed = await transfersChangedBetween(needs.database.knex, from, until)
      return changed.filter(({ id, changedAt }) => settled.get(id) !== changedAt.getTime())
    },
    id: ({ id }) => id,
    act: async ({ id, changedAt }, by) => {
      await settleTransfer(needs)(id, by)
      settled.set(id, changedAt.getTime())
    },
  })
}
