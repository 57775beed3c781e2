import type { Registry } from 'prom-client'
import { listMenu } from '#contracts/catalogue'
import { listClosures } from '#contracts/closures'
import { getCredit } from '#contracts/credit'
import { getCutoff, getCycleLength, listCycles } from '#contracts/cycles'
import { myDiscounts } from '#contracts/discounts'
import { urlOf, type Endpoint } from '#contracts/endpoint'
import { beginsWithToday, today, todayFigures } from '#contracts/find'
import { mealMarks } from '#contracts/health'
import { currentUser, featureNames, listStudents, portal } from '#contracts/identity'
import { kitchenToday } from '#contracts/kitchen'
import { listMenuItems } from '#contracts/menu-list'
import { listConflicts } from '#contracts/order-reports'
import { listOrders, getOrderingRules } from '#contracts/ordering'
import { openPayments } from '#contracts/payments'
import { liveOrders } from '#contracts/payments-console'
import { StartError } from '#platform/failures'
import { httpServer, type Readiness, type Listening } from '#platform/http/http-server'
import type { FirstPage } from '#platform/http/page'
import type { ConsumeCall } from '#platform/http/rate-limits'
import { holdsOneOf, type Route, type Principal } from '#platform/http/route'
import type { Module } from '#platform/module'
import type { Ports } from '#platform/ports'
import type { RequestKeys } from '#platform/request-keys'
import type { compose } from '../compose'
import type { Config, Environment } from '../config'
import { devMailRoutes } from './dev-mail'

type Needs = {
  config: Config
  school: Pick<ReturnType<typeof compose>, 'modules' | 'sessions' | 'contact'>
  routes: Route[][]
  environment: Environment
  sessionKeys: string[]
  rateLimits: ConsumeCall | 'off'
  requestKeys: RequestKeys
  viewsInclude: Ports['viewsInclude']
  metrics: Registry
  readiness: () => Promise<Readiness>
}

/** A worker answers health checks only. Throws StartError when the port is taken. */
export const serve = async (needs: Needs): Promise<Listening> => {
  const { config, school, environment } = needs
  const worker = config.ROLE === 'worker'
  const server = httpServer({
    routes: needs.routes,
    refusals: refusalsOf(school.modules),
    sessions: school.sessions,
    rateLimits: needs.rateLimits,
    requestKeys: needs.requestKeys,
    viewsInclude: needs.viewsInclude,
    log: environment.log,
    now: environment.now,
    metrics: needs.metrics,
    metricsToken: config.METRICS_TOKEN,
    publicUrl: config.publicUrl,
    sessionKeys: needs.sessionKeys,
    trustProxy: config.TRUST_PROXY,
    localPaths: localPathsOf(config, environment.demo),
    webRoot: worker ? null : environment.webRoot,
    page: { firstPage, words: pageTexts(school.contact) },
    readiness: needs.readiness,
  })
  return server.listen(config.PORT, config.HOST).catch(explainPort(config))
}

/** A demonstration shows everything to everybody; its health is no secret. */
const localPathsOf = ({ standInsAreLocal, production }: Config, demo: boolean): RegExp | undefined => {
  if (!standInsAreLocal || production) return undefined
  return demo ? /^(?!\/(?:healthz|readyz)$)/ : /^\/(?:sandbox|dev)(?:\/|$)/i
}

export const routesOf = (
  { modules, cards }: ReturnType<typeof compose>,
  config: Config,
  webRoot: string | null,
): Route[][] => {
  if (config.ROLE === 'worker') return []
  const { DATA_DIR: dataDir, SCHOOL_NAME: schoolName, SCHOOL_TIMEZONE: zone } = config
  const mails =
    config.SMTP_URL || config.production ? [] : devMailRoutes({ dataDir, schoolName, zone, webRoot })
  return [...modules.map(({ routes }) => routes), cards.routes, mails]
}

/** Throws when two modules give one code different statuses. */
const refusalsOf = (modules: Module[]): Record<string, number> => {
  const all: Record<string, number> = {}
  for (const { name, refusals } of modules)
    for (const [code, status] of Object.entries(refusals)) {
      if ((all[code] ?? status) !== status)
        throw new Error(`${name} gives ${code} another status than a sibling`)
      all[code] = status
    }
  return all
}

const explainPort =
  ({ PORT, HOST }: Config) =>
  (error: NodeJS.ErrnoException): never => {
    const reasons: Record<string, string> = {
      EADDRINUSE: 'is taken by another program',
      EACCES: 'may not be used by this user',
      EADDRNOTAVAIL: 'is not on this machine',
    }
    const reason = reasons[error.code ?? '']
    if (!reason) throw error
    throw new StartError(`Port ${PORT} on ${HOST} ${reason}: set PORT (or HOST) to another.`)
  }

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
  url(myDiscounts),
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
  ['admin revenue', `${admin}/revenue-section.tsx`],
  ['admin refunds', `${admin}/refunds-section.tsx`],
  ['admin admins', `${admin}/admin-users-section.tsx`],
  ['admin parents_students', `${admin}/parents-section.tsx`],
  ['admin settings', `${admin}/settings-section.tsx`],
  ['admin order_recovery', `${admin}/recovery-section.tsx`],
  ['admin pending_payments', `${admin}/pending-payments-section.tsx`],
  ['admin today', `${admin}/today-section.tsx`],
])
const signIn = 'pages/portal/portal-entry.tsx'
const modulesOf = (...screens: string[]) =>
  screens.map((screen) => screenModules.get(screen)).filter((module) => module !== undefined)

const inConflict = url(listConflicts)
/** Reads of the topmost part of a console section, which would move the rest if it came late. */
const sections = new Map([
  [
    'kitchen',
    [url(kitchenToday, { page: 1, pageSize: 100 }), url(listCycles), url(getCycleLength), inConflict],
  ],
  ['menu', [inConflict, url(listMenuItems, { page: 1, archived: false })]],
  ['cycles', [url(listCycles), url(listClosures)]],
  ['live_orders', [url(liveOrders, { page: 1 })]],
  ['today', [url(todayFigures), url(today), inConflict]],
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

/** The section in the address, else the first one held, or today in place of one of money. */
const sectionOf = (user: Principal, asked: URLSearchParams) => {
  const held = featureNames.filter((name) => holdsOneOf(user, name))
  return asked.get('section') ?? (beginsWithToday(held) ? 'today' : (held[0] ?? 'none'))
}

type Contact = { supportEmail: string; whatsappNumber: string }

const pageTexts = (contact: () => Promise<Contact>) => async () => ({
  contact: contactText(await contact()),
})

const contactText = ({ supportEmail, whatsappNumber }: Contact): string => {
  const ways = [supportEmail, whatsappNumber && `WhatsApp ${whatsappNumber}`].filter(Boolean)
  return ways.length > 0 ? `: ${ways.join(', ')}` : ''
}
