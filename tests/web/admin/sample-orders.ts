import { type MenuItem, unknownDiets } from '#contracts/catalogue'
import { type getClosure, cycleDays } from '#contracts/closures'
import { type OrderCycle, listCycles, cycleHistory } from '#contracts/cycles'
import type { ReplyOf } from '#contracts/endpoint'
import type { CycleOrder, cycleOrders } from '#contracts/order-reports'
import type { OrderStatus } from '#contracts/ordering'
import type { FakeServer } from './fake-server'

const allowed: Record<OrderStatus, CycleOrder['allowed']> = {
  pending: { completed: true, pending: false, cancelled: true },
  completed: { completed: false, pending: true, cancelled: true },
  cancelled: { completed: false, pending: true, cancelled: false },
  refunded: { completed: false, pending: false, cancelled: false },
}

/** Chanda's paid and pending Beef Stew on Tuesday of week 1. */
export const historyOrder = (id: string, more: Partial<CycleOrder> = {}): CycleOrder => {
  const status: OrderStatus = more.status ?? 'pending'
  return {
    id,
    orderDate: '2026-09-14T05:05:00.000Z',
    student: { name: 'Chanda', grade: '4' },
    menuItem: { id: 3, name: 'Beef Stew' },
    cartItems: [{ menuItem: { name: 'Beef Stew' }, category: 'beef', sideDish: 'Nshima' }],
    cycleId: 7,
    cycle: { startDate: '2026-09-14' },
    weekNumber: 1,
    dayOfWeek: 2,
    category: 'beef',
    sideDish: 'Nshima',
    comments: '',
    originalPrice: 45.5,
    discountedPrice: 45.5,
    discountPercentage: 0,
    paymentStatus: 'confirmed',
    owedIfCancelled: 0,
    ...more,
    status,
    allowed: allowed[status],
  }
}

/** A page of the history as the server answers it. */
export const historyPage = (
  data: CycleOrder[],
  { page = 1, pageSize = 10, total = data.length, next = null as string | null } = {},
): ReplyOf<typeof cycleOrders> => {
  const totalPages = Math.max(1, Math.ceil(total / pageSize))
  return {
    data,
    metadata: {
      total,
      page,
      pageSize,
      totalPages,
      hasNextPage: page < totalPages,
      hasPreviousPage: page > 1,
      next,
    },
  }
}

export const autumnCycle: OrderCycle = {
  id: 7,
  isActive: true,
  startDate: '2026-09-14',
  endDate: '2026-10-09',
  cycleLength: 4,
  createdAt: '2026-09-10T08:00:00.000Z',
  blockedDays: [],
  today: '2026-09-16',
}

export const dish = (id: number, name: string, isArchived = false): MenuItem => ({
  id,
  name,
  description: null,
  price: '45.50',
  imageUrl: null,
  type: 'primary',
  categories: ['beef'],
  proteinDescriptions: {},
  weekNumbers: [1],
  daysOfWeek: [1],
  allergens: [],
  diets: unknownDiets,
  sideDishes: [],
  isAvailable: true,
  portionLimit: null,
  leadDays: 0,
  ingredients: [],
  isArchived,
  version: 'filled',
})

export type Day = ReplyOf<typeof cycleDays>['days'][number]
type Closure = ReplyOf<typeof getClosure>

export const cycle: OrderCycle = {
  id: 8,
  isActive: true,
  startDate: '2026-09-14',
  endDate: '2026-10-09',
  cycleLength: 4,
  createdAt: '2026-09-10T08:00:00.000Z',
  blockedDays: [],
}

export const day = (date: string, more: Partial<Day> = {}): Day => ({
  date,
  week: date < '2026-09-21' ? 1 : 2,
  day: ((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7) + 1,
  state: 'open',
  closure: null,
  closures: [],
  orders: 0,
  unpaid: 0,
  amount: 0,
  ...more,
})

export const closed = {
  id: 'c1',
  reason: 'Heroes Day',
  closedAt: '2026-09-11T06:30:00.000Z',
  closedBy: 'grace',
  canUndo: true,
}
export const week = [
  day('2026-09-14', { state: 'past', orders: 7, amount: 87.5 }),
  day('2026-09-15', { state: 'cutoff', orders: 1, amount: 12.5 }),
  day('2026-09-16', { orders: 49, unpaid: 3, amount: 612.5 }),
  day('2026-09-17', { state: 'blocked', closure: closed }),
  day('2026-09-18'),
  day('2026-09-21'),
]

export const closure: Closure = {
  id: 'c2',
  dates: ['2026-09-16'],
  done: 49,
  total: 49,
  cancelled: 47,
  unpaidCancelled: 3,
  owed: 575,
  families: 40,
  notTold: 2,
  skipped: [
    { orderId: '3.2026-09-16.1', code: 'already_completed', message: 'Order is already completed' },
    { orderId: '4.2026-09-16.1', code: 'already_completed', message: 'Order is already completed' },
  ],
}
export const would = {
  orders: 49,
  students: 45,
  families: 40,
  unpaid: 3,
  completed: 2,
  paidAmount: 575,
  paymentsUnderWay: 20,
}

/** The cycles, and these days for each of them. */
export const serveDays = (server: FakeServer, days: Day[], ...cycles: OrderCycle[]) => {
  server.on(listCycles, cycles)
  server.on(cycleDays, { days })
  server.on(cycleHistory, {
    data: cycles.map((one) => ({ ...one, cycleId: one.id, totalOrders: 1, totalRevenue: 1 })),
    metadata: {
      total: cycles.length,
      page: 1,
      pageSize: 10,
      totalPages: 1,
      hasNextPage: false,
      hasPreviousPage: false,
    },
  })
}
