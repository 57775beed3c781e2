import type { User } from '#contracts/identity'
import type { MessageSettings } from '#contracts/messages'
import { internationalPhone } from '#kernel/phone-number'
import type { Addressee } from './letters'

export type Channel = 'mail' | 'sms'

type Reached = Pick<Addressee, 'email' | 'phone' | 'phoneVerifiedAt' | 'messageChannel'>

export type SmsRule = Pick<MessageSettings, 'sms' | 'otherCountries'>

/** SMS abroad cost more, and premium numbers there pay strangers. */
export const isAllowedNumber = (
  number: string,
  { otherCountries }: Pick<SmsRule, 'otherCountries'>,
): boolean => otherCountries === true || /^\+260\d{9}$/.test(number)

/** Verified phones in allowed countries, while SMS are on. */
export const smsNumber = (
  { phone, phoneVerifiedAt }: Pick<Addressee, 'phone' | 'phoneVerifiedAt'>,
  rule: SmsRule,
): string | null => {
  if (!rule.sms || phone === null || phoneVerifiedAt === null) return null
  const number = internationalPhone(phone)
  return number !== null && isAllowedNumber(number, rule) ? number : null
}

/** Chosen channels that reach the person, else another one. On a full day people with an address get mail instead of SMS. */
export const channelsOf = (account: Reached, settings: SmsRule, isDayFull: boolean): Channel[] => {
  const mail = account.email !== null
  const sms = smsNumber(account, settings) !== null && !(isDayFull && mail)
  const can: Channel[] = [...(mail ? ['mail' as const] : []), ...(sms ? ['sms' as const] : [])]
  const wanted = can.filter((one) => account.messageChannel === 'both' || account.messageChannel === one)
  return wanted.length > 0 ? wanted : can
}

/** A phone that SMS reach replaces the email. */
export const maySkipEmail = (
  account: Pick<Addressee, 'phone' | 'phoneVerifiedAt'>,
  settings: SmsRule & Pick<MessageSettings, 'orderWithPhone'>,
): boolean => settings.orderWithPhone && smsNumber(account, settings) !== null

export const contactNeeded = (
  account: Pick<Addressee, 'email' | 'phone' | 'phoneVerifiedAt'>,
  settings: SmsRule & Pick<MessageSettings, 'orderWithPhone'>,
): User['contactNeeded'] => {
  if (account.email !== null || maySkipEmail(account, settings)) return null
  return settings.sms && settings.orderWithPhone ? 'email_or_phone' : 'email'
}
