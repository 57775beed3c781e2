import { type Ngwee, sum } from '#kernel/money'
import { kwacha } from '../history/entry'
import type { Ledger, LedgerTransfer } from './ledger'

const graceMs = 3_600_000

/** Contradictions among transfers, the orders they pay and the credit from them, one sentence each. Skips the last hour. */
export const transferFaults = (ledger: Ledger, now: Date): string[] => {
  const isRecent = ({ changed_at }: { changed_at: string }) =>
    now.getTime() - Date.parse(changed_at) <= graceMs
  const recent = [...ledger.transfers.values()].filter(isRecent)
  const unsettled = new Set(recent.flatMap(orderIdsOf))
  return [
    ...[...ledger.transfers.values()].flatMap((transfer) => sumFaults(transfer)),
    ...[...ledger.transfers.values()]
      .filter((one) => !isRecent(one))
      .flatMap((one) => creditFaults(one, ledger)),
    ...orderFaults(ledger, unsettled),
  ]
}

const sumFaults = ({ id, amount, families }: LedgerTransfer): string[] => {
  const parts = sum(
    families.flatMap(({ orders, surplus }) => [surplus, ...orders.map((order) => order.amount)]),
  )
  return parts === amount
    ? []
    : [`Transfer ${id} brought ${kwacha(amount)}, and pays ${kwacha(parts)} in all.`]
}

const creditFaults = (transfer: LedgerTransfer, { creditGiven }: Ledger): string[] =>
  transfer.families.flatMap(({ userId, surplus }) => {
    const given = creditGiven.get(entryOf(transfer, String(userId)))
    const isGiven = given?.stands === true
    if (surplus === 0 || isGiven === transfer.stands) return []
    const what = transfer.stands ? 'was never given' : 'still stands, though it was undone'
    return [`The surplus of ${kwacha(surplus)} of transfer ${transfer.id} for user ${userId} ${what}.`]
  })

/** An order's money equals what active transfers pay for it, less what became credit. */
const orderFaults = (
  { transfers, orders, creditGiven }: Ledger,
  unsettled: ReadonlySet<string>,
): string[] => {
  const paid = new Map<string, Ngwee>()
  for (const transfer of transfers.values())
    for (const { orderId, amount } of transfer.stands ? ordersOf(transfer) : [])
      if (creditGiven.get(entryOf(transfer, orderId))?.stands !== true)
        paid.set(orderId, (paid.get(orderId) ?? 0) + amount)
  const byTransfer = [...orders.values()].filter(({ transfer_id }) => transfer_id !== null)
  return [...new Set([...paid.keys(), ...byTransfer.map(({ id }) => id)])].flatMap((id) => {
    const order = orders.get(id)
    const [told, brought] = [order?.transfer_id ? order.money : 0, paid.get(id) ?? 0]
    return told === brought || unsettled.has(id)
      ? []
      : [`Order ${id} counts ${kwacha(told)} as paid by transfers, and these pay ${kwacha(brought)} for it.`]
  })
}

const entryOf = ({ id, confirmation_id }: LedgerTransfer, what: string): string =>
  `transfer/${id}/${confirmation_id}/${what}`

const ordersOf = ({ families }: LedgerTransfer) => families.flatMap(({ orders }) => orders)
const orderIdsOf = (transfer: LedgerTransfer): string[] => ordersOf(transfer).map(({ orderId }) => orderId)
