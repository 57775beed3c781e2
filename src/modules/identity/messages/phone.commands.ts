import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { internationalPhone } from '#kernel/phone-number'
import { callerKey } from '#platform/http/rate-limits'
import { tooManyRequests } from '#platform/http/http-refusals'
import type { RateLimit } from '#platform/http/route'
import { userRows } from '../accounts/users.rows'
import type { IdentityNeeds } from '../needs'
import { refuse } from '../refusals'
import { isAllowedNumber, oneSms } from '#modules/messaging/published'
import { decideCodeInForce, phoneCodeMinutes, wrongCode } from './phone-code.decide'
import { phoneCodeRows } from './phone-codes.rows'

/** HMAC, not a hash: a million codes are few, and the key is not in the database. */
const hashOf = (about: { userId: number; phone: string; code: string }, key: string) =>
  createHmac('sha256', key).update(`phone-code.${about.userId}.${about.phone}.${about.code}`).digest()

const isCode = (about: Parameters<typeof hashOf>[0], hash: string, keys: readonly string[]) =>
  keys.some((key) => timingSafeEqual(hashOf(about, key), Buffer.from(hash, 'base64url')))

// SMS cost money.
const codesOfAccount: RateLimit = { name: 'phone-codes-account', points: 10, seconds: 86_400 }
const codesOfAddress: RateLimit = { name: 'phone-codes-address', points: 60, seconds: 3600 }

const takeCodeOf = async (
  needs: IdentityNeeds,
  { userId, ip, to }: { userId: number; ip: string; to: string },
): Promise<void> => {
  if (needs.rateLimits === 'off') return
  const waits = [
    await needs.rateLimits(codesOfAccount, `user:${userId}`),
    await needs.rateLimits(codesOfAddress, callerKey(ip)),
    await needs.messaging.consumeMail('phone-code', to),
  ]
  const wait = Math.max(...waits)
  if (wait > 0) throw tooManyRequests(wait)
}

/** families.md section 5. */
export const phoneCommands = (needs: IdentityNeeds) => ({
  /**
   * Throws `sms_off`, `phone_not_usable`, `phone_verified_already`, `sms_ceiling_reached` and `too_many_requests` (3 per number and hour,
   * 10 per account and day, 60 per address and hour).
   */
  sendCode: ({ userId, ip }: { userId: number; ip: string }): Promise<void> =>
    needs.messaging.withMail(async (transaction, post) => {
      const { messaging } = needs
      const account = (await userRows(transaction).lock(userId))!
      const settings = await messaging.settings(transaction)
      if (!needs.sms || !settings.sms) throw refuse('sms_off', 'The school does not send SMS')
      const to = account.phone === null ? null : internationalPhone(account.phone)
      if (account.phone === null || to === null)
        throw refuse('phone_not_usable', 'Please save a mobile number in your profile first')
      if (!isAllowedNumber(to, settings))
        throw refuse(
          'phone_not_usable',
          'The school sends SMS to numbers of Zambia (+260) only. Please save such a number in your profile',
        )
      if (account.phoneVerifiedAt) throw refuse('phone_verified_already', 'This phone is verified already')
      const now = needs.now()
      const isFull = await messaging.isSmsDayFull(transaction, settings, 'message')
      if (isFull || !(await messaging.takeSmsCode(transaction, settings)))
        throw refuse('sms_ceiling_reached', 'No more codes can be sent today. Please try again tomorrow')
      await takeCodeOf(needs, { userId, ip, to })
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      const about = { userId, phone: account.phone }
      const expiresAt = new Date(now.getTime() + phoneCodeMinutes * 60_000)
      const codeHash = hashOf({ ...about, code }, needs.signingKeys[0]!).toString('base64url')
      await phoneCodeRows(transaction).put({ ...about, codeHash, expiresAt })
      const text = oneSms(
        (school) => `${code} is your code for ${school}. It is valid for ${phoneCodeMinutes} minutes.`,
        needs.schoolName,
      )
      await post(
        { channel: 'sms', purpose: 'code', to, subject: 'Code to verify your phone', text },
        { userId, expiresAt },
      )
    }),

  /** Throws `phone_code_not_asked`, `phone_code_expired`, `phone_code_wrong`. */
  confirmPhone: async (userId: number, code: string): Promise<void> => {
    const triesLeft = await needs.database.knex.transaction(async (transaction) => {
      const account = (await userRows(transaction).lock(userId))!
      const codes = phoneCodeRows(transaction)
      const asked = await codes.lock(userId)
      decideCodeInForce(asked, account.phone, needs.now())
      const { phone, codeHash } = asked!
      if (!isCode({ userId, phone, code }, codeHash, needs.signingKeys)) return codes.countTry(userId)
      await userRows(transaction).update({ id: userId }, { phoneVerifiedAt: needs.now() })
      await codes.remove(userId)
      return null
    })
    // Commits the counted try.
    if (triesLeft !== null) throw wrongCode(triesLeft)
  },
})
