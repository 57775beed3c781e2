import type { KeyedRequest, RequestKeys } from '#platform/request-keys'

const keyOf = ({ actor, idempotencyKey }: KeyedRequest) => `${actor} ${idempotencyKey}`

/** What was asked under each Idempotency-Key of a server without a database. */
export const requestKeysInMemory = (): RequestKeys => {
  const kept = new Map<string, { asked: string; answer: string | null }>()
  return {
    note: async (request) => {
      const asked = JSON.stringify(request.asked)
      const before = kept.get(keyOf(request))
      const { answer, ...known } = before ?? { asked, answer: null }
      kept.set(keyOf(request), { ...known, answer })
      return known.asked === asked ? { isNew: !before, answer } : 'other'
    },
    noteAnswer: async (request, answer) => {
      kept.set(keyOf(request), { asked: JSON.stringify(request.asked), answer })
    },
    free: async (request) => void kept.delete(keyOf(request)),
  }
}
