import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import { httpRefusal } from './http/request'

/** What a form shows of a record, by the form's names. */
type Values = Record<string, unknown>

const digest = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, length)

const sorted = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value

const valuesLength = 16
const checkLength = 6

const checkOf = (record: string, values: string): string => digest(`${record} ${values}`, checkLength)

/** Equal for equal values, whoever wrote them, so that no writer can forget it. `record`: `menu-item:12`. */
export const versionOf = (record: string, values: Values): string => {
  const hash = digest(JSON.stringify(values, sorted), valuesLength)
  return hash + checkOf(record, hash)
}

export const withVersion = <Shown extends Values>(
  record: string,
  shown: Shown,
): Shown & { version: string } => ({
  ...shown,
  version: versionOf(record, shown),
})

type Write = { record: string; version: string | undefined; now: Values; yours: Values }

/** Call it once the record is locked, before it is written. Throws `changed_meanwhile`; 422 for a version that nobody gave. */
export const refuseChanged = async (
  transaction: Knex.Transaction,
  { record, version: given, now, yours }: Write,
): Promise<void> => {
  if (given === undefined) return
  const version = versionOf(record, now)
  if (given === version) return
  if (given.slice(valuesLength) !== checkOf(record, given.slice(0, valuesLength)))
    throw httpRefusal('validation_failed', 'This version was never given', {
      fields: { version: 'This version was never given' },
    })
  const last = await changes(transaction).where({ record }).first()
  const fields = Object.keys(now)
    .filter((field) => field in yours && !isDeepStrictEqual(now[field], yours[field]))
    .map((field) => ({ field, now: now[field], yours: yours[field] ?? null }))
  const changed = { by: last?.actor ?? null, at: last?.at.toISOString() ?? null, version, fields }
  throw httpRefusal('changed_meanwhile', 'This was changed while you had it open. Nothing was saved.', {
    extra: { changed },
  })
}

type RecordWrite<Of, Shown> = {
  record: string
  version: string | undefined
  before: Of
  change: Partial<Of>
  shown: (one: Of) => Shown
}

/** The same for a record of which forms show a part. */
export const refuseChangedRecord = <Of, Shown extends Values>(
  transaction: Knex.Transaction,
  { record, version, before, change, shown }: RecordWrite<Of, Shown>,
): Promise<void> =>
  refuseChanged(transaction, { record, version, now: shown(before), yours: shown({ ...before, ...change }) })

const changes = (knex: Knex) => knex<{ record: string; actor: string; at: Date }>('platform.last_changes')

/** Who changed these records, for whoever saves over it. */
export const noteLastChange = async (
  transaction: Knex.Transaction,
  { actor, at }: { actor: string; at: Date },
  records: readonly string[],
): Promise<void> => {
  if (records.length === 0) return
  await transaction.raw(
    `insert into platform.last_changes (record, actor, at) select distinct unnest(?::text[]), ?::text, ?::timestamptz
     on conflict (record) do update set actor = excluded.actor, at = excluded.at`,
    [[...records], actor, at],
  )
}
