import { createHash } from 'node:crypto'
import { v5, v7 } from 'uuid'

const attemptNamespace = 'c2a4f2b4-6c3e-4b0a-9d55-0a2f8f1f7e21'

/**
 * The attempt that a user's request begins: the same Idempotency-Key names the same attempt, no key a new one.
 * See docs/decisions/0004-idempotency-by-attempt-id.md.
 */
export const attemptIdFor = (userId: number, idempotencyKey: string | null): string =>
  idempotencyKey === null ? v7() : v5(`${userId}/${idempotencyKey}`, attemptNamespace)

/** Tells two request bodies apart; parsed bodies have their keys in the schema's order. */
export const bodyHashOf = (body: unknown): string =>
  createHash('sha256').update(JSON.stringify(body)).digest('base64url')

// Without the letters that look like digits or like one another (Crockford's base 32).
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** How provider and parent call an attempt: `LP-` and ten signs that follow from its id. */
export const companyRefOf = (attemptId: string): string => {
  const bytes = createHash('sha256').update(`reference of ${attemptId}`).digest().subarray(0, 10)
  return `LP-${[...bytes].map((byte) => alphabet[byte % 32]).join('')}`
}
