import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { schoolMoment } from '#kernel/school-time'
import { tooManyRequests } from '#platform/http/http-refusals'
import { takeMail } from '../mail/mail-budget.commands'
import type { WithMail } from '../mail/mail.job'
import { userRows } from '../accounts/users.rows'
import type { IdentityNeeds } from '../needs'
import { refuse } from '../refusals'
import { readMessageSettings } from './message-settings.rows'
import { decideCodeInForce, phoneCodeMinutes, wrongCode } from './phone-code.decide'
import { phoneCodeRows } from './phone-codes.rows'
import { internationalPhone } from './phone-number'
import { smsDayRows } from './sms-days.rows'

type Needs = Pick<
  IdentityNeeds,
  'database' | 'now' | 'zone' | 'schoolName' | 'signingKeys' | 'rateLimits' | 'sms'
> & { withMail: WithMail }

/** Who has the database only cannot find the code by trying all million: the key is not in it. */
const hashOf = (about: { userId: number; phone: string; code: string }, key: string) =>
  createHmac('sha256', key).update(`phone-code.${about.userId}.${about.phone}.${about.code}`).digest()

const isCode = (about: Parameters<typeof hashOf>[0], hash: string, keys: readonly string[]) =>
  keys.some((key) => timingSafeEqual(hashOf(about, key), Buffer.from(hash, 'base64url')))

/** Proves that a phone is its owner's by six digits that are sent to it (families.md section 5). */
export const phoneCommands = (needs: Needs) => ({
  /**
   * Sends a new code to the account's phone. Refuses with `sms_off`, `phone_not_usable`, `phone_verified_already`,
   * `sms_ceiling_reached`, `too_many_requests` (three an hour go to one number).
   */
  sendCode: (userId: number): Promise<void> =>
    needs.withMail(async (transaction, post) => {
      const account = (await userRows(transaction).lock(userId))!
      const settings = await readMessageSettings(transaction)
      if (!needs.sms || !settings.sms) throw refuse('sms_off', 'The school does not send SMS')
      const to = account.phone === null ? null : internationalPhone(account.phone)
      if (account.phone === null || to === null)
        throw refuse('phone_not_usable', 'Please save a mobile number in your profile first')
      if (account.phoneVerifiedAt) throw refuse('phone_verified_already', 'This phone is verified already')
      const now = needs.now()
      const today = schoolMoment(now, needs.zone).date
      if (await smsDayRows(transaction).isFull(today, settings.dailyCeiling))
        throw refuse('sms_ceiling_reached', 'No more SMS can be sent today. Please try again tomorrow')
      const wait = await takeMail(needs, 'phone-code', to)
      if (wait > 0) throw tooManyRequests(wait)
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      const about = { userId, phone: account.phone }
      const expiresAt = new Date(now.getTime() + phoneCodeMinutes * 60_000)
      const codeHash = hashOf({ ...about, code }, needs.signingKeys[0]!).toString('base64url')
      await phoneCodeRows(transaction).put({ ...about, codeHash, expiresAt })
      const text = `${code} is your code for ${needs.schoolName}. It is valid for ${phoneCodeMinutes} minutes.`
      await post({ channel: 'sms', to, subject: 'Code to verify your phone', text }, { userId, expiresAt })
    }),

  /** The phone counts as verified. Refuses with `phone_code_not_asked`, `phone_code_expired`, `phone_code_wrong`. */
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
    // The counted try stands.
    if (triesLeft !== null) throw wrongCode(triesLeft)
  },
})
