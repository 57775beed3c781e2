import type { NewSession, SessionStore } from '#platform/http/sessions'
import type { Principal } from '#platform/http/route'

export type KeptSession = NewSession & { id: string }

/** Sessions of these people, by secret; `kept` is what a table would hold. */
export const sessionsInMemory = (
  people: ReadonlyMap<number, Principal>,
): SessionStore & { kept: Map<string, KeptSession> } => {
  const kept = new Map<string, KeptSession>()
  let count = 0
  return {
    kept,
    read: (secret) => {
      const session = kept.get(secret)
      const principal = session && people.get(session.userId)
      return Promise.resolve(principal ? { ...session, principal } : null)
    },
    create: (secret, session) => {
      count += 1
      const id = `session-${count}`
      kept.set(secret, { ...session, id })
      return Promise.resolve(id)
    },
    end: (secret) => {
      kept.delete(secret)
      return Promise.resolve()
    },
  }
}
