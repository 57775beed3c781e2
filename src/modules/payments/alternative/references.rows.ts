import { createHash } from 'node:crypto'
import type { Pool } from 'pg'

// Whoever reads it from a letter and types it shall not have to tell 0 from O, or 1 from I and L.
const letters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const length = 6

/** The nth reference that would do for an attempt, e.g. `LP-7K3QW9`. */
export const referenceFor = (attemptId: string, round: number): string => {
  const bytes = createHash('sha256').update(`${attemptId}/${round}`).digest().subarray(0, length)
  return `LP-${[...bytes].map((byte) => letters[byte % letters.length]).join('')}`
}

/**
 * The short reference of an alternative payment: derived from the attempt, so that the same attempt always has the same
 * one, and claimed, so that no two attempts ever share one.
 */
export const claimReference = async (pool: Pool, attemptId: string): Promise<string> => {
  for (let round = 0; ; round += 1) {
    const reference = referenceFor(attemptId, round)
    if (await isOurs(pool, reference, attemptId)) return reference
  }
}

const isOurs = async (pool: Pool, reference: string, attemptId: string): Promise<boolean> => {
  await pool.query(
    `insert into payments.alternative_references (reference, attempt_id)
     select $1, $2 where not exists (
       select from payments.alternative_payments where reference = $1 and attempt_id <> $2
     ) on conflict do nothing`,
    [reference, attemptId],
  )
  const { rows } = await pool.query<{ attempt_id: string }>(
    'select attempt_id from payments.alternative_references where reference = $1',
    [reference],
  )
  return rows[0]?.attempt_id === attemptId
}

/** The reference of each of these attempts that is an alternative payment. */
export const referencesOf = async (
  pool: Pool,
  attemptIds: readonly string[],
): Promise<Map<string, string>> => {
  const { rows } = await pool.query<{ attempt_id: string; reference: string }>(
    'select attempt_id, reference from payments.alternative_payments where attempt_id = any($1::uuid[])',
    [attemptIds],
  )
  return new Map(rows.map(({ attempt_id, reference }) => [attempt_id, reference]))
}

/** The alternative payments with this text in their reference, without regard to case. */
export const attemptsReferredTo = async (pool: Pool, text: string): Promise<string[]> => {
  const { rows } = await pool.query<{ attempt_id: string }>(
    'select attempt_id from payments.alternative_payments where position(lower($1) in lower(reference)) > 0',
    [text],
  )
  return rows.map(({ attempt_id }) => attempt_id)
}
