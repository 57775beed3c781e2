import { createHash } from 'node:crypto'
import type { Knex } from 'knex'

// Without 0, O, 1, I and L, which are confused when typed.
const letters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const length = 6

/** The nth candidate for an attempt, e.g. `LP-7K3QW9`. */
export const referenceFor = (attemptId: string, round: number): string => {
  const bytes = createHash('sha256').update(`${attemptId}/${round}`).digest().subarray(0, length)
  return `LP-${[...bytes].map((byte) => letters[byte % letters.length]).join('')}`
}

const references = (knex: Knex) => knex('payments.alternative_references')
const payments = (knex: Knex) => knex('payments.attempts').where({ kind: 'alternative' })

/** Derived from the attempt, so that it is stable, and claimed, so that it is unique. */
export const claimReference = async (knex: Knex, attemptId: string): Promise<string> => {
  for (let round = 0; ; round += 1) {
    const reference = referenceFor(attemptId, round)
    if (await claimed(knex, reference, attemptId)) return reference
  }
}

const claimed = async (knex: Knex, reference: string, attemptId: string): Promise<boolean> => {
  // Claims may be lost with a disk: also checks the attempts, which are rebuilt.
  const [used] = await payments(knex).where({ reference }).whereNot({ id: attemptId }).pluck('id')
  if (used) return false
  await references(knex).insert({ reference, attempt_id: attemptId }).onConflict().ignore()
  const [owner] = await references(knex).where({ reference }).pluck('attempt_id')
  return owner === attemptId
}

export const referencesOf = async (
  knex: Knex,
  attemptIds: readonly string[],
): Promise<Map<string, string>> => {
  const rows: { id: string; reference: string }[] = await payments(knex)
    .whereIn('id', attemptIds)
    .select('id', 'reference')
  return new Map(rows.map(({ id, reference }) => [id, reference]))
}

export const attemptsReferredTo = (knex: Knex, text: string): Promise<string[]> =>
  payments(knex).whereRaw('position(lower(?) in lower(reference)) > 0', [text]).pluck('id')
