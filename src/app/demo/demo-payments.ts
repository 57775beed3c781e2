import { setTimeout as pause } from 'node:timers/promises'
import { setOrderStatus } from '#contracts/kitchen'
import { cancelOrder, listOrders, type Order } from '#contracts/ordering'
import { savePaymentBypass } from '#contracts/payments'
import { verifyPending } from '#contracts/transfers'
import { completeRefund, listRefunds } from '#contracts/refunds'
import type { Client } from './client'
import { cartForEverybody, orderForEverybody, payByCard } from './ordering'

/** A parent cancels within the hour; the office cancels another, and pays one of two back. */
export const changeMinds = async (office: Client, families: Client[]) => {
  const placed = await orderForEverybody(families[3]!, { seed: 9, days: weekThree })
  for (const { id } of placed.slice(0, 2)) await families[3]!.call(cancelOrder, { params: { id } })
  const last = placed.at(-1)
  if (last) await office.call(setOrderStatus, { body: { orderIds: [last.id], status: 'cancelled' } })

  const paid = await paidOrders(families[2]!)
  for (const { id } of paid.slice(0, 2)) await families[2]!.call(cancelOrder, { params: { id } })
}

const paidOrders = async (family: Client): Promise<Order[]> => {
  await payByCard(family, await cartForEverybody(family, { seed: 5, days: weekThree }), 'pay')
  const orders = (await family.call(listOrders, { query: { includeAll: 'true' } })) as Order[]
  return orders.filter(({ weekNumber, status }) => weekNumber === 3 && status === 'pending')
}

/** Card payments are off for an afternoon: one family's mobile money is verified, another has yet to pay. */
export const payOtherwise = async (office: Client, currentPassword: string, families: Client[]) => {
  await office.call(savePaymentBypass, { body: { ...accounts, enabled: true, currentPassword } })
  const verified = await orderForEverybody(families[5]!, { seed: 2, days: weekThree })
  await office.call(verifyPending, { body: { orderIds: verified.map(({ id }) => id) } })
  await orderForEverybody(families[11]!, { seed: 7, days: weekThree })
  await office.call(savePaymentBypass, { body: { ...accounts, enabled: false } })
}

/** After a closed browser, a job finds the provider's message and makes the orders. */
export const untilServed = (family: Client) =>
  eventually('No meals came of the payment whose browser was closed', async () => {
    const orders = (await family.call(listOrders, { query: { includeAll: 'true' } })) as Order[]
    return orders[0]
  })

export const payBackOne = async (office: Client) => {
  const due = await eventually(
    'No refund became due for the cancelled orders',
    async () => (await office.call(listRefunds)).data[0],
  )
  const body = { method: 'cash', note: 'Paid at the counter' } as const
  await office.call(completeRefund, { params: { id: due.id }, body })
}

const timeoutMs = 30_000

const eventually = async <Found>(missing: string, find: () => Promise<Found | undefined>): Promise<Found> => {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error(missing)
    await pause(100)
  }
}

const weekThree = [2, 3, 4, 5].map((day) => ({ week: 3, day }))

const accounts = {
  beside: false,
  unpaidUntil: 'never' as const,
  airtelMoney: { name: 'Kabulonga Tuckshop', number: '0977 000 111' },
  mtnMoney: { name: 'Kabulonga Tuckshop', number: '0966 000 222' },
  bankTransfer: {
    bankName: 'Zanaco',
    accountName: 'Kabulonga Tuckshop',
    accountNumber: '1234567890',
    branchName: 'Lusaka Centre',
    swiftCode: 'ZNCOZMLU',
  },
}
