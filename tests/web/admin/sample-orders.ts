import type { CycleOrder, cycleOrders } from '#contracts/order-reports'
import type { MenuItem } from '#contracts/catalogue'
import type { OrderCycle } from '#contracts/cycles'
import type { ReplyOf } from '#contracts/endpoint'
import type { OrderStatus } from '#contracts/ordering'

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
  sideDishes: [],
  isAvailable: true,
  portionLimit: null,
  isArchived,
})
