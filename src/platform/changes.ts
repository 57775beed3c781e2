import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import { v7 } from 'uuid'
import type { By } from './event-store/command-handler'
import { noteLastChange } from './versions'

type Values = Record<string, unknown>

/** `what` names accounts as `{user:12}`, so that no name is kept. `old` and `new` are null where absent or secret. */
export type Change = {
  kind: 'settings' | 'accounts' | 'catalogue' | 'cycles'
  what: string
  old: Values | null
  new: Values | null
  /** The family whose key encrypts the values. */
  userId?: number
  /** The record with a version that this changed (`platform/versions`). */
  record?: string
}

export const accountNamed = (userId: number): string => `{user:${userId}}`

export type ChangeRow = { id: string; at: Date; actor: string; correlation_id: string; change: Change }

/** The audit adds recorded changes to the history. Keeps only values that differ; records nothing when none does. */
export const recordChanges = async (
  transaction: Knex.Transaction,
  { actor, correlationId, at }: By & { at: Date },
  changes: readonly Change[],
): Promise<void> => {
  const differing = changes.flatMap((change) => onlyDiffering(change) ?? [])
  const rows = differing.map(({ record: _record, ...change }) => ({
    id: v7(),
    at,
    actor,
    correlation_id: correlationId,
    change,
  }))
  await noteLastChange(
    transaction,
    { actor, at },
    differing.flatMap(({ record }) => record ?? []),
  )
  await transaction.batchInsert('platform.changes', rows, 1000)
}

/** The oldest, locked: a second process waits, then finds no rows. */
export const lockChanges = (transaction: Knex.Transaction, atMost: number): Promise<ChangeRow[]> =>
  transaction('platform.changes').orderBy('seq').limit(atMost).forUpdate()

export const removeChanges = async (transaction: Knex.Transaction, ids: readonly string[]): Promise<void> => {
  await transaction('platform.changes')
    .whereIn('id', [...ids])
    .delete()
}

const onlyDiffering = (change: Change): Change | null => {
  const { old: before, new: after } = change
  if (!before || !after) return change
  const names = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]))
  if (names.length === 0) return null
  const among = (values: Values) => Object.fromEntries(names.map((name) => [name, values[name]]))
  return { ...change, old: among(before), new: among(after) }
}
