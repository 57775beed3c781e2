import { randomUUID } from 'node:crypto'
import type { Client } from './client'
import { listMenu, type MenuItem } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import { listStudents, type Grade, type Student } from '#contracts/identity'
import { placeOrders, type CartLine, type Order } from '#contracts/ordering'
import { createPayment, recordAttempt, verifyPayment } from '#contracts/payments'
import { schoolMoment } from '#kernel/school-time'

const secondaryGrades: readonly Grade[] = ['6', '7', '8', '9', '10', '11', '12', 'teacher']
const remarks = ['No onions please', 'Small portion', 'Sauce on the side', 'Extra gravy if possible']

type Taste = { seed: number; days: { week: number; day: number }[] }

/** A cart for everybody on the account, of open and offered meals with every choice made. */
export const cartForEverybody = async (client: Client, taste: Taste): Promise<CartLine[]> => {
  const menu = await client.call(listMenu)
  const cycles = await client.call(listCycles)
  const students = await client.call(listStudents)
  const weeks = cycles.find((cycle) => cycle.isActive)?.weeks ?? []
  const open = taste.days.filter(({ week, day }) =>
    weeks.some(
      (known) => known.week === week && known.days.some((one) => one.day === day && one.state === 'open'),
    ),
  )
  return students.flatMap((student, place) =>
    open.flatMap(({ week, day }) =>
      lineFor(menu, student, week, day, taste.seed + place * 3 + week * 5 + day),
    ),
  )
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

/** `leave` never opens the payment page. */
export type Outcome = 'pay' | 'decline' | 'cancel' | 'close' | 'leave'

export const payByCard = async (client: Client, lines: CartLine[], outcome: Outcome): Promise<void> => {
  const amount = lines.reduce(
    (total, line) => total + Math.round((line.discountedPrice ?? line.originalPrice) * 100),
    0,
  )
  const { TransToken, companyRef } = await client.call(createPayment, {
    body: { amount: amount / 100, currency: 'ZMW', paymentMethod: 'CC', cartItems: lines },
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
