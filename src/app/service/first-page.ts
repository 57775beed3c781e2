import { urlOf, type Endpoint } from '#contracts/endpoint'
import { listMenu } from '#contracts/catalogue'
import { listConflicts } from '#contracts/conflicts'
import { getCredit } from '#contracts/credit'
import { getCutoff, getCycleLength, listCycles } from '#contracts/cycles'
import { myDiscountCode } from '#contracts/discount-codes'
import { currentUser, featureNames, listStudents, portal } from '#contracts/identity'
import { kitchenToday } from '#contracts/kitchen'
import { mealMarks } from '#contracts/meal-marks'
import { listMenuItems } from '#contracts/menu-items'
import { openPayments } from '#contracts/open-payments'
import { listOrders } from '#contracts/ordering'
import { getOrderingRules } from '#contracts/ordering-rules'
import { liveOrders } from '#contracts/payments-console'
import type { FirstPage } from '#platform/http/page'
import type { Principal } from '#platform/http/route'

const url = (endpoint: Endpoint, query?: object) => urlOf(endpoint, { query })

/** What every page asks before anything else. */
const everyones = [url(currentUser), url(portal)]

/** What a family's home asks at once, whichever of its tabs is opened: the orders in the way of each role. */
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

const inConflict = url(listConflicts)
/** What stands first in a section of the console and would move the rest if it came later. */
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

/** What a visitor's first page begins with. */
export const firstPage = (who: Principal | null, { pathname, searchParams }: URL): FirstPage => {
  if (pathname !== '/') return { parts: [], reads: everyones }
  if (!who) return { screen: 'sign-in', parts: ['sign-in'], reads: everyones }
  if (who.mustChangePassword || who.mustSetUpSecondFactor) return { parts: [], reads: everyones }
  if (who.role === 'admin') {
    const section = sectionOf(who, searchParams)
    return { parts: ['admin', `admin ${section}`], reads: [...everyones, ...(sections.get(section) ?? [])] }
  }
  const parts = [who.role, searchParams.get('tab') ?? 'menu']
  return { parts, reads: [...everyones, ...families, ordersOf[who.role]] }
}

/** The section that the console opens: the one in the address, else the first one held. */
const sectionOf = ({ isSuperadmin, features }: Principal, asked: URLSearchParams) =>
  asked.get('section') ?? featureNames.find((name) => isSuperadmin || features.includes(name)) ?? 'none'

type Contact = { supportEmail: string; whatsappNumber: string }

/** The words that the page says before its scripts run: whose tuckshop it is, and how the school is reached. */
export const pageWords = (school: string, contact: () => Promise<Contact>) => async () => ({
  school,
  contact: contactWords(await contact()),
})

const contactWords = ({ supportEmail, whatsappNumber }: Contact): string => {
  const ways = [supportEmail, whatsappNumber && `WhatsApp ${whatsappNumber}`].filter(Boolean)
  return ways.length > 0 ? `: ${ways.join(', ')}` : ''
}
