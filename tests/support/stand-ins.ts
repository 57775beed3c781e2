import type { PasswordCost } from '#modules/identity/index'
import type { Principal } from '#platform/http/route'
import type { NewSession, SessionStore } from '#platform/http/sessions'
import type { Notifications } from '#platform/ports'
import { askedText, type KeyedRequest, type RequestKeys } from '#platform/request-keys'

/** The least that argon2id takes: tests sign in thousands of times. */
export const testPasswordCost: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/** Some of it, its functions with answers of which the test may leave out what nobody reads. */
type Part<Whole> = Whole extends (...asked: infer Asked) => unknown
  ? (...asked: Asked) => unknown
  : { [Key in keyof Whole]?: Part<Whole[Key]> }

/** Ports or doors of which a test gives those that its path uses; reaching for another one fails the test. */
export const standIn = <Whole>(part: Part<NoInfer<Whole>> | object): Whole => part as Whole

const keyOf = ({ actor, idempotencyKey }: KeyedRequest) => `${actor} ${idempotencyKey}`

/** What was asked under each Idempotency-Key of a server without a database. */
export const requestKeysInMemory = (): RequestKeys => {
  const kept = new Map<string, { asked: string; answer: string | null }>()
  return {
    note: async (request) => {
      const asked = askedText(request)
      const before = kept.get(keyOf(request))
      const { answer, ...known } = before ?? { asked, answer: null }
      kept.set(keyOf(request), { ...known, answer })
      return known.asked === asked ? { isNew: !before, answer } : 'other'
    },
    noteAnswer: async (request, answer) => {
      kept.set(keyOf(request), { asked: askedText(request), answer })
    },
    free: async (request) => void kept.delete(keyOf(request)),
  }
}

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
    usernameOf: async (userId) => people.get(userId)?.username ?? null,
  }
}

/** Notifications of a process that is alone. `missed` tells all who listen that some may have been lost. */
export const quietNotices = () => {
  const listeners: ((message: string | null) => void)[] = []
  const notifications: Pick<Notifications, 'subscribe' | 'publisher'> = {
    subscribe: (_channel, heard) => {
      listeners.push(heard)
      return () => undefined
    },
    publisher: () => () => undefined,
  }
  return { notifications, missed: () => listeners.forEach((heard) => heard(null)) }
}
