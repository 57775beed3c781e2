import { urlOf, type Endpoint } from '#contracts/endpoint'
import { currentUser, portal } from '#contracts/identity'
import type { FirstPage } from '#platform/http/page'
import type { Principal } from '#platform/http/route'

const url = (endpoint: Endpoint, query?: object) => urlOf(endpoint, { query })

/** What every page asks before anything else. */
const everyones = [url(currentUser), url(portal)]

/** What a visitor's first page begins with. */
export const firstPage = (_who: Principal | null, _at: URL): FirstPage => ({ parts: [], reads: everyones })

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
