import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Post, WithMail } from '#modules/messaging/index'
import { verificationMail } from '../mails'
import { userRows } from '../accounts/users.rows'
import type { IdentityNeeds } from '../needs'
import type { Account } from '../accounts/account'
import { refuse } from '../refusals'

// The page is the web application's: web/lib/paths.ts.
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

/** Sends and answers the signed links that prove an e-mail address (DESIGN section 4, Accounts). */
export const verificationCommands = (needs: IdentityNeeds) => {
  const linkFor = (userId: number, email: string) => {
    const until = needs.now().getTime() + hoursValid * 3_600_000
    const body = Buffer.from(JSON.stringify({ userId, email, until } satisfies Claim)).toString('base64url')
    const url = new URL(verificationPage, needs.publicUrl)
    url.searchParams.set('token', `${body}.${sign(body, needs.signingKeys[0]!)}`)
    return url.toString()
  }

  return {
    /**
     * Mails the link to the account's address, if it has one. Answers 0, or the seconds to wait when the address has
     * had its mails of this hour: then it is sent none.
     */
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

    /**
     * Asked twice it verifies once. Throws `verification_invalid`, `verification_expired`, `verification_of_another` for the token
     * of another account, and `verification_used` for an address that was changed since.
     */
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

/** What a change of an account needs that asks for its e-mail address to be verified. */
export type VerifyingMail = { withMail: WithMail; verification: Pick<VerificationCommands, 'askToVerify'> }
