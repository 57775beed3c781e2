import { createHash } from 'node:crypto'
import { v7 } from 'uuid'
import { mobileNumber } from '#kernel/phone-number'
import { Refusal } from '#kernel/refusal'
import { addDays, instantAt, schoolMoment } from '#kernel/school-time'
import { runInTransaction, type Reader } from '#platform/database'
import { callerKey } from '#platform/http/rate-limits'
import { tooManyRequests, waitingTime } from '#platform/http/request'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import type { NotePrompt, PaymentsNeeds } from '../ports'
import { refusal } from '../refusals'

export const promptNotes =
  ({ database: { pool }, identity, now, zone, areCallersLimited }: PaymentsNeeds): NotePrompt =>
  async ({ userId, phone, ip }) => {
    const at = now()
    const contact = await identity.verifiedContactOf(userId)
    const isPhoneOfAccount = contact.phone !== null && mobileNumber(contact.phone) === phone
    const isOwn = isPhoneOfAccount || (await hasPaidBy(pool, userId, phone))
    if (!isOwn && isNight(at, zone)) throw refusal('prompt_at_night')
    const isCounted = areCallersLimited && !isOwn && !contact.isAny
    const note: Note = {
      id: v7(),
      user_id: userId,
      number: hashOf(phone),
      is_own: isOwn,
      address: isCounted ? hashOf(callerKey(ip)) : null,
      asked_at: at,
    }
    // Of two at once the second counts the first.
    await runInTransaction(
      pool,
      ['begin', `lock table ${table} in share row exclusive mode`],
      async (reader) => {
        if (isOwn) await refuseBeyond(reader, note, [ofOwnNumber])
        else await refuseStranger(reader, note, { zone, isVerified: contact.isAny })
        await reader.query(
          `insert into ${table} (id, user_id, number, is_own, address, asked_at) values ($1, $2, $3, $4, $5, $6)`,
          Object.values(note),
        )
      },
    )
    return async () => void (await pool.query(`delete from ${table} where id = $1`, [note.id]))
  }

const table = 'payments.prompt_notes'

/** `number` and `address` are hashes; `address` is set where the caller's address and the school count it. */
type Note = {
  id: string
  user_id: number
  number: string
  is_own: boolean
  address: string | null
  asked_at: Date
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

const isNight = (at: Date, zone: string): boolean => {
  const { hour } = schoolMoment(at, zone)
  return hour >= 22 || hour < 5
}

/** All prompts of the payment went to this number: which of two was approved, nobody tells. */
const hasPaidBy = async (reader: Reader, userId: number, phone: string): Promise<boolean> => {
  const { rowCount } = await reader.query(
    `select 1 from payments.attempts where user_id = $1 and attempt->'prompt'->'phones' = jsonb_build_array($2::text)
       and attempt->'money'->>'verifiedAt' is not null and attempt->>'method' in ('airtel', 'mtn') limit 1`,
    [userId, phone],
  )
  return rowCount !== 0
}

/** So many notes an hour, of those that share these columns with the new one. */
type Budget = { most: number; same: readonly ('user_id' | 'number' | 'is_own' | 'address')[] }

const hourMs = 3_600_000
const mostNumbersADay = 3
const ofOwnNumber: Budget = { most: 10, same: ['user_id', 'number', 'is_own'] }
const ofUnverified: Budget = { most: 5, same: ['user_id', 'is_own'] }
const ofVerified: Budget = { most: 20, same: ['user_id', 'is_own'] }
const ofAddress: Budget = { most: 30, same: ['address'] }
const ofSchool: Budget = { most: 200, same: [] }
// Of all strangers together.
const ofNumber: Budget = { most: 10, same: ['number', 'is_own'] }

const refuseStranger = async (
  reader: Reader,
  note: Note,
  { zone, isVerified }: { zone: string; isVerified: boolean },
): Promise<void> => {
  await refuseFourthNumber(reader, note, zone)
  await refuseBeyond(reader, note, [
    isVerified ? ofVerified : ofUnverified,
    ...(note.address === null ? [] : [ofAddress, ofSchool]),
  ])
  const wait = await waitFor(reader, note, ofNumber)
  if (wait > 0) throw tooManyRequests(wait)
}

const refuseBeyond = async (reader: Reader, note: Note, budgets: readonly Budget[]): Promise<void> => {
  for (const budget of budgets) {
    const wait = await waitFor(reader, note, budget)
    if (wait > 0) throw tooMany('Too many payment prompts were sent.', wait)
  }
}

/** In whole seconds; 0 where another one is allowed. */
const waitFor = async (reader: Reader, note: Note, { most, same }: Budget): Promise<number> => {
  const alike = same.map((column, index) => ` and ${column} = $${index + 2}`).join('')
  const counted = same.length === 0 ? ' and address is not null' : ''
  const { rows } = await reader.query<{ asked_at: Date }>(
    `select asked_at from ${table} where asked_at > $1${alike}${counted} order by asked_at desc offset ${most - 1} limit 1`,
    [new Date(note.asked_at.getTime() - hourMs), ...same.map((column) => note[column])],
  )
  return rows[0] ? secondsUntil(rows[0].asked_at.getTime() + hourMs, note.asked_at) : 0
}

const refuseFourthNumber = async (reader: Reader, note: Note, zone: string): Promise<void> => {
  const { date } = schoolMoment(note.asked_at, zone)
  const { rows } = await reader.query<{ number: string }>(
    `select distinct number from ${table} where user_id = $1 and not is_own and asked_at >= $2 limit ${mostNumbersADay + 1}`,
    [note.user_id, instantAt(date, 0, 0, zone)],
  )
  if (rows.length < mostNumbersADay || rows.some(({ number }) => number === note.number)) return
  const tomorrow = instantAt(addDays(date, 1), 0, 0, zone).getTime()
  throw tooMany('You have asked three phones today.', secondsUntil(tomorrow, note.asked_at))
}

const secondsUntil = (end: number, now: Date): number => Math.max(1, Math.ceil((end - now.getTime()) / 1000))

const tooMany = (what: string, retryAfter: number) =>
  new Refusal(
    'too_many_prompts',
    `${what} Choose another way to pay, or try again in ${waitingTime(retryAfter)}.`,
    { status: 429, extra: { retryAfter } },
  )

/** Longer than the hour and the school day that they count in. */
export const promptNoteRetention = ({ database: { pool }, now }: PaymentsNeeds): Retention => ({
  name: table,
  kept: 'two days',
  about: 'When you asked for a payment prompt, counted against misuse',
  remove: deleteUntil(pool, table, 'asked_at < $1', () => new Date(now().getTime() - 2 * dayMs)),
})
