import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import { v7 } from 'uuid'
import type { By } from './event-store/command-handler'

type Values = Record<string, unknown>

/** `what` names accounts as `{user:12}`, so that no name is kept. `old` and `new` are null where absent or secret. */
export type Change = {
  kind: 'settings' | 'accounts' | 'catalogue' | 'cycles'
  what: string
  old: Values | null
  new: Values | null
  /** The family whose key encrypts the values. */
  userId?: number
}

export const accountNamed = (userId: number): string => `{user:${userId}}`

export type ChangeRow = { id: string; at: Date; actor: string; correlation_id: string; change: Change }

/** The audit adds recorded changes to the history. Keeps only values that differ; records nothing when none does. */
export const recordChanges = async (
  transaction: Knex.Transaction,
  { actor, correlationId, at }: By & { at: Date },
  changes: readonly Change[],
): Promise<void> => {
  const rows = changes.flatMap((change) => {
    const differing = onlyDiffering(change)
    return differing ? [{ id: v7(), at, actor, correlation_id: correlationId, change: differing }] : []
  })
  await transaction.batchInsert('platform.changes', rows, 1000)
}

const onlyDiffering = (change: Change): Change | null => {
  const { old: before, new: after } = change
  if (!before || !after) return change
  const names = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]))
  if (names.length === 0) return null
  const among = (values: Values) => Object.fromEntries(names.map((name) => [name, values[name]]))
  return { ...change, old: among(before), new: among(after) }
}
