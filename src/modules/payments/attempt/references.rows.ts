import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { normalizedCodeSql } from '#kernel/folded-name'
import type { Reader } from '#platform/database'
import type { Ports } from '#platform/ports'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import { refusal } from '../refusals'
import { loadAttempt, type AttemptRead } from './change-attempt.commands'

// Without 0, O, 1, I and L, which are confused when typed.
const letters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const length = 6

/** The nth candidate for an attempt, e.g. `LP-7K3QW9`. */
export const referenceFor = (attemptId: string, round: number): string => {
  const bytes = createHash('sha256').update(`${attemptId}/${round}`).digest().subarray(0, length)
  return `LP-${[...bytes].map((byte) => letters[byte % letters.length]).join('')}`
}

const references = (knex: Knex) => knex('payments.alternative_references')
const transfers = (knex: Knex) => knex('payments.attempts').where({ kind: 'alternative' })

/** Derived from the attempt, so that it is stable, and claimed, so that it is unique. */
export const claimReference = async (knex: Knex, attemptId: string): Promise<string> => {
  for (let round = 0; ; round += 1) {
    const reference = referenceFor(attemptId, round)
    if (await claimed(knex, reference, attemptId)) return reference
  }
}

const claimed = async (knex: Knex, reference: string, attemptId: string): Promise<boolean> => {
  // Claims may be lost with a disk: also checks the attempts, which are rebuilt.
  const [used] = await transfers(knex).where({ reference }).whereNot({ id: attemptId }).pluck('id')
  if (used) return false
  await references(knex).insert({ reference, attempt_id: attemptId }).onConflict().ignore()
  const [owner] = await references(knex).where({ reference }).pluck('attempt_id')
  return owner === attemptId
}

export const referencesOf = async (
  knex: Knex,
  attemptIds: readonly string[],
): Promise<Map<string, string>> => {
  const rows: { id: string; reference: string }[] = await transfers(knex)
    .whereIn('id', attemptIds)
    .select('id', 'reference')
  return new Map(rows.map(({ id, reference }) => [id, reference]))
}

export const attemptsReferredTo = (knex: Knex, text: string): Promise<string[]> =>
  transfers(knex).whereRaw('position(lower(?) in lower(reference)) > 0', [text]).pluck('id')

const tokens = (knex: Knex) => knex('payments.tokens')

/** Written before the token is recorded, so that its payment is found while the read models lag. */
export const noteToken =
  ({ database: { knex }, now }: Ports) =>
  async (token: string, attemptId: string): Promise<void> => {
    await tokens(knex).insert({ token, attempt_id: attemptId, at: now() }).onConflict().ignore()
  }

export const attemptOfToken = async (reads: Reader, token: string): Promise<string | null> => {
  const { rows } = await reads.query<{ id: string | null }>({
    name: 'payments-attempt-of-token',
    text: `select coalesce((select id from payments.attempts where token = $1
        and ${normalizedCodeSql('token')} = ${normalizedCodeSql('$1')} limit 1),
      (select attempt_id from payments.tokens where token = $1)) as id`,
    values: [token],
  })
  return rows[0]!.id
}

/** By token or id, as its stream tells. Throws `attempt_not_found`. */
export const attemptNamed = async (needs: Ports, transactionId: string): Promise<AttemptRead> => {
  const id = await attemptOfToken(needs.database.reads, transactionId)
  if (id === null && !uuid.test(transactionId)) throw refusal('attempt_not_found')
  return loadAttempt(needs, id ?? transactionId)
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const daysKept = 7

export const tokenRetention = ({ database: { pool }, now }: Pick<Ports, 'database' | 'now'>): Retention => ({
  name: 'payments.tokens',
  kept: `${daysKept} days`,
  about: 'Whose payment a token is; the payments know it from then on',
  remove: deleteUntil(pool, 'payments.tokens', 'at < $1', () => new Date(now().getTime() - daysKept * dayMs)),
})
