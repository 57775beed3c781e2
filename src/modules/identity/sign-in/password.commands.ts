import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { dictionary } from '@zxcvbn-ts/language-common'
import { atMost } from '#platform/at-most'
import { tooManyRequests } from '#platform/http/http-refusals'
import type { RateLimit } from '#platform/http/route'
import type { Account } from '../accounts/account'
import {
  currentPasswordRequired,
  decideNewPassword,
  decidePasswordConfirmed,
  openingHashes,
  type Credentials,
  type Matches,
} from '../accounts/credentials.decide'
import { userRows } from '../accounts/users.rows'
import type { IdentityNeeds } from '../needs'

// OWASP's argon2id: 19 MiB, two passes.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// The hash of bytes that nobody knows: comparing with it costs what comparing with a real one costs.
const nobodys =
  '$argon2id$v=19$m=19456,t=2,p=1$R4vKtH1c4LJjAm3S9s3WWw$pX967HiLVmbmwpl37r1omg02aMrdMXmcZOc8IeTobdw'

// Each takes its 19 MiB while it runs, and more of them than there are cores are no quicker.
const oneACore = atMost(availableParallelism())

const mostCommon = new Set(dictionary['passwords-common'].slice(0, 10_000))

/** The hash of a new password for somebody of this role. Refuses with `password_too_short` and `password_too_common`. */
export const hashNewPassword = (
  password: string,
  role: Account['role'],
  field: 'password' | 'newPassword' = 'password',
): Promise<string> => {
  decideNewPassword(password, { role, field, isCommon: mostCommon.has(password.toLowerCase()) })
  return hashPassword(password)
}

export const hashPassword = (password: string): Promise<string> => oneACore(() => hash(password, cost))

const matches = async (stored: string | null, password: string) =>
  (await oneACore(() => verify(stored ?? nobodys, password))) && stored !== null

/** Compares with both hashes of an account; the same work for an unknown one (null), so time tells nothing. */
export const matchPassword = async (
  credentials: Credentials | null,
  password: string,
  now: Date,
): Promise<Matches> => {
  const hashes = credentials ? openingHashes(credentials, now) : { password: null, temporary: null }
  const [byPassword, byTemporary] = await Promise.all([
    matches(hashes.password, password),
    matches(hashes.temporary, password),
  ])
  return { password: byPassword, temporary: byTemporary }
}

const ownPassword: RateLimit = { name: 'own-password', points: 20, seconds: 900 }

export type OwnPasswordNeeds = Pick<IdentityNeeds, 'now' | 'rateLimits'>

/**
 * Compares with the password of whoever is signed in. All places that ask for it share 20 tries in a quarter of an hour,
 * so that a borrowed session does not guess it.
 */
export const matchOwnPassword = async (
  { now, rateLimits }: OwnPasswordNeeds,
  account: Credentials & { id: number },
  password: string,
): Promise<Matches> => {
  const retryAfter = rateLimits === 'off' ? 0 : await rateLimits(ownPassword, `user:${account.id}`)
  if (retryAfter > 0) throw tooManyRequests(retryAfter)
  return matchPassword(account, password, now())
}

/** Refuses (`wrong_current_password`) whoever does not give the password in force. */
export const askOwnPassword = async (
  needs: OwnPasswordNeeds,
  account: Credentials & { id: number },
  password: string | undefined,
): Promise<void> => {
  if (!password) throw currentPasswordRequired()
  decidePasswordConfirmed(await matchOwnPassword(needs, account, password))
}

/** The same for other contexts. */
export const confirmPassword =
  (needs: OwnPasswordNeeds & Pick<IdentityNeeds, 'database'>) =>
  async (userId: number, password: string | undefined): Promise<void> =>
    askOwnPassword(needs, (await userRows(needs.database.knex).byId(userId))!, password)

const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

const fourLetters = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')

/** A random password that can be read out and typed on a phone, e.g. `k7fq-m2xw-9hte` (59 bits). */
export const randomPassword = (): string => Array.from({ length: 3 }, fourLetters).join('-')

/** A random code that a quick hash keeps as well as a slow one, since it is too long to be tried (118 bits). */
export const randomCode = (): string => Array.from({ length: 6 }, fourLetters).join('-')
