import { Map as ImmutableMap } from 'immutable'
import { z } from 'zod'
import { refundMethods } from '#contracts/refunds'
import { eventReader, eventType, type EventOf } from '#kernel/event'
import { orderId, rowId } from '#kernel/id'
import { ngwee, proofs, type Ngwee } from '#kernel/money'
import {
  evolveAsks,
  isAboutApproval,
  payoutApprovalTypes,
  type PayoutApprovalEvent,
  type PayoutAsk,
} from './payouts'

const at = z.iso.datetime()
const amount = z.int().positive()
const entryId = z.string().min(1)
const attemptId = z.uuid()
const about = z.strictObject({ orderId: orderId.nullable(), reference: z.string().nullable() })
const lines = z.array(z.strictObject({ index: z.int().nonnegative(), amount })).min(1)

const givenKinds = ['cancelled', 'closed', 'changed', 'absent', 'overpaid', 'gift'] as const
export type GivenKind = (typeof givenKinds)[number]

const change = { userId: rowId, amount, about, text: z.string().min(1), balanceAfter: ngwee, at }
const payout = z.strictObject({
  userId: rowId,
  /** Idempotency: one act of paying out. */
  payoutId: z.uuid(),
  amount,
  method: z.enum([...refundMethods, 'given_up']),
  reference: z.string().nullable(),
  by: rowId,
  balanceAfter: ngwee,
  at,
})
const given = z.strictObject({
  ...change,
  /** Idempotency: the same entry is not given twice. */
  entryId,
  kind: z.enum(givenKinds),
  attemptId: attemptId.nullable(),
  /** Of the money that it was, and the transfer that this came by. */
  proof: z.enum(proofs).optional(),
  transferId: z.uuid().optional(),
})

/** A family has been given credit, once per `entryId`. */
export const creditGiven = eventType('credit.credit-given.v1', given)
/** A checkout holds credit for these of its lines, by their indexes. */
export const creditHeld = eventType('credit.credit-held.v1', z.strictObject({ ...change, attemptId, lines }))
/** Held credit has paid for the meals of these lines. */
export const creditSpent = eventType(
  'credit.credit-spent.v1',
  z.strictObject({ userId: rowId, attemptId, lines, amount, at }),
)
/** Held credit is free again, because its lines became no meals. */
export const creditReleased = eventType(
  'credit.credit-released.v1',
  z.strictObject({ ...change, attemptId, lines }),
)
/** An order that was changed to a dearer meal has taken the difference, once per `entryId`. */
export const creditCharged = eventType(
  'credit.credit-charged.v1',
  z.strictObject({ ...change, entryId, attemptId }),
)
/** What was given as `entryId` has been taken back, because its reason is gone. */
export const creditTakenBack = eventType(
  'credit.credit-taken-back.v1',
  z.strictObject({ ...change, entryId, attemptId: attemptId.nullable() }),
)
/** An administrator has paid out credit as money, or the family gave it up; once per `payoutId`. */
export const creditPaidOut = eventType('credit.credit-paid-out.v1', payout)

/** Money that became credit of the family stands on a statement now. No longer written: who pays out asks. */
export const creditProven = eventType(
  'credit.credit-proven.v1',
  z.strictObject({ userId: rowId, transferId: z.uuid(), at }),
)

export const creditEventTypes = [
  creditGiven,
  creditHeld,
  creditSpent,
  creditReleased,
  creditCharged,
  creditTakenBack,
  creditPaidOut,
] as const
export type CreditEvent = EventOf<(typeof creditEventTypes)[number]>
export type FamilyCreditEvent = CreditEvent | PayoutApprovalEvent

const allEventTypes = [...creditEventTypes, ...payoutApprovalTypes] as const
export const readCreditEvent = eventReader(...allEventTypes)
export type Given = z.infer<typeof given>
export type Payout = z.infer<typeof payout>

type CheckoutCredit = { amount: Ngwee; status: 'held' | 'spent' | 'released' }

export type Charged = Pick<
  EventOf<typeof creditCharged>['data'],
  'userId' | 'entryId' | 'attemptId' | 'amount' | 'about' | 'at'
>

/** `balance` is spendable, without held credit; never negative. */
export type FamilyCredit = {
  balance: Ngwee
  given: ImmutableMap<string, Given & { takenBack: boolean }>
  checkouts: ImmutableMap<string, ImmutableMap<number, CheckoutCredit>>
  charged: ImmutableMap<string, Charged>
  payouts: ImmutableMap<string, Payout>
  asks: ImmutableMap<string, PayoutAsk>
}

export const noCredit: FamilyCredit = {
  balance: 0,
  given: ImmutableMap(),
  checkouts: ImmutableMap(),
  charged: ImmutableMap(),
  payouts: ImmutableMap(),
  asks: ImmutableMap(),
}

export const evolve = (credit: FamilyCredit, event: FamilyCreditEvent): FamilyCredit => {
  if (isAboutApproval(event)) return { ...credit, asks: evolveAsks(credit.asks, event) }
  const { type, data } = event
  switch (type) {
    case creditGiven.type:
      return {
        ...credit,
        balance: data.balanceAfter,
        given: credit.given.set(data.entryId, { ...data, takenBack: false }),
      }
    case creditTakenBack.type: {
      const entry = credit.given.get(data.entryId)
      if (!entry) return credit
      const taken = credit.given.set(data.entryId, { ...entry, takenBack: true })
      return { ...credit, balance: data.balanceAfter, given: taken }
    }
    case creditHeld.type:
      return { ...withLines(credit, data, 'held'), balance: data.balanceAfter }
    case creditSpent.type:
      return withLines(credit, data, 'spent')
    case creditReleased.type:
      return { ...withLines(credit, data, 'released'), balance: data.balanceAfter }
    case creditCharged.type:
      return { ...credit, balance: data.balanceAfter, charged: credit.charged.set(data.entryId, data) }
    case creditPaidOut.type:
      return { ...credit, balance: data.balanceAfter, payouts: credit.payouts.set(data.payoutId, data) }
  }
}

const withLines = (
  credit: FamilyCredit,
  data: EventOf<typeof creditSpent>['data'] | EventOf<typeof creditHeld>['data'],
  status: CheckoutCredit['status'],
): FamilyCredit => {
  const known = credit.checkouts.get(data.attemptId) ?? ImmutableMap<number, CheckoutCredit>()
  const changed = data.lines.reduce(
    (lines, { index, amount: each }) => lines.set(index, { amount: each, status }),
    known,
  )
  return { ...credit, checkouts: credit.checkouts.set(data.attemptId, changed) }
}

export const giftEntry = (giftId: string): string => `gift/${giftId}`
export const giftIdOf = (entryId: string): string | null => /^gift\/(.+)$/.exec(entryId)?.[1] ?? null

export const changeEntry = (changeId: string): string => `change/${changeId}`

/** Prefix of entries for a cancelled order and its refunds. */
export const orderEntries = (orderId: string): string => `order/${orderId}/`
export const refundEntry = (payoutId: string): string => `refund/${payoutId}`

/** True for what a cancelled order is owed, false for deductions. */
export const isOwedForCancelled = (entryId: string): boolean => /^(order|refund)\//.test(entryId)

/** Gives back what `entryId` charged when the order never changed. */
export const returned = (entryId: string): string => `returned/${entryId}`

export const changeOf = (entryId: string): { changeId: string; isReturn: boolean } | null => {
  const [, returning, changeId] = /^(returned\/)?change\/(.+)$/.exec(entryId) ?? []
  return changeId === undefined ? null : { changeId, isReturn: returning !== undefined }
}

export const isActive = ({ given: entries }: FamilyCredit, entry: string): boolean =>
  entries.get(entry)?.takenBack === false

/** In ngwee, outside the balance. */
export const heldOf = ({ checkouts }: FamilyCredit): Ngwee =>
  [...checkouts.values()]
    .flatMap((held) => [...held.values()])
    .reduce((sum, { status, amount: each }) => (status === 'held' ? sum + each : sum), 0)

export const activeEntries = (
  { given: entries }: FamilyCredit,
  order: string,
  kinds: readonly GivenKind[],
): Given[] =>
  [...entries.values()].filter(
    (entry) => entry.about.orderId === order && kinds.includes(entry.kind) && !entry.takenBack,
  )

export const entriesFor = (orderId: string, { given: entries }: FamilyCredit) =>
  [...entries.values()].filter(({ entryId }) => entryId.startsWith(orderEntries(orderId)))

export const activeCreditFor = (orderId: string, credit: FamilyCredit): Given | null =>
  entriesFor(orderId, credit).find((entry) => !entry.takenBack) ?? null

export const absencesOf = (orderId: string, { given: entries }: FamilyCredit) =>
  [...entries.values()].filter(({ entryId }) => entryId.startsWith(`absence/${orderId}/`))

export const activeAbsenceCredit = (orderId: string, credit: FamilyCredit): Given | null =>
  absencesOf(orderId, credit).find((entry) => !entry.takenBack) ?? null

export const eatsAfterAll = (student: string): string => `${student} eats after all`
