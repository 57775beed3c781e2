import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Post, WithMail } from '#modules/messaging/index'
import { userRows } from '../accounts/users.rows'
import type { IdentityNeeds } from '../ports'
import type { Account } from '../accounts/account'
import { refuse } from '../refusals'
import { letter, type Mail } from '#modules/messaging/published'

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
  const linkFor = (userId: number, email: string) => {
    const until = needs.now().getTime() + hoursValid * 3_600_000
    const body = Buffer.from(JSON.stringify({ userId, email, until } satisfies Claim)).toString('base64url')
    const url = new URL(verificationPage, needs.publicUrl)
    url.searchParams.set('token', `${body}.${sign(body, needs.signingKeys[0]!)}`)
    return url.toString()
  }

  return {
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

export type VerifyingMail = { withMail: WithMail; verification: Pick<VerificationCommands, 'askToVerify'> }

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
