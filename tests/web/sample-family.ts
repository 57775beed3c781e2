import { waitingInvites } from '#contracts/accounts'
import { getRefundWays } from '#contracts/books'
import { type MenuItem, unknownDiets, listMenu, validateItems, listPortions } from '#contracts/catalogue'
import { getCredit } from '#contracts/credit'
import { type CycleWeek, type DayState, type OrderCycle, getCutoff, listCycles } from '#contracts/cycles'
import { myDiscounts } from '#contracts/discounts'
import type { ReplyOf } from '#contracts/endpoint'
import { mealMarks } from '#contracts/health'
import { type Student, type User, currentUser, listStudents, portal } from '#contracts/identity'
import { getUserMessages, type ShownMessages } from '#contracts/messages'
import { getOrderingRules, type OrderingRules, type Order, listOrders } from '#contracts/ordering'
import { openPayments, getPaymentBypass } from '#contracts/payments'
import { getPrivacy } from '#contracts/privacy'
import { ownRefunds } from '#contracts/refunds'
import { refusal, type FakeServer } from './admin/fake-server'

export const parent: User = {
  id: 5,
  username: 'mwila',
  name: 'Mutinta Mwila',
  email: 'mwila@example.com',
  phone: null,
  role: 'parent',
  isSuperadmin: false,
  allowedFeatures: [],
  emailVerified: true,
  mustChangePassword: false,
  secondFactor: false,
  mustSetUpSecondFactor: false,
  contactNeeded: null,
  privacy: { accepted: 1, current: 1 },
  version: 'filled',
}
export const teacher: User = { ...parent, id: 6, username: 'banda', role: 'teacher' }

const student = (id: number, name: string, grade: Student['grade']): Student => ({
  id,
  name,
  grade,
  class: null,
  admissionNumber: null,
  parent_id: 5,
  parentId: 5,
  version: 'filled',
})
export const chanda = student(1, 'Chanda', '3')
export const bwalya = student(2, 'Bwalya', '8')
export const staff = student(3, 'Mrs Mwila', 'teacher')

const meal = (id: number, name: string, more: Partial<MenuItem>): MenuItem => ({
  id,
  name,
  description: `${name} of the day`,
  price: '45',
  imageUrl: null,
  type: 'primary',
  categories: ['beef', 'chicken'],
  proteinDescriptions: { beef: 'Slow-cooked' },
  weekNumbers: [1, 2],
  daysOfWeek: [1],
  allergens: [],
  diets: unknownDiets,
  sideDishes: ['rice', 'nshima'],
  isAvailable: true,
  portionLimit: null,
  leadDays: 0,
  ingredients: [],
  isArchived: false,
  version: 'filled',
  ...more,
})
/** Stew on Mondays; pizza, which needs no choice, on Mondays and Tuesdays; burgers for the big ones on Mondays. */
export const stew = meal(1, 'Stew', {})
export const pizza = meal(2, 'Pizza', { categories: [], sideDishes: [], daysOfWeek: [1, 2], price: '40.5' })
export const burger = meal(3, 'Burger', { type: 'secondary', price: '70' })

const week = (number: number, dates: string[], states: DayState[], completed: boolean): CycleWeek => ({
  week: number,
  startDate: dates[0]!,
  endDate: dates[4]!,
  completed,
  days: dates.map((date, at) => ({
    day: at + 1,
    date,
    state: states[at]!,
    cutoffAt: `${date}T06:00:00.000Z`,
  })),
})
const dates = (first: number) =>
  [0, 1, 2, 3, 4].map((add) => `2026-09-${String(first + add).padStart(2, '0')}`)

/** Week 1 is over; of week 2 Monday and Tuesday are open, Wednesday is past its cutoff, Thursday a holiday. */
export const cycle: OrderCycle = {
  id: 7,
  isActive: true,
  startDate: '2026-09-07',
  endDate: '2026-09-18',
  cycleLength: 4,
  createdAt: '2026-09-01T08:00:00.000Z',
  blockedDays: [{ week: 2, day: 4 }],
  today: '2026-09-16',
  weeks: [
    week(1, dates(7), ['past', 'past', 'past', 'past', 'past'], true),
    week(2, dates(14), ['open', 'open', 'cutoff', 'blocked', 'open'], false),
  ],
}

/** The same cycle with other cutoffs, by date. */
export const closingAt = (cutoffs: Readonly<Record<string, string>>): OrderCycle => ({
  ...cycle,
  weeks: cycle.weeks!.map((one) => ({
    ...one,
    days: one.days.map((day) => ({ ...day, cutoffAt: cutoffs[day.date] ?? day.cutoffAt })),
  })),
})

/** In the cycle that began on 7 September. */
const dateOf = ({ weekNumber = 2, dayOfWeek = 1 }: Partial<Order>) =>
  new Date(Date.UTC(2026, 8, 7 * weekNumber + dayOfWeek - 1)).toISOString().slice(0, 10)

type More = Omit<Partial<Order>, 'allowed'> & { allowed?: Partial<Order['allowed']> }

export const order = ({ allowed, ...more }: More = {}): Order => ({
  id: '1.2026-09-21.1',
  orderDate: '2026-09-14T06:05:00.000Z',
  studentId: 1,
  student: { name: 'Chanda', grade: '3' },
  menuItem: { id: 1, name: 'Stew', type: 'primary' },
  cycleId: 7,
  weekNumber: 2,
  dayOfWeek: 1,
  mealDate: dateOf(more),
  category: 'beef',
  sideDish: 'rice',
  comments: '',
  originalPrice: 45,
  discountedPrice: 45,
  discountPercentage: 0,
  status: 'pending',
  paymentStatus: 'confirmed',
  payBy: 'card',
  receiptNumber: null,
  absent: false,
  given: null,
  why: {},
  cancellableUntil: '2026-09-14T07:05:00.000Z',
  ...more,
  allowed: { cancel: true, asPaidForMs: 3_600_000, change: false, move: false, absent: false, ...allowed },
})

/** The school's rules as they are until they are set. */
export const orderingRules: OrderingRules = {
  cancelUntil: 'hour',
  lateRemedy: 'credit',
  absence: 'none',
  absencePercent: 100,
  lowPortions: 10,
  plans: false,
  buyingMargin: 5,
}

/** A school that sends mails alone. */
export const userMessages: ShownMessages = {
  channel: 'mail',
  reminders: true,
  smsOffered: false,
  phoneVerified: false,
  codeUntil: null,
  goesTo: ['mail'],
  remindersOffered: false,
  version: 'filled',
}

/** A school day at the tuckshop, for a family of two children. */
export const privacyNotice: ReplyOf<typeof getPrivacy> = {
  version: 1,
  since: '2026-09-01T06:00:00.000Z',
  schoolName: 'Hill School',
  supportEmail: 'office@example.com',
  whatsappNumber: '',
  dataProtectionOfficer: 'Mrs Tembo, 0977 000 111',
  sections: [{ title: 'Who keeps it', paragraphs: ['Hill School keeps it.'] }],
  kept: [{ what: 'Where you are logged in', kept: '14 days' }],
}

export const serveFamily = (server: FakeServer): void => {
  server.on(currentUser, () => refusal(401, 'not_signed_in', 'Not signed in'))
  server.on(portal, {
    schoolName: 'Hill School',
    timezone: 'Africa/Lusaka',
    demo: false,
    now: new Date().toISOString(),
  })
  server.on(getRefundWays, { card: false })
  server.on(getPrivacy, privacyNotice)
  server.on(waitingInvites, [])
  server.on(listStudents, [chanda, bwalya])
  server.on(listMenu, [stew, pizza, burger])
  server.on(listCycles, [cycle])
  server.on(getCutoff, { cutoffHour: 8, cutoffMinute: 0, daysBefore: 0, schoolDaysOnly: true })
  server.on(listOrders, [])
  server.on(getOrderingRules, orderingRules)
  server.on(mealMarks, { rule: 'block', students: [] })
  server.on(listPortions, { data: [] })
  server.on(openPayments, { data: [] })
  server.on(ownRefunds, { data: [] })
  server.on(getCredit, { balance: 0, held: 0, entries: [] })
  server.on(getUserMessages, userMessages)
  server.on(myDiscounts, { account: null, children: [] })
  server.on(validateItems, { valid: true, unavailable: [], archived: [], missing: [] })
  server.on(getPaymentBypass, {
    enabled: false,
    beside: false,
    prompt: false,
    unpaidUntil: 'never',
    airtelMoney: { name: '', number: '' },
    mtnMoney: { name: '', number: '' },
    bankTransfer: { bankName: '', accountName: '', accountNumber: '', branchName: '', swiftCode: '' },
  })
}
