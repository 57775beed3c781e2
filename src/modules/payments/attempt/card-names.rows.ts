import type { Reader } from '#platform/database'
import { normalizedCodeSql } from '#platform/normalized-code'

/** `token` and `ref` are the provider's, `reference` is ours. */
type CardNames = {
  attemptId: string
  token: string | null
  ref: string | null
  reference: string | null
}

export const cardNames = async (
  at: Reader,
  { attemptIds, names }: { attemptIds: readonly string[]; names: readonly string[] },
): Promise<CardNames[]> => {
  const written = [...new Set(names.map((name) => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')))]
  const { rows } = await at.query<CardNames>(
    `select id as "attemptId", token, attempt->'token'->>'ref' as ref, reference
     from payments.attempts where kind = 'card' and id in (
       select unnest($1::uuid[])
       union all
       select id from payments.attempts where reference is not null and ${normalizedCodeSql('reference')} = any($2)
       union all
       select id from payments.attempts where token is not null and ${normalizedCodeSql('token')} = any($2)
       union all
       select id from payments.attempts where attempt->'token'->>'ref' is not null
         and ${normalizedCodeSql(`(attempt->'token'->>'ref')`)} = any($2))`,
    [attemptIds, written.filter((name) => name !== '')],
  )
  return rows
}
