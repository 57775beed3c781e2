import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { dictionary } from '@zxcvbn-ts/language-common'
import type { Pool } from 'pg'
import { Refusal } from '#kernel/refusal'
import { StartError } from '#platform/failures'
import { countingFailures } from '#platform/http/rate-limits'
import type { RateLimit } from '#platform/http/route'
import { limitConcurrency } from '#platform/pacing'
import type { Ports } from '#platform/ports'
import type { Retention } from '#platform/retention'
import type { IdentityNeeds, PasswordCost } from '../ports'
import type { Account } from '../users/account.decide'
import {
  currentPasswordRequired,
  decideNewPassword,
  decidePasswordConfirmed,
  openingHashes,
  type Credentials,
  type Matches,
} from '../users/credentials.decide'
import { userRows } from '../users/users.rows'

/** OWASP: 19 MiB, two passes. */
export const fullPasswordCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The full cost unless tests ask for less. Throws StartError where production would get another. */
export const passwordCostFor = (production: boolean, asked = fullPasswordCost): PasswordCost => {
  if (production && asked !== fullPasswordCost)
    throw new StartError(
      'In production passwords are hashed at the full cost (argon2id, 19 MiB, two passes).',
    )
  return asked
}

// Unknown users cost the same time as known ones.
const nobodys = ({ memoryCost, timeCost, parallelism }: PasswordCost) =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$R4vKtH1c4LJjAm3S9s3WWw$pX967HiLVmbmwpl37r1omg02aMrdMXmcZOc8IeTobdw`

// 19 MiB each; more than the cores is no faster.
const oneACore = limitConcurrency(availableParallelism())

const mostCommon = new Set(dictionary['passwords-common'].slice(0, 10_000))

/** Throws `password_too_short` and `password_too_common`. */
export const hashNewPassword = (
  { passwordCost }: Pick<IdentityNeeds, 'passwordCost'>,
  password: string,
  role: Account['role'],
  field: 'password' | 'newPassword' = 'password',
): Promise<string> => {
  const isCommon = mostCommon.has(password.normalize('NFC').toLowerCase())
  decideNewPassword(password, { role, field, isCommon })
  return hashPassword(password, passwordCost)
}

/** NFC: keyboards compose `é` differently. */
export const hashPassword = (password: string, cost: PasswordCost): Promise<string> =>
  oneACore(() => hash(password.normalize('NFC'), cost))

const matcher = (cost: PasswordCost) => async (stored: string | null, password: string) =>
  (await oneACore(() => verify(stored ?? nobodys(cost), password))) && stored !== null

const formsOf = (password: string): string[] => [
  ...new Set([password.normalize('NFC'), password, password.normalize('NFD')]),
]

const matchingForm = async (
  matches: ReturnType<typeof matcher>,
  stored: string | null,
  forms: readonly string[],
): Promise<number> => {
  const matched = await Promise.all(forms.map((form) => matches(stored, form)))
  return matched.indexOf(true)
}

/** Constant work, also for an unknown account (null). */
export const matchPassword = async (
  { now, passwordCost }: Pick<IdentityNeeds, 'now' | 'passwordCost'>,
  credentials: Credentials | null,
  password: string,
): Promise<Matches> => {
  const matches = matcher(passwordCost)
  const hashes = credentials ? openingHashes(credentials, now()) : { password: null, temporary: null }
  const typed = typedCode(password)
  const forms = formsOf(password)
  const [form, byTemporary, byGenerated] = await Promise.all([
    matchingForm(matches, hashes.password, forms),
    matches(hashes.temporary, typed),
    typed.length !== generatedLength || forms.includes(typed)
      ? false
      : matches(credentials?.mustChangePassword ? hashes.password : null, typed),
  ])
  return { password: form >= 0 || byGenerated, temporary: byTemporary, isOldForm: form > 0 }
}

const ownPassword: RateLimit = { name: 'own-password', points: 20, seconds: 900 }

const isWrongPassword = (error: unknown) =>
  error instanceof Refusal && error.code === 'wrong_current_password'

/** `decide` throws `wrong_current_password`. All callers share 20 wrong tries per quarter hour, against borrowed sessions. */
export const confirmingPassword = (
  needs: IdentityNeeds,
  account: Credentials & { id: number },
  password: string,
  decide: (matches: Matches) => void,
): Promise<void> =>
  countingFailures(needs.rateLimits, [[ownPassword, `user:${account.id}`]], isWrongPassword, async () =>
    decide(await matchPassword(needs, account, password)),
  )

/** Throws `wrong_current_password`. */
export const askOwnPassword = async (
  needs: IdentityNeeds,
  account: Credentials & { id: number },
  password: string | undefined,
): Promise<void> => {
  if (!password) throw currentPasswordRequired()
  await confirmingPassword(needs, account, password, decidePasswordConfirmed)
}

export const confirmPassword =
  (needs: IdentityNeeds) =>
  async (userId: number, password: string | undefined): Promise<void> =>
    askOwnPassword(needs, (await userRows(needs.database.knex).byId(userId))!, password)

const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

const generatedLength = 14

const fourLetters = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')

/** Ignores case, blanks and dashes; the letters have no lookalikes. */
export const typedCode = (typed: string): string => {
  const letters = typed
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{Pd}\p{Cf}\u2212_.]/gu, '')
  return letters.match(/.{1,4}/gsu)?.join('-') ?? ''
}

/** `k7fq-m2xw-9hte` (59 bits), easy to read out. */
export const randomPassword = (): string => Array.from({ length: 3 }, fourLetters).join('-')

/** 118 bits, so a fast hash is enough. */
export const randomCode = (): string => Array.from({ length: 6 }, fourLetters).join('-')

export const temporaryPasswordRetention = ({ database: { pool }, now }: Ports): Retention => ({
  name: 'identity.temporary_passwords',
  about: 'Temporary passwords, in a form that nobody can read',
  kept: '24 hours, or until a new password is chosen',
  remove: (atMost) => forgetTemporaryPasswords(pool, now(), atMost),
})

/** Raw SQL: `array` picks rows once, while knex's `in` may rerun a locking subquery. */
const forgetTemporaryPasswords = async (pool: Pool, at: Date, atMost: number): Promise<number> => {
  const { rowCount } = await pool.query(
    `update identity.users set "temporaryHash" = null, "temporaryExpiresAt" = null
     where id = any(array(
       select id from identity.users where "temporaryExpiresAt" <= $1 limit $2 for update skip locked))`,
    [at, atMost],
  )
  return rowCount ?? 0
}
