import { createHmac, timingSafeEqual } from 'node:crypto'
import { v7 } from 'uuid'
import { z } from 'zod'
import type { BodyOf } from '#contracts/endpoint'
import type { createAdmin, register } from '#contracts/identity'
import { Refusal } from '#kernel/refusal'
import type { Post } from '#modules/messaging/index'
import { letter, type Mail } from '#modules/messaging/published'
import { accountNamed } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { callerKey, countingFailures } from '#platform/http/rate-limits'
import { tooManyRequests } from '#platform/http/request'
import type { Principal, RateLimit } from '#platform/http/route'
import type { NewSession } from '#platform/http/sessions'
import { inviteRows } from '../guardians/invites.commands'
import type { IdentityNeeds } from '../ports'
import { acceptance } from '../privacy/notice.rows'
import { refuse } from '../refusals'
import { hashNewPassword, hashPassword, randomPassword } from '../sign-in/password.commands'
import { clearSecondFactor } from '../sign-in/second-factor.commands'
import { endSessions } from '../sign-in/sessions.rows'
import { addressKey } from '../students/student.decide'
import { decideGrant, type Account } from '../users/account.decide'
import { filled, passwordGiven } from '../users/credentials.decide'
import { recordAccountChange, decideFreeUsername, userRows } from '../users/users.rows'

const superadmin = 'superadmin'

// By address: a school may register in one morning, but nobody enumerates usernames.
const registrations: RateLimit = { name: 'register', points: 1_000, seconds: 3600 }
const takenNames: RateLimit = { name: 'register-taken', points: 200, seconds: 3600 }

const isTaken = (error: unknown) => error instanceof Refusal && error.code === 'username_taken'

export const registrationCommands = (needs: IdentityNeeds) => {
  const makeParent = async (input: BodyOf<typeof register>, passwordHash: string): Promise<Account> => {
    const accepted = input.privacyVersion === undefined ? {} : await acceptance(needs, input.privacyVersion)
    return needs.messaging.withMail(async (transaction, post) => {
      await decideFreeUsername(transaction, input.username)
      const invited = input.invite ? await inviteRows(transaction).addressOf(input.invite, needs.now()) : null
      const email = filled(input.email) ?? invited
      const isProven = email !== null && addressKey(email) === invited
      const account = await userRows(transaction).insert({
        username: input.username,
        name: input.name,
        email,
        ...(isProven && { emailVerifiedAt: needs.now() }),
        phone: filled(input.phone),
        role: 'parent',
        passwordHash,
        createdAt: needs.now(),
        ...accepted,
      })
      if (input.code) {
        const by = { actor: `user:${account.id}`, correlationId: v7() }
        await needs.claims.within(transaction, { code: input.code, userId: account.id }, by)
      }
      if (!isProven) await verificationCommands(needs).askToVerify(account, post)
      return account
    })
  }

  return {
    /** Throws `username_taken`, `claim_code_wrong`, `privacy_changed` and, after too many, `too_many_requests`. */
    register: async (
      input: BodyOf<typeof register>,
      { ip }: { ip: string },
    ): Promise<Pick<NewSession, 'userId' | 'credentialsVersion'>> => {
      const address = callerKey(ip)
      const wait = needs.rateLimits === 'off' ? 0 : await needs.rateLimits(registrations, address)
      if (wait > 0) throw tooManyRequests(wait)
      const passwordHash = await hashNewPassword(needs, input.password, 'parent')
      const make = () => makeParent(input, passwordHash)
      const made = await countingFailures(needs.rateLimits, [[takenNames, address]], isTaken, () =>
        input.code ? needs.claims.trying({ ip, userId: null }, make) : make(),
      )
      return { userId: made.id, credentialsVersion: made.credentialsVersion }
    },

    /** Only features its maker holds; superadmin may give all (DESIGN section 7). */
    createAdmin: async (
      input: BodyOf<typeof createAdmin>,
      about: { user: Pick<Principal, 'userId' | 'role' | 'features' | 'isSuperadmin'>; by: By },
    ): Promise<Account> => {
      const features = decideGrant(about.user, input.allowedFeatures)
      const passwordHash = await hashNewPassword(needs, input.password, 'admin')
      return needs.database.knex.transaction(async (transaction) => {
        await decideFreeUsername(transaction, input.username)
        const account = await userRows(transaction).insert({
          username: input.username,
          name: input.username,
          role: 'admin',
          features,
          madeBy: about.user.userId,
          passwordHash,
          createdAt: needs.now(),
        })
        const what = `Administrator ${accountNamed(account.id)} made`
        await recordAccountChange(transaction, needs, about.by, what, { old: null, new: { features } })
        return account
      })
    },

    /** `password` is generated and must be changed; null when configured or unchanged. */
    ensureSuperadmin: async (): Promise<{ created: boolean; password: string | null }> => {
      const { knex } = needs.database
      if (await userRows(knex).byUsername(superadmin)) return { created: false, password: null }
      const generated = needs.superadminPassword === undefined ? randomPassword() : null
      const passwordHash = await hashPassword(generated ?? needs.superadminPassword!, needs.passwordCost)
      const created = await knex.transaction(async (transaction) => {
        const made = await userRows(transaction).insertUnlessThere({
          username: superadmin,
          name: 'Super Administrator',
          role: 'admin',
          isSuperadmin: true,
          mustChangePassword: generated !== null,
          passwordHash,
          createdAt: needs.now(),
        })
        if (!made) return false
        const by = { actor: 'command:start', correlationId: v7() }
        const what = `Administrator ${accountNamed(made.id)} made at the first start`
        await recordAccountChange(transaction, needs, by, what)
        return true
      })
      return { created, password: created ? generated : null }
    },

    /** Must be changed at first use. Ends second factor and sessions. */
    resetSuperadmin: (): Promise<string> =>
      needs.database.knex.transaction(async (transaction) => {
        const users = userRows(transaction)
        const account = await users.byUsername(superadmin)
        if (!account) throw refuse('user_not_found', 'There is no superadmin here yet')
        const password = randomPassword()
        const given = passwordGiven(await hashPassword(password, needs.passwordCost))
        await users.update({ id: account.id }, given)
        await clearSecondFactor(transaction, account.id)
        await endSessions(transaction, account.id)
        const by = { actor: 'command:superadmin-reset', correlationId: v7() }
        const what = `Password of ${accountNamed(account.id)} set on the machine, second factor off`
        await recordAccountChange(transaction, needs, by, what)
        return password
      }),
  }
}

const verificationPage = '/verify-email'
const hoursValid = 72
const claim = z.strictObject({ userId: z.int(), email: z.string(), until: z.number() })
type Claim = z.infer<typeof claim>

const sign = (body: string, key: string) =>
  createHmac('sha256', key).update(`email-verification.${body}`).digest('base64url')

const isSigned = (body: string, signature: string, keys: readonly string[]) =>
  keys.some((key) => {
    const expected = Buffer.from(sign(body, key))
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })

const readToken = (token: string, keys: readonly string[]): Claim | null => {
  const [body = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0 || !isSigned(body, signature, keys)) return null
  return claim.parse(JSON.parse(Buffer.from(body, 'base64url').toString()))
}

export const verificationCommands = (needs: IdentityNeeds) => {
  const linkFor = (userId: number, email: string): string => {
    const until = needs.now().getTime() + hoursValid * 3_600_000
    const body = Buffer.from(JSON.stringify({ userId, email, until } satisfies Claim)).toString('base64url')
    const url = new URL(verificationPage, needs.publicUrl)
    url.searchParams.set('token', `${body}.${sign(body, needs.signingKeys[0]!)}`)
    return url.toString()
  }

  return {
    /** Proves nothing by itself: the page asks the signed-in owner to press. */
    linkFor,

    /** Answers 0, or the seconds to wait when the hourly limit is reached and nothing is sent. */
    askToVerify: async (account: Pick<Account, 'id' | 'email'>, post: Post): Promise<number> => {
      const { id, email } = account
      if (email === null) return 0
      const wait = await needs.messaging.consumeMail('verification', email)
      if (wait > 0) return wait
      const { schoolName } = needs
      const mail = verificationMail({ to: email, link: linkFor(id, email), hours: hoursValid, schoolName })
      await post({ ...mail, purpose: 'account' }, { userId: id })
      return 0
    },

    /** Repeatable. Throws `verification_invalid`, `verification_expired`, `verification_of_another` and `verification_used`. */
    verifyEmail: async (token: string, userId: number): Promise<void> => {
      const claimed = readToken(token, needs.signingKeys)
      if (!claimed)
        throw refuse(
          'verification_invalid',
          'This link is not complete. Please open it from the email itself.',
        )
      if (claimed.userId !== userId)
        throw refuse(
          'verification_of_another',
          'This link belongs to another account. Log in to the account that asked for it and open the link again.',
        )
      const now = needs.now()
      if (now.getTime() >= claimed.until)
        throw refuse(
          'verification_expired',
          'This link has expired. You can have another one sent in your profile.',
        )
      const users = userRows(needs.database.knex)
      const account = await users.byId(userId)
      if (account?.email !== claimed.email)
        throw refuse(
          'verification_used',
          'This link belongs to an earlier email address. Please use the newest link we sent you.',
        )
      if (account.emailVerifiedAt === null)
        await users.update({ id: userId, email: claimed.email }, { emailVerifiedAt: now })
    },
  }
}

export type VerificationCommands = ReturnType<typeof verificationCommands>

/** Signed link, to be confirmed while signed in to that account; `hours` until it expires. */
export const verificationMail = (about: {
  to: string
  link: string
  hours: number
  schoolName: string
}): Mail => ({
  to: about.to,
  subject: `Please confirm your email address for ${about.schoolName}`,
  text: letter(
    'Good day,',
    [
      `please confirm that this is your email address: open this link within ${about.hours} hours, log in and press the button.`,
      about.link,
      'If you did not register with us, you can ignore this message.',
    ],
    about.schoolName,
  ),
})
