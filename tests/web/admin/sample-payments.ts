import type { ReplyOf } from '#contracts/endpoint'
import type { find } from '#contracts/find'
import type { AttemptItem, FailedOrder, LiveOrder } from '#contracts/payments-console'
import {
  type PendingGroup,
  type Statement,
  type StatementRow,
  pendingPayments,
  confirmStatement,
  listStatements,
  statementRows,
} from '#contracts/transfers'
import type { FakeServer } from './fake-server'

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
  parentName: 'Mary Banda',
  transfer: null,
  paidWith: null,
  kind: 'card',
  payBy: 'card',
  paidFrom: null,
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
  parentName: 'Mary Banda',
  paidWith: null,
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

/** What a listed refund says beside the meal: of Mary's family, paid with Airtel Money, and neither asked back to a card nor paid back. */
export const ofMary = {
  parent: { id: 7, username: 'mary.banda', name: 'Mary Banda', phone: '+260 971 234567' },
  payBy: 'airtel',
  paidFrom: null,
  reference: 'LP-7K3QW9',
  card: null,
  creditNote: null,
  approval: null,
  asked: null,
} as const

/** It may be completed; or nothing may be done about it. */
export const mayComplete = { complete: true, card: false, check: false, approve: false, withdraw: false }
export const mayNothing = { complete: false, card: false, check: false, approve: false, withdraw: false }

export const statement: Statement = {
  id: 7,
  source: 'airtel',
  fileName: 'november.csv',
  uploadedAt: '2026-09-16T07:05:00.000Z',
  uploadedBy: 'grace',
  counts: { open: 1, suggested: 2, exact: 1, likely: 1, confirmed: 1, ignored: 1 },
}
const mary = { id: 1, username: 'mary', name: 'Mary Banda' }
const peter = { id: 2, username: 'peter', name: '' }
export const row = (at: number, more: Partial<StatementRow>): StatementRow => ({
  id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
  at: '2026-09-15T07:05:00.000Z',
  amount: 45.5,
  payer: `PAYER ${at}`,
  phone: null,
  text: null,
  transactionId: null,
  state: 'open',
  match: null,
  named: null,
  paid: null,
  ...more,
})
const match = (certainty: 'exact' | 'likely', orderId: string): StatementRow['match'] => ({
  orderIds: [orderId],
  references: ['LP-7K3QW9'],
  parent: mary,
  parents: [mary],
  amount: 45.5,
  certainty,
  why: 'LP-7K3QW9 is in the text',
})
export const exact = row(1, {
  state: 'suggested',
  match: match('exact', 'a'),
  text: 'LP7K3QW9',
  transactionId: 'MP.1',
})
export const likely = row(2, { state: 'suggested', amount: 50, match: match('likely', 'b'), phone: '0977 1' })
export const openRow = row(3, { amount: 100 })
const confirmed = row(4, {
  state: 'confirmed',
  paid: {
    at: '2026-09-16T08:00:00Z',
    families: [{ parent: mary, orderIds: ['z'], amount: 40, surplus: 5.5 }],
  },
})
export const ignored = row(5, { state: 'ignored', at: '2026-09-14T22:00:00.000Z' })

export const metadata = (total: number) => ({
  total,
  page: 1,
  pageSize: 50,
  totalPages: 1,
  hasNextPage: false,
  hasPreviousPage: false,
})
const group = (parent: typeof mary, ...orders: [id: string, amount: number][]): PendingGroup => ({
  parentId: parent.id,
  parentUsername: parent.username,
  parentName: parent.name,
  parentPhone: null,
  totalAmount: 0,
  lapsesAt: null,
  orders: orders.map(([id, amount]) => ({
    id,
    orderDate: '2026-09-14T07:00:00.000Z',
    student: { name: 'Chanda', grade: '4' },
    menuItem: { name: `Meal ${id}` },
    weekNumber: 2,
    dayOfWeek: 5,
    amount,
    reference: 'LP-7K3QW9',
    payBy: 'airtel',
  })),
})

export const serveRows = (server: FakeServer, ...rows: StatementRow[]) =>
  server.on(statementRows, { statement, data: rows, alike: [], metadata: metadata(rows.length) })

/** A school with one statement of five rows, and two families that have yet to pay. */
export const serveStatements = (server: FakeServer) => {
  server.on(listStatements, { data: [statement], metadata: metadata(1) })
  serveRows(server, exact, likely, openRow, confirmed, ignored)
  server.on(confirmStatement, { confirmed: 1, skipped: [] })
  server.on(pendingPayments, {
    data: [group(mary, ['a', 45.5], ['b', 60]), group(peter, ['c', 30])],
    pagination: { page: 1, totalGroups: 2, totalPages: 1, hasNextPage: false, hasPreviousPage: false },
  })
}

const lapsed: ReplyOf<typeof find>['orders'][number] = {
  id: 'lapsed',
  at: '2026-09-09T07:00:00.000Z',
  username: 'zulu',
  familyId: 9,
  reference: 'LP-9KMF7T',
  student: { name: 'Zed', grade: '4' },
  menuItem: { name: 'Stew' },
  mealDate: '2026-09-10',
  price: 45.5,
  status: 'cancelled',
  paymentStatus: 'pending',
  payBy: 'airtel',
}

/** A family that has nothing to pay: one meal lapsed, one is paid for. */
export const foundByName: ReplyOf<typeof find> = {
  families: [
    {
      id: 9,
      username: 'zulu',
      name: 'Zoe Zulu',
      email: null,
      phone: null,
      role: 'parent',
      students: [],
      unpaid: 0,
    },
  ],
  payments: [],
  orders: [
    lapsed,
    { ...lapsed, id: 'paid', menuItem: { name: 'Rice' }, status: 'pending', paymentStatus: 'confirmed' },
  ],
  statementRows: [],
}
