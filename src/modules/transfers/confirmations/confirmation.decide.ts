import { List } from 'immutable'
import { eventReader, type Decider, type EventOf } from '#kernel/event'
import { decimalFromNgwee, type Ngwee, sum } from '#kernel/money'
import { Refusal } from '#kernel/refusal'
import type { OrderToPay } from '#modules/ordering/index'
import { transferConfirmed, transferUndone, type PaidFamily } from '../events'
import { refusal } from '../refusals'
import type { StatementRow } from '../statements/statement-row'

const transferEventTypes = [transferConfirmed, transferUndone] as const
export type TransferEvent = EventOf<(typeof transferEventTypes)[number]>

export type Confirmation = EventOf<typeof transferConfirmed>['data']

export type Transfer = { standing: Confirmation | null; undone: List<Confirmation> }

type Confirm = { kind: 'confirm'; confirmation: Omit<Confirmation, 'at'>; now: Date }
type Undo = { kind: 'undo'; by: number; now: Date }
type TransferCommand = Confirm | Undo

const evolve = (transfer: Transfer, event: TransferEvent): Transfer => {
  if (event.type === transferConfirmed.type) return { ...transfer, standing: event.data }
  const { standing, undone } = transfer
  return { standing: null, undone: standing ? undone.push(standing) : undone }
}

const decide = (command: TransferCommand, transfer: Transfer): TransferEvent[] => {
  switch (command.kind) {
    case 'confirm':
      return confirm(command, transfer)
    case 'undo':
      return undo(command, transfer)
  }
}

export const transferDecider = {
  streamOf: (transferId: string): string => `transfer-${transferId}`,
  read: eventReader(...transferEventTypes),
  initial: { standing: null, undone: List() },
  evolve,
  decide,
} satisfies Decider<Transfer, TransferCommand, TransferEvent> & Record<string, unknown>

/** A transaction pays once: a second confirmation finds the first. */
const confirm = ({ confirmation, now }: Confirm, { standing, undone }: Transfer): TransferEvent[] => {
  const { confirmationId } = confirmation
  if (standing?.confirmationId === confirmationId) return []
  if (standing) throw refusal('row_confirmed')
  if (undone.some((earlier) => earlier.confirmationId === confirmationId)) throw refusal('undone_since')
  return [transferConfirmed({ ...confirmation, at: now.toISOString() })]
}

const undo = ({ by, now }: Undo, { standing }: Transfer): TransferEvent[] => {
  if (!standing) return []
  const { transferId, confirmationId, families, method } = standing
  return [transferUndone({ transferId, confirmationId, by, families, method, at: now.toISOString() })]
}

export type IncomingMoney = Pick<
  Confirmation,
  'transferId' | 'rowId' | 'countedIn' | 'method' | 'transactionId' | 'amount' | 'payer' | 'phone' | 'note'
> & { paidAt: Date | null }

export type RequestedTransfer = {
  money: IncomingMoney
  orderIds: readonly string[]
  surplusTo: number | null
}

export const paidTogether = <Asked extends Pick<RequestedTransfer, 'orderIds'>>(
  asked: readonly Asked[],
): Asked[][] => {
  let groups: { orderIds: Set<string>; asked: Asked[] }[] = []
  for (const one of asked) {
    const joins = groups.filter(({ orderIds }) => one.orderIds.some((id) => orderIds.has(id)))
    const orderIds = new Set([...joins.flatMap((group) => [...group.orderIds]), ...one.orderIds])
    const joined = { orderIds, asked: [...joins.flatMap((group) => group.asked), one] }
    groups = [...groups.filter((group) => !joins.includes(group)), joined]
  }
  return groups.map((group) => group.asked)
}

type Claim = { userId: number; orderId: string | null; amount: Ngwee }

/** Lapsed meals that cannot be restored, or are in `gone`, become credit. Throws `short`, `surplus_to` or a refusal of an order. */
export const familiesPaid = (
  asked: readonly RequestedTransfer[],
  orders: readonly OrderToPay[],
  gone: ReadonlySet<string>,
): PaidFamily[][] => {
  const claims = orderClaims(asked, orders, gone)
  const money = sum(asked.map(({ money: { amount } }) => amount))
  const rest = money - sum(claims.map(({ amount }) => amount))
  if (rest < 0) throw short(-rest)
  if (rest > 0) claims.push({ userId: surplusTo(asked, claims), orderId: null, amount: rest })
  return asked.map(({ money: { amount } }) => familiesOf(taken(claims, amount)))
}

const orderClaims = (
  asked: readonly RequestedTransfer[],
  orders: readonly OrderToPay[],
  gone: ReadonlySet<string>,
): Claim[] => {
  const byId = new Map(orders.map((order) => [order.id, order]))
  const claims = [...new Set(asked.flatMap(({ orderIds }) => orderIds))].map((id): Claim => {
    const order = byId.get(id)
    if (!order) throw refusal('order_not_found')
    if (order.state === 'paid') throw refusal('already_paid')
    if (order.state !== 'unpaid' && order.state !== 'lapsed') throw goneRefusal(order)
    const isLost = order.state === 'lapsed' && (!order.restorable || gone.has(id))
    return { userId: order.userId, orderId: isLost ? null : id, amount: order.toPay }
  })
  return claims.toSorted((one, other) => Number(one.orderId === null) - Number(other.orderId === null))
}

const goneRefusal = ({ gone }: OrderToPay) => new Refusal(gone!.code, gone!.message)

const short = (missing: Ngwee) => {
  const { code } = refusal('short')
  return new Refusal(code, `K${decimalFromNgwee(missing)} is missing for these meals`)
}

const surplusTo = (asked: readonly RequestedTransfer[], claims: readonly Claim[]): number => {
  const families = [...new Set(claims.map(({ userId }) => userId))]
  const wanted = asked.find((one) => one.surplusTo !== null)?.surplusTo ?? families[0]
  const isClear = families.length === 1 || asked.some((one) => one.surplusTo !== null)
  const isPaid = families.length === 0 || (wanted !== undefined && families.includes(wanted))
  if (wanted === undefined || !isClear || !isPaid) throw refusal('surplus_to')
  return wanted
}

const taken = (claims: Claim[], amount: Ngwee): Claim[] => {
  const parts: Claim[] = []
  for (let left = amount; left > 0 || claims[0]?.amount === 0;) {
    const claim = claims[0]!
    const part = Math.min(left, claim.amount)
    parts.push({ ...claim, amount: part })
    left -= part
    if (part === claim.amount) claims.shift()
    else claims[0] = { ...claim, amount: claim.amount - part }
  }
  return parts
}

const familiesOf = (parts: readonly Claim[]): PaidFamily[] =>
  [...new Set(parts.map(({ userId }) => userId))].map((userId) => {
    const own = parts.filter((part) => part.userId === userId)
    return {
      userId,
      orders: own.flatMap(({ orderId, amount }) => (orderId === null ? [] : [{ orderId, amount }])),
      surplus: sum(own.flatMap(({ orderId, amount }) => (orderId === null ? [amount] : []))),
    }
  })

export const moneyOfRow = ({
  id,
  method,
  transactionId,
  at,
  amount,
  payer,
  phone,
  countedIn,
}: StatementRow): IncomingMoney => ({
  transferId: id,
  rowId: id,
  ...(countedIn && { countedIn }),
  method,
  transactionId,
  paidAt: at,
  amount,
  payer,
  ...(phone !== null && { phone }),
  note: null,
})
