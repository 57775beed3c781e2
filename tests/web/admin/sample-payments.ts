import type { AttemptItem, FailedOrder, LiveOrder } from '#contracts/payments-console'

export const attemptLine = (index: number, more: Partial<AttemptItem> = {}): AttemptItem => ({
  index,
  studentId: 11,
  student: { name: 'Chanda', grade: '4' },
  menuItem: { id: 1, name: 'Beef Stew', price: 45 },
  weekNumber: 1,
  dayOfWeek: 3,
  category: 'beef',
  sideDish: 'Nshima',
  comments: '',
  originalPrice: 45,
  discountedPrice: 45,
  discountPercentage: 0,
  orderId: null,
  reason: null,
  ...more,
})

const nothingAllowed = { retry: false, verify: false, abandon: false, accept: false, waive: false }

export const liveAttempt = (
  id: string,
  {
    allowed,
    ...more
  }: Partial<Omit<LiveOrder, 'allowed'>> & { allowed?: Partial<LiveOrder['allowed']> } = {},
): LiveOrder => ({
  id,
  createdAt: '2026-09-16T07:05:00.000Z',
  username: 'mary',
  kind: 'card',
  payBy: 'card',
  status: 'Orders created successfully',
  state: 'fulfilled',
  isRecovered: false,
  transactionId: `TOKEN-${id}`,
  reference: `LP-${id}`,
  amount: 90,
  receivedAmount: 90,
  originalAmount: 90,
  cartItems: [attemptLine(0), attemptLine(1, { dayOfWeek: 4 })],
  ...more,
  allowed: { ...nothingAllowed, ...allowed },
})

/** A page of Live Orders as the server answers it. */
export const livePage = (orders: LiveOrder[], page = 1, totalPages = 1) => ({
  data: orders,
  pagination: {
    page,
    totalPages,
    totalOrders: orders.length,
    hasPreviousPage: page > 1,
    hasNextPage: page < totalPages,
  },
})

/** Two meals of mary were paid; one became an order, the other's day is blocked. */
export const failedAttempt = (more: Partial<FailedOrder> = {}): FailedOrder => ({
  id: 'a1',
  orderDate: '2026-09-16T07:05:00.000Z',
  customer: 'mary',
  student: { name: 'Chanda', grade: '4' },
  amount: 90,
  receivedAmount: 90,
  status: 'Cannot create orders for blocked days',
  error: 'Wednesday of week 1 is blocked',
  paymentRef: 'TOKEN-a1',
  cartItems: [
    attemptLine(0, { reason: 'This day is blocked' }),
    attemptLine(1, {
      dayOfWeek: 4,
      orderId: '11.2026-09-17.1',
      menuItem: { id: 2, name: 'Soup', price: 45 },
    }),
  ],
  allowed: { retry: true, amend: true, accept: false, waive: true },
  ...more,
})

export const failedPage = (orders: FailedOrder[], page = 1, totalPages = 1) => ({
  data: orders,
  metadata: {
    total: orders.length,
    page,
    pageSize: 50,
    totalPages,
    hasPreviousPage: page > 1,
    hasNextPage: page < totalPages,
  },
})
