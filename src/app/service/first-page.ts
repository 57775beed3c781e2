import { urlOf, type Endpoint } from '#contracts/endpoint'
import { listMenu, listMenuItems } from '#contracts/catalogue'
import { listConflicts, myDiscountCode } from '#contracts/order-reports'
import { getCredit } from '#contracts/credit'
import { getCutoff, getCycleLength, listCycles } from '#contracts/cycles'
import { currentUser, featureNames, listStudents, portal } from '#contracts/identity'
import { kitchenToday } from '#contracts/kitchen'
import { mealMarks } from '#contracts/health'
import { openPayments } from '#contracts/payments'
import { listOrders, getOrderingRules } from '#contracts/ordering'
import { liveOrders } from '#contracts/payments-console'
import type { FirstPage } from '#platform/http/page'
import type { Principal } from '#platform/http/route'

const url = (endpoint: Endpoint, query?: object) => urlOf(endpoint, { query })

const commonReads = [url(currentUser), url(portal)]

const families = [
  url(listStudents),
  url(listMenu),
  url(listCycles),
  url(getCutoff),
  url(mealMarks),
  url(getOrderingRules),
  url(getCredit),
  url(myDiscountCode),
  url(openPayments),
]
const ordersOf = {
  parent: url(listOrders, { includeAll: true }),
  teacher: url(listOrders, { includeAll: true, unpaginated: true }),
}

const admin = 'pages/admin'
const features = 'features'

/** Vite manifest names of the modules each home and console screen starts with. */
export const screenModules = new Map([
  ['parent', 'pages/parent/home.tsx'],
  ['teacher', 'pages/teacher/home.tsx'],
  ['cart', `${features}/cart/panel/cart-panel.tsx`],
  ['students', `${features}/students/students-panel.tsx`],
  ['orders', `${features}/orders/order-history.tsx`],
  ['admin', `${admin}/console.tsx`],
  ['admin menu', `${admin}/menu-section.tsx`],
  ['admin kitchen', `${admin}/kitchen-section.tsx`],
  ['admin cycles', `${features}/cycles-admin/cycles-screen.tsx`],
  ['admin history', `${admin}/cycle-history-section.tsx`],
  ['admin live_orders', `${admin}/live-orders-section.tsx`],
  ['admin revenue', `${features}/revenue/revenue-stats.tsx`],
  ['admin refunds', `${admin}/refunds-section.tsx`],
  ['admin admins', `${admin}/admin-users-section.tsx`],
  ['admin parents_students', `${admin}/parents-section.tsx`],
  ['admin settings', `${admin}/settings-section.tsx`],
  ['admin order_recovery', `${admin}/recovery-section.tsx`],
  ['admin pending_payments', `${admin}/pending-payments-section.tsx`],
])
const signIn = 'pages/portal/portal-entry.tsx'
const modulesOf = (...screens: string[]) =>
  screens.map((screen) => screenModules.get(screen)).filter((module) => module !== undefined)

const inConflict = url(listConflicts)
/** Reads of the topmost part of a console section, which would move the rest if it came late. */
const sections = new Map([
  [
    'kitchen',
    [
      url(kitchenToday, { page: 1, pageSize: 100 }),
      url(getCutoff),
      url(listCycles),
      url(getCycleLength),
      inConflict,
    ],
  ],
  ['menu', [inConflict, url(listMenuItems, { page: 1, archived: false })]],
  ['cycles', [url(listCycles)]],
  ['live_orders', [url(liveOrders, { page: 1 })]],
])

export const firstPage = (who: Principal | null, { pathname, searchParams }: URL): FirstPage => {
  if (pathname !== '/') return { parts: [], reads: commonReads }
  if (!who) return { parts: [signIn], reads: commonReads }
  if (who.mustChangePassword || who.mustSetUpSecondFactor) return { parts: [], reads: commonReads }
  if (who.role === 'admin') {
    const section = sectionOf(who, searchParams)
    const reads = [...commonReads, ...(sections.get(section) ?? [])]
    return { parts: modulesOf('admin', `admin ${section}`), reads }
  }
  const parts = modulesOf(who.role, searchParams.get('tab') ?? 'menu')
  return { parts, reads: [...commonReads, ...families, ordersOf[who.role]] }
}

/** The section in the address, else the first one held. */
const sectionOf = ({ isSuperadmin, features }: Principal, asked: URLSearchParams) =>
  asked.get('section') ?? featureNames.find((name) => isSuperadmin || features.includes(name)) ?? 'none'

type Contact = { supportEmail: string; whatsappNumber: string }

export const pageTexts = (contact: () => Promise<Contact>) => async () => ({
  contact: contactText(await contact()),
})

const contactText = ({ supportEmail, whatsappNumber }: Contact): string => {
  const ways = [supportEmail, whatsappNumber && `WhatsApp ${whatsappNumber}`].filter(Boolean)
  return ways.length > 0 ? `: ${ways.join(', ')}` : ''
}
