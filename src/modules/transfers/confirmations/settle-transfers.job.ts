import type { TransfersNeeds } from '../needs'
import { handleCommand, loadStream, loadStreams, type By } from '#platform/event-store/command-handler'
import type { Sweep } from '#platform/module'
import { amountsOf, applyConfirmations, takeBack } from './apply-confirmation.commands'
import { transferDecider, type Confirmation, type Transfer } from './confirmation.decide'
import { loadTogether } from './transfers.commands'
import { transfersChangedBetween } from './transfers.rows'

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
  const name = 'settle-transfers'
  const settle = settleTransfer(needs)
  // Rechecked only after changes.
  const settled = new Map<string, number>()
  return {
    name,
    run: async () => {
      const now = needs.now().getTime()
      const changed = await transfersChangedBetween(
        needs.database.knex,
        new Date(now - lookedAtMs),
        new Date(now - graceMs),
      )
      const faults: unknown[] = []
      for (const { id, changedAt } of changed.filter(
        (one) => settled.get(one.id) !== one.changedAt.getTime(),
      ))
        await settle(id, { actor: `job:${name}`, correlationId: id }).then(
          () => settled.set(id, changedAt.getTime()),
          (fault: unknown) => faults.push(fault),
        )
      if (faults.length > 0)
        throw new AggregateError(faults, `${faults.length} transfers could not be settled`)
    },
  }
}
