import { decimalFromNgwee, weakestProof, type Ngwee } from '#kernel/money'
import { Refusal } from '#kernel/refusal'
import type { CreditAccounts } from '#modules/credit/index'
import type { OrderToPay } from '#modules/ordering/index'
import type { StreamChange } from '#platform/event-store/command-handler'
import { isByHand, proofOf, type TransferMethod } from '../events'
import type { TransfersNeeds } from '../ports'
import type { Confirmation } from './confirmation.decide'

type CarriedOut = {
  changes: StreamChange[]
  refused: ReadonlyMap<string, { code: string; message: string }>
}

/** Pays orders and gives surplus as credit; repeatable. With `lostAsCredit` unpayable orders become credit instead of a refusal. */
export const applyConfirmations =
  ({ ordering, credit }: TransfersNeeds) =>
  async (
    confirmations: readonly [Confirmation, ...Confirmation[]],
    at: Date,
    { lostAsCredit, begunWith }: { lostAsCredit: boolean; begunWith?: readonly OrderToPay[] | undefined },
  ): Promise<CarriedOut> => {
    const accounts = credit.accounts()
    const transferIds = idsOf(confirmations)
    const lost = begunWith ? new Set<string>() : await ordersGivenAsCredit(confirmations, accounts)
    const amounts = new Map([...amountsOf(confirmations)].filter(([id]) => !lost.has(id)))
    const paidAt = lastPaidAt(confirmations.map((one) => one.paidAt && new Date(one.paidAt)))
    const orders = begunWith ?? (await ordering.ordersToPay([...amounts.keys()], paidAt, at))
    const proof = weakestProof(confirmations.map(proofOf)) ?? 'statement'
    const restorable = new Set(orders.filter((order) => order.restorable).map(({ id }) => id))
    const { changes, refused } = await ordering.changePayments(
      [...amounts.keys()],
      { kind: 'pay', transferIds, amounts, restorable, byHand: confirmations.every(isByHand), proof },
      at,
      accounts.reclaim,
    )
    if (refused.size > 0 && !lostAsCredit) return { changes: [], refused }
    const entries = confirmations.flatMap((one) => [
      ...surplusEntries(one),
      ...lostEntries(one).filter(({ about: { orderId } }) => refused.has(orderId) || lost.has(orderId)),
    ])
    const given: StreamChange[] = []
    for (const entry of entries) {
      const account = await accounts.of(entry.userId)
      if (!account.isInForce(entry.entryId)) given.push(account.change({ kind: 'give', entry, now: at }))
    }
    return { changes: [...changes, ...given], refused }
  }

/** Remaining undo: orders except `still` become unpaid, credit is taken back. Throws `credit_spent` unless `mayBeSpent`. */
export const takeBack =
  ({ ordering, credit }: TransfersNeeds) =>
  async (
    confirmation: Confirmation,
    still: ReadonlySet<string>,
    at: Date,
    { mayBeSpent, accounts = credit.accounts() }: { mayBeSpent: boolean; accounts?: CreditAccounts },
  ): Promise<{ credits: StreamChange[]; orders: StreamChange[] }> => {
    const { transferId, others = [] } = confirmation
    const orderIds = [...amountsOf([confirmation]).keys()].filter((id) => !still.has(id))
    const { changes: orders } = await ordering.changePayments(
      orderIds,
      { kind: 'unpay', transferIds: [transferId, ...others] },
      at,
      accounts.reclaim,
    )
    const credits: StreamChange[] = []
    for (const { userId, entryId, amount } of [
      ...surplusEntries(confirmation),
      ...lostEntries(confirmation),
    ]) {
      const account = await accounts.of(userId)
      if (!account.isInForce(entryId) || (mayBeSpent && account.balance() < amount)) continue
      const text = 'The payment was confirmed by mistake'
      credits.push(account.change({ kind: 'take-back', entryId, text, now: at }))
    }
    return { credits, orders }
  }

const idsOf = (confirmations: readonly [Confirmation, ...Confirmation[]]): [string, ...string[]] => {
  const [first, ...rest] = confirmations.map(({ transferId }) => transferId).toSorted()
  return [first!, ...rest]
}

export const lastPaidAt = (times: readonly (Date | string | null)[]): Date | null =>
  times.every((at) => at instanceof Date)
    ? (times.toSorted((one, other) => Number(one) - Number(other)).at(-1) ?? null)
    : null

export const amountsOf = (confirmations: readonly Confirmation[]): Map<string, Ngwee> => {
  const amounts = new Map<string, Ngwee>()
  for (const { families } of confirmations)
    for (const { orderId, amount } of families.flatMap(({ orders }) => orders))
      amounts.set(orderId, (amounts.get(orderId) ?? 0) + amount)
  return amounts
}

const ordersGivenAsCredit = async (
  confirmations: readonly Confirmation[],
  accounts: CreditAccounts,
): Promise<Set<string>> => {
  const given = new Set<string>()
  for (const { userId, entryId, about } of confirmations.flatMap(lostEntries))
    if ((await accounts.of(userId)).isInForce(entryId)) given.add(about.orderId)
  return given
}

const entryOf = (confirmation: Confirmation, userId: number, what: string) => {
  const { transferId, confirmationId, transactionId } = confirmation
  return {
    userId,
    entryId: `transfer/${transferId}/${confirmationId}/${what}`,
    proof: proofOf(confirmation),
    transferId,
    kind: 'overpaid' as const,
    attemptId: null,
    reference: transactionId,
  }
}

const surplusEntries = (confirmation: Confirmation) =>
  confirmation.families.flatMap(({ userId, surplus }) => {
    const { reference, ...entry } = entryOf(confirmation, userId, String(userId))
    const text = `Paid too much ${cameBy[confirmation.method]}: K${decimalFromNgwee(surplus)}`
    return surplus === 0 ? [] : [{ ...entry, amount: surplus, about: { orderId: null, reference }, text }]
  })

const lostEntries = (confirmation: Confirmation) =>
  confirmation.families.flatMap(({ userId, orders }) =>
    orders.map(({ orderId, amount }) => {
      const { reference, ...entry } = entryOf(confirmation, userId, orderId)
      const text = `Paid ${cameBy[confirmation.method]} for a cancelled meal: K${decimalFromNgwee(amount)}`
      return { ...entry, amount, about: { orderId, reference }, text }
    }),
  )

const cameBy: Record<TransferMethod, string> = {
  airtel: 'by Airtel Money',
  mtn: 'by MTN Money',
  bank: 'by bank transfer',
  cash: 'in cash',
  other: 'by mobile money or bank',
}

/** Throws the first reason. */
export const refuseFirst = (refused: CarriedOut['refused']): never => {
  const [{ code, message }] = [...refused.values()] as [{ code: string; message: string }]
  throw new Refusal(code, message)
}
