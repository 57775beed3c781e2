import { createHash } from 'node:crypto'
import type { Knex } from 'knex'

// Whoever reads it from a letter and types it shall not have to tell 0 from O, or 1 from I and L.
const letters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const length = 6

/** The nth reference that would do for an attempt, e.g. `LP-7K3QW9`. */
export const referenceFor = (attemptId: string, round: number): string => {
  const bytes = createHash('sha256').update(`${attemptId}/${round}`).digest().subarray(0, length)
  return `LP-${[...bytes].map((byte) => letters[byte % letters.length]).join('')}`
}

const references = (knex: Knex) => knex('payments.alternative_references')
const payments = (knex: Knex) => knex('payments.attempts').where({ kind: 'alternative' })

/**
 * The short reference of an alternative payment: derived from the attempt, so that the same attempt always has the same
 * one, and claimed, so that no two attempts ever share one.
 */
export const claimReference = async (knex: Knex, attemptId: string): Promise<string> => {
  for (let round = 0; ; round += 1) {
    const reference = referenceFor(attemptId, round)
    if (await claimed(knex, reference, attemptId)) return reference
  }
}

const claimed = async (knex: Knex, reference: string, attemptId: string): Promise<boolean> => {
  // The claims may have been lost with a disk; what was paid by is in the attempts, which are rebuilt.
  const [used] = await payments(knex).where({ reference }).whereNot({ id: attemptId }).pluck('id')
  if (used) return false
  await references(knex).insert({ reference, attempt_id: attemptId }).onConflict().ignore()
  const [owner] = await references(knex).where({ reference }).pluck('attempt_id')
  return owner === attemptId
}

/** The reference of each of these attempts that is an alternative payment. */
export const referencesOf = async (
  knex: Knex,
  attemptIds: readonly string[],
): Promise<Map<string, string>> => {
  const rows: { id: string; reference: string }[] = await payments(knex)
    .whereIn('id', attemptIds)
    .select('id', 'reference')
  return new Map(rows.map(({ id, reference }) => [id, reference]))
}

/** The alternative payments with this text in their reference, without regard to case. */
export const attemptsReferredTo = (knex: Knex, text: string): Promise<string[]> =>
  payments(knex).whereRaw('position(lower(?) in lower(reference)) > 0', [text]).pluck('id')
