import { urlOf, type Endpoint } from '#contracts/endpoint'
import { currentUser, featureNames, portal } from '#contracts/identity'
import type { FirstPage } from '#platform/http/page'
import type { Principal } from '#platform/http/route'

const url = (endpoint: Endpoint, query?: object) => urlOf(endpoint, { query })

/** What every page asks before anything else. */
const everyones = [url(currentUser), url(portal)]

/** What a visitor's first page begins with. */
export const firstPage = (who: Principal | null, { pathname, searchParams }: URL): FirstPage => {
  if (pathname !== '/') return { parts: [], reads: everyones }
  if (!who) return { screen: 'sign-in', parts: ['sign-in'], reads: everyones }
  if (who.mustChangePassword || who.mustSetUpSecondFactor) return { parts: [], reads: everyones }
  if (who.role === 'admin')
    return { parts: ['admin', `admin ${sectionOf(who, searchParams)}`], reads: everyones }
  return { parts: [who.role, searchParams.get('tab') ?? 'menu'], reads: everyones }
}

/** The section that the console opens: the one in the address, else the first one held. */
const sectionOf = ({ isSuperadmin, features }: Principal, asked: URLSearchParams) =>
  asked.get('section') ?? featureNames.find((name) => isSuperadmin || features.includes(name))

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
