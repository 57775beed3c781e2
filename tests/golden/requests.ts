import { listClosures } from '#contracts/closures'
import { addStudent } from '#contracts/identity'
import { listMenuItems } from '#contracts/menu-list'
import { failedOrders } from '#contracts/payments-console'
import { listRefunds } from '#contracts/refunds'
import { listStatements } from '#contracts/transfers'
import { registerParent, staySignedIn, type Client } from '../../src/app/demo/client'
import { goldenPassword, type Stage } from './stage'

type Who = 'nobody' | 'parent' | 'office' | 'kitchen' | 'refunds'
/** Who asks, what, and with which body. */
export type AskedFor = [
  who: Who,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
]

/** The people who ask, after the golden days. */
export const askers = async (stage: Stage): Promise<Record<Who, Client>> => {
  const { url } = stage.school
  const account = {
    username: 'golden.zoe',
    password: 'golden-password',
    name: 'Zoe',
    email: 'zoe@example.org',
  }
  return {
    nobody: stage.school.visitor(),
    parent: await registerParent(url, { ...account, phone: '0977654321' }),
    office: await staySignedIn(url, 'superadmin', stage.superadminPassword),
    kitchen: await staySignedIn(url, 'golden.tablet', goldenPassword),
    refunds: await staySignedIn(url, 'golden.bursar', goldenPassword),
  }
}

/** About sixty requests to every context, with some of each kind of refusal. They are sent in this order. */
export const requestsAt = async (stage: Stage, parent: Client): Promise<AskedFor[]> => {
  const { office, cycleId, stew, soup } = stage
  const items = await office.call(listMenuItems, { query: {} })
  const statements = await office.call(listStatements, { query: {} })
  const closures = await office.call(listClosures)
  const owed = (await office.call(listRefunds, { query: {} })).data
  const refund = owed.find(({ approval }) => approval !== null)!
  const unasked = owed.find(({ approval }) => approval === null)!
  const failed = (await office.call(failedOrders, { query: {} }))[0]
  const parentId = refund.parent!.id
  const range = 'from=2026-09-14&to=2026-09-18'
  const child = { name: 'Zoe Child', grade: '9' }
  const { id: studentId } = await parent.call(addStudent, { body: { name: 'Zoe First', grade: '9' } })
  const line = { menuItemId: stew.id, weekNumber: 4, dayOfWeek: 2, category: 'beef', originalPrice: 45.5 }
  return [
    ['nobody', 'GET', '/api/portal'],
    ['nobody', 'GET', '/api/user'],
    ['nobody', 'POST', '/api/login', { username: 'golden.zoe', password: 'not-it' }],
    ['nobody', 'POST', '/api/register', { username: 'golden.zoe', password: 'golden-password', name: 'Z' }],
    ['nobody', 'GET', '/api/no-such-route'],
    ['parent', 'GET', '/api/user'],
    ['parent', 'POST', '/api/students', child],
    ['parent', 'POST', '/api/students', { name: '', grade: '99' }],
    ['parent', 'GET', '/api/students'],
    ['parent', 'GET', '/api/menu'],
    ['parent', 'GET', `/api/menu/${stew.id}`],
    ['parent', 'GET', '/api/order-cycles'],
    ['parent', 'GET', '/api/menu/portions?from=2026-09-14&to=2026-09-25'],
    ['parent', 'GET', '/api/settings/payment-bypass'],
    ['parent', 'GET', '/api/settings/cutoff-time'],
    ['parent', 'POST', '/api/orders', { cartItems: [{ ...line, studentId: 999999 }], payBy: 'airtel' }],
    ['parent', 'POST', '/api/orders', [{ ...line, studentId: 999999 }]],
    ['parent', 'POST', '/api/orders', [{ ...line, studentId }]],
    ['parent', 'POST', '/api/orders', { cartItems: [{ ...line, studentId }], payBy: 'airtel' }],
    ['parent', 'POST', '/api/orders', { cartItems: [{ ...line, studentId }], payBy: 'airtel' }],
    [
      'parent',
      'POST',
      '/api/payments/create',
      { amount: 45.5, cartItems: [{ ...line, studentId, dayOfWeek: 3 }] },
    ],
    ['parent', 'POST', `/api/orders/${studentId}.2026-10-06.1/absent`],
    ['parent', 'GET', '/api/orders?includeAll=true'],
    ['parent', 'POST', `/api/orders/${studentId}.2026-10-06.1/cancel`],
    ['parent', 'PUT', `/api/students/${studentId}/health`, { allergies: ['Milk'], diet: 'halal' }],
    ['parent', 'GET', `/api/students/${studentId}/health`],
    ['parent', 'POST', '/api/orders/1.2026-09-15.1/cancel'],
    ['parent', 'GET', '/api/credit'],
    ['parent', 'GET', '/api/refunds/own'],
    ['parent', 'GET', '/api/payments/open'],
    ['parent', 'GET', '/api/discounts/my-discount-code'],
    ['parent', 'GET', '/api/receipts/2026-000001'],
    ['parent', 'GET', '/api/user/messages'],
    ['parent', 'GET', '/api/refunds'],
    ['parent', 'PUT', '/api/profile', { name: 'Zoe Two', email: 'zoe@example.org', phone: '0977654321' }],
    ['kitchen', 'GET', '/api/orders/today'],
    ['kitchen', 'GET', '/api/orders/week/2'],
    ['kitchen', 'GET', '/api/orders/class-list?date=2026-09-17'],
    ['kitchen', 'GET', '/api/serving?date=2026-09-17'],
    ['kitchen', 'GET', '/api/serving/not-collected?date=2026-09-17'],
    ['kitchen', 'GET', '/api/kitchen/changes?date=2026-09-22'],
    ['kitchen', 'POST', '/api/kitchen/prints', { date: '2026-09-22' }],
    ['kitchen', 'GET', '/api/orders/conflicts'],
    ['kitchen', 'POST', '/api/menu', { name: 'Not mine' }],
    ['kitchen', 'POST', '/api/orders/status', { orderIds: [], status: 'completed' }],
    ['refunds', 'GET', '/api/refunds?status=all&limit=20'],
    ['refunds', 'POST', `/api/refunds/${unasked.id}/complete`, { method: 'cash' }],
    ['refunds', 'POST', `/api/refunds/${refund.id}/approve`],
    ['refunds', 'POST', '/api/refunds/1.2020-01-06.1/complete'],
    ['refunds', 'GET', '/api/payouts'],
    ['refunds', 'GET', `/api/parents/${parentId}/credit`],
    ['refunds', 'POST', `/api/parents/${parentId}/credit`, { amount: -1, reason: 'No' }],
    ['office', 'GET', `/api/families/${parentId}`],
    ['office', 'GET', '/api/find?q=esther'],
    ['office', 'GET', '/api/parents?search=golden'],
    ['office', 'GET', '/api/menu-items'],
    ['office', 'PUT', `/api/menu/${soup.id}/sold-out`, { date: '2026-09-22', soldOut: true }],
    ['office', 'DELETE', `/api/menu/${items.data[0]!.id}`],
    ['office', 'GET', `/api/order-cycles/${cycleId}/days`],
    ['office', 'POST', `/api/order-cycles/${cycleId}/closures/preview`, { dates: ['2026-09-22'] }],
    ['office', 'GET', '/api/closures'],
    ['office', 'POST', `/api/closures/${closures.data[0]!.id}/undo`],
    ['office', 'GET', '/api/order-cycles/history'],
    ['office', 'POST', '/api/order-cycles', { startDate: '2026-09-21', cycleLength: 4, blockedDays: [] }],
    ['office', 'GET', `/api/cycle-orders?cycleId=${cycleId}&pageSize=20`],
    ['office', 'GET', '/api/payments/live-orders?limit=20'],
    ['office', 'GET', '/api/payments/failed-orders'],
    ['office', 'GET', '/api/payments/failed-orders/list'],
    ['office', 'POST', `/api/payments/orders/${failed?.id ?? 'none'}/retry`],
    ['office', 'GET', '/api/payments/pending'],
    ['office', 'GET', '/api/payments/statements'],
    ['office', 'GET', `/api/payments/statements/${statements.data[0]!.id}`],
    ['office', 'PUT', '/api/payments/verify', { orderIds: ['1.2020-01-06.1'] }],
    ['office', 'GET', `/api/books/day-end?${range}`],
    ['office', 'GET', `/api/books/day-end/csv?${range}`],
    ['office', 'POST', '/api/books/closings', { date: '2026-09-16' }],
    ['office', 'POST', '/api/books/closings', { date: '2026-09-16' }],
    ['office', 'GET', '/api/books/closings'],
    ['office', 'GET', `/api/statement-of-account?${range}&parentId=${parentId}`],
    ['office', 'GET', '/api/settings/books'],
    ['office', 'GET', '/api/settings/ordering-rules'],
    ['office', 'GET', '/api/receipts/2026-000001'],
    ['office', 'GET', '/api/revenue/stats'],
    ['office', 'GET', `/api/audit/entries?about=${refund.id}`],
    ['office', 'GET', '/api/audit/entries?who=golden.head'],
    ['office', 'GET', '/api/roll'],
    ['office', 'POST', '/api/roll/promote/preview', { rename: true }],
    ['office', 'GET', '/api/discount-codes'],
    ['office', 'POST', '/api/discount-codes', { code: 'G', userId: parentId, discountPercentage: 150 }],
    ['office', 'GET', '/api/administrators'],
    ['office', 'GET', '/api/settings/allergens'],
    ['office', 'GET', '/api/settings/messages'],
    ['office', 'GET', '/api/maintenance'],
    ['parent', 'POST', '/api/logout'],
  ]
}
