import type { Principal } from './route'

const recentMs = 5_000
const mostKept = 5_000

/**
 * Who came with which cookies within the last five seconds, as the database told then. For routes alone whose answer
 * is no secret among those who sign in (see RouteOptions): everything else asks the database each time.
 */
export const recentSessions = (clock: () => number = () => performance.now()) => {
  const known = new Map<string, { principal: Principal; until: number }>()

  return {
    note: (cookies: string, principal: Principal): void => {
      known.delete(cookies)
      known.set(cookies, { principal, until: clock() + recentMs })
      if (known.size > mostKept) known.delete(known.keys().next().value!)
    },
    read: (cookies: string): Principal | null => {
      const found = known.get(cookies)
      return found !== undefined && clock() < found.until ? found.principal : null
    },
  }
}
