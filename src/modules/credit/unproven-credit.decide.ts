import type { EventOf } from '#kernel/event'
import { isUnproven, weakestProof, type Ngwee, type Proof } from '#kernel/money'
import {
  creditCharged,
  creditGiven,
  creditHeld,
  creditPaidOut,
  creditReleased,
  creditTakenBack,
  type FamilyCreditEvent,
} from './family-credit'

/** `left` is in the balance; `inMeals`, by checkout, comes back with them; `added`, by entry. */
type Unproven = {
  left: Ngwee
  inMeals: ReadonlyMap<string, Ngwee>
  added: ReadonlyMap<string, Ngwee>
}

/** By which its unproven money came. */
export const transfersIn = (events: readonly FamilyCreditEvent[]): string[] =>
  events.flatMap(({ type, data }) =>
    type === creditGiven.type && isUnproven(data.proof) ? (data.transferId ?? []) : [],
  )

/** Part of the balance whose money nobody has proved, in ngwee; `proven`: transfers. Meals take it first, payouts last. */
export const unprovenIn = (
  events: readonly FamilyCreditEvent[],
  proven: ReadonlySet<string> = new Set(),
): Ngwee => {
  const none: Unproven = { left: 0, inMeals: new Map(), added: new Map() }
  return events.reduce((before, event) => moved(before, event, proven), none).left
}

/** Of what stands as given: the weakest. */
export const proofOfPayout = (
  events: readonly FamilyCreditEvent[],
  { balance, amount, proven }: { balance: Ngwee; amount: Ngwee; proven: ReadonlySet<string> },
): Proof => {
  if (amount > balance - unprovenIn(events, proven)) return 'not on any statement'
  const given = events.flatMap((event) => (event.type === creditGiven.type ? [event.data.proof] : []))
  return weakestProof(given.map((proof) => (isUnproven(proof) ? 'statement' : proof))) ?? 'provider'
}

const moved = (before: Unproven, event: FamilyCreditEvent, proven: ReadonlySet<string>): Unproven => {
  switch (event.type) {
    case creditGiven.type:
      return given(before, event.data, proven)
    case creditTakenBack.type: {
      const { entryId, attemptId } = event.data
      const taken = Math.min(before.left, before.added.get(entryId) ?? 0)
      if (attemptId === null) return { ...before, left: before.left - taken }
      return { ...before, ...intoMeals(before, attemptId, taken) }
    }
    case creditHeld.type:
    case creditCharged.type:
      return {
        ...before,
        ...intoMeals(before, event.data.attemptId, Math.min(before.left, event.data.amount)),
      }
    case creditReleased.type: {
      const { attemptId, amount } = event.data
      return { ...before, ...intoMeals(before, attemptId, -Math.min(inMealsOf(before, attemptId), amount)) }
    }
    case creditPaidOut.type:
      return { ...before, left: Math.min(before.left, event.data.balanceAfter) }
    default:
      return before
  }
}

const given = (
  before: Unproven,
  { entryId, amount, attemptId, proof, transferId = '' }: EventOf<typeof creditGiven>['data'],
  proven: ReadonlySet<string>,
): Unproven => {
  const fromMeals = attemptId === null ? 0 : Math.min(inMealsOf(before, attemptId), amount)
  const back = { ...before, ...(attemptId !== null && intoMeals(before, attemptId, -fromMeals)) }
  const isNew = isUnproven(proof) && !proven.has(transferId)
  const left = isNew ? before.left + amount : back.left
  return { ...back, left, added: new Map([...before.added, [entryId, left - before.left]]) }
}

const inMealsOf = ({ inMeals }: Unproven, attemptId: string): Ngwee => inMeals.get(attemptId) ?? 0

const intoMeals = (before: Unproven, attemptId: string, amount: number) => ({
  left: before.left - amount,
  inMeals: new Map([...before.inMeals, [attemptId, inMealsOf(before, attemptId) + amount]]),
})
