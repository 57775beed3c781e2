import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { listMenu, type MenuItem } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import { myDiscounts, pricedFor } from '#contracts/discounts'
import { currentUser, listStudents, type Grade, type Student } from '#contracts/identity'
import { setOrderStatus } from '#contracts/kitchen'
import {
  placeOrders,
  cancelOrder,
  listOrders,
  orderForFamily,
  type CartLine,
  type Order,
} from '#contracts/ordering'
import { createPayment, recordAttempt, verifyPayment, savePaymentBypass } from '#contracts/payments'
import { completeRefund, listRefunds } from '#contracts/refunds'
import { sendMarks, serving } from '#contracts/serving'
import { verifyPending } from '#contracts/transfers'
import { schoolMoment } from '#kernel/school-time'
import type { Client } from './client'

const secondaryGrades: readonly Grade[] = ['6', '7', '8', '9', '10', '11', '12', 'teacher']
const remarks = ['No onions please', 'Small portion', 'Sauce on the side', 'Extra gravy if possible']

type Taste = { seed: number; days: { week: number; day: number }[] }

/** A cart for everybody on the account, of open and offered meals with every choice made. */
export const cartForEverybody = async (client: Client, taste: Taste): Promise<CartLine[]> => {
  const menu = await client.call(listMenu)
  const { children } = await client.call(myDiscounts)
  const off = new Map(children.map((child) => [child.studentId, child.discountPercentage]))
  const cycles = await client.call(listCycles)
  const students = await client.call(listStudents)
  const weeks = cycles.find((cycle) => cycle.isActive)?.weeks ?? []
  const open = taste.days.filter(({ week, day }) =>
    weeks.some(
      (known) => known.week === week && known.days.some((one) => one.day === day && one.state === 'open'),
    ),
  )
  return students.flatMap((student, place) => {
    const priced = menu.map((item) => pricedFor(item, off.get(student.id) ?? 0))
    return open.flatMap(({ week, day }) =>
      lineFor(priced, student, week, day, taste.seed + place * 3 + week * 5 + day),
    )
  })
}

export const orderForEverybody = async (client: Client, taste: Taste): Promise<Order[]> => {
  const lines = await cartForEverybody(client, taste)
  if (lines.length === 0) return []
  const { orders } = await client.call(placeOrders, {
    body: lines,
    headers: { 'idempotency-key': randomUUID() },
  })
  return orders
}

const lineFor = (
  menu: MenuItem[],
  student: Student,
  week: number,
  day: number,
  choice: number,
): CartLine[] => {
  const type = secondaryGrades.includes(student.grade) ? 'secondary' : 'primary'
  const offered = menu.filter(
    (item) =>
      item.type === type &&
      item.isAvailable &&
      item.weekNumbers.includes(week) &&
      item.daysOfWeek.includes(day),
  )
  const item = offered[choice % Math.max(offered.length, 1)]
  if (!item) return []
  const price = Number(item.price)
  return [
    {
      menuItemId: item.id,
      studentId: student.id,
      weekNumber: week,
      dayOfWeek: day,
      category: item.categories[choice % item.categories.length] ?? null,
      sideDish:
        student.grade === 'teacher'
          ? null
          : (item.sideDishes[choice % Math.max(item.sideDishes.length, 1)] ?? null),
      comments: choice % 6 === 0 ? remarks[choice % remarks.length]! : '',
      originalPrice: price,
      discountedPrice: Number(item.discountPrice ?? item.price),
      discountPercentage: item.discountPercentage ?? 0,
    },
  ]
}

/** In kwacha. */
export const amountOf = (lines: CartLine[]): number =>
  lines.reduce((total, line) => total + Math.round((line.discountedPrice ?? line.originalPrice) * 100), 0) /
  100

/** `leave` never opens the payment page. */
export type Outcome = 'pay' | 'decline' | 'cancel' | 'close' | 'leave'

export const payByCard = async (client: Client, lines: CartLine[], outcome: Outcome): Promise<void> => {
  const { TransToken, companyRef } = await client.call(createPayment, {
    body: { amount: amountOf(lines), currency: 'ZMW', paymentMethod: 'CC', cartItems: lines },
    headers: { 'idempotency-key': randomUUID() },
  })
  await client.call(recordAttempt, {
    body: { transactionId: TransToken, transactionRef: companyRef, transactionStatus: 'initiated' },
  })
  if (outcome === 'leave') return
  const form = new URLSearchParams({ outcome })
  await client.fetch(`/sandbox/pay/${TransToken}`, { method: 'POST', body: form })
  if (outcome !== 'close') await client.call(verifyPayment, { params: { transactionId: TransToken } })
}

/** A day of the demonstration's cycle, `day` 1 (Monday) to 5. */
export type SchoolDay = { week: number; day: number }

/** Today, or at a weekend the next Monday. */
export const firstKitchenDay = (opening: Date, zone: string): SchoolDay => {
  const { weekday } = schoolMoment(opening, zone)
  return weekday <= 5 ? { week: 1, day: weekday } : { week: 2, day: 1 }
}

export const daysOf = (index: number, kitchenWeek: number): SchoolDay[] =>
  [1, 2].flatMap((week) =>
    [1, 2, 3, 4, 5]
      .filter((day) => (week <= kitchenWeek ? (index + day) % 5 !== 0 : (index + day) % 3 === 0))
      .map((day) => ({ week, day })),
  )

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

/** Card payments are off for an afternoon: one family's mobile money is verified, another has yet to pay. Then both ways are open. */
export const payOtherwise = async (office: Client, currentPassword: string, families: Client[]) => {
  await office.call(savePaymentBypass, {
    body: { ...accounts, enabled: true, beside: false, currentPassword },
  })
  const verified = await orderForEverybody(families[5]!, { seed: 2, days: weekThree })
  await office.call(verifyPending, { body: { orderIds: verified.map(({ id }) => id) } })
  await orderForEverybody(families[11]!, { seed: 7, days: weekThree })
  await openEveryWay(office, currentPassword)
}

/** Transfers beside the card; with prompts mobile money is paid at once. */
export const openEveryWay = (office: Client, currentPassword: string, prompt = true) =>
  office.call(savePaymentBypass, {
    body: { ...accounts, prompt, enabled: false, beside: true, currentPassword },
  })

/** A grandmother without a phone pays in cash at the office, which orders for the children. */
export const orderAtCounter = async (office: Client, family: Client) => {
  const { id: parentId } = await family.call(currentUser)
  const cartItems = await cartForEverybody(family, { seed: 4, days: weekThree.slice(0, 2) })
  if (cartItems.length === 0) return
  await office.call(orderForFamily, {
    params: { parentId },
    body: { cartItems, payBy: 'cash', received: true, note: 'Paid by the grandmother' },
    headers: { 'idempotency-key': randomUUID() },
  })
}

const everyMs = 20_000
const hatchOpenMs = 50 * 60_000
const marksAtOnce = 500

/** The hatch gives the lunches of a day (`YYYY-MM-DD`) out within 50 minutes; every ninth child does not come. */
export const handOut = async (kitchen: Client, date: string, from: Date): Promise<void> => {
  const { lunches } = await kitchen.call(serving, { query: { date } })
  const marks = lunches.map(({ orderId }, place) => ({
    markId: randomUUID(),
    orderId,
    kind: place % 9 === 4 ? ('absent' as const) : ('given' as const),
    at: new Date(from.getTime() + ((place * everyMs) % hatchOpenMs)).toISOString(),
  }))
  for (let sent = 0; sent < marks.length; sent += marksAtOnce)
    await kitchen.call(sendMarks, { body: { marks: marks.slice(sent, sent + marksAtOnce) } })
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

export const eventually = async <Found>(
  missing: string,
  find: () => Promise<Found | undefined>,
): Promise<Found> => {
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
  prompt: true,
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
