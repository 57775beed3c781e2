import type { User } from '#contracts/identity'
import type { MessageSettings } from '#contracts/messages'
import { internationalPhone } from '#kernel/phone-number'
import type { Addressee } from './needs'

export type Channel = 'mail' | 'sms'

type Reached = Pick<Addressee, 'email' | 'phone' | 'phoneVerifiedAt' | 'messageChannel'>

/** What decides where SMS may go. */
export type SmsRule = Pick<MessageSettings, 'sms' | 'otherCountries'>

/** SMS abroad cost a multiple, and strangers are paid for numbers that they have called there. */
export const isAllowedNumber = (
  number: string,
  { otherCountries }: Pick<SmsRule, 'otherCountries'>,
): boolean => otherCountries === true || /^\+260\d{9}$/.test(number)

/**
 * The number that an SMS may go to: only a phone that its owner has proven, in a country that the school allows, and
 * only while it sends SMS.
 */
export const smsNumber = (
  { phone, phoneVerifiedAt }: Pick<Addressee, 'phone' | 'phoneVerifiedAt'>,
  rule: SmsRule,
): string | null => {
  if (!rule.sms || phone === null || phoneVerifiedAt === null) return null
  const number = internationalPhone(phone)
  return number !== null && isAllowedNumber(number, rule) ? number : null
}

/**
 * On which channels a message goes: those that the person chose, of those that reach them; where none of them does, the
 * other one. `isDayFull`: the school has sent as many SMS today as it wants to, so whoever has an address is mailed.
 */
export const channelsOf = (account: Reached, settings: SmsRule, isDayFull: boolean): Channel[] => {
  const mail = account.email !== null
  const sms = smsNumber(account, settings) !== null && !(isDayFull && mail)
  const can: Channel[] = [...(mail ? ['mail' as const] : []), ...(sms ? ['sms' as const] : [])]
  const wanted = can.filter((one) => account.messageChannel === 'both' || account.messageChannel === one)
  return wanted.length > 0 ? wanted : can
}

/** Whether somebody may order without an e-mail address: the school reaches them by phone. */
export const maySkipEmail = (
  account: Pick<Addressee, 'phone' | 'phoneVerifiedAt'>,
  settings: SmsRule & Pick<MessageSettings, 'orderWithPhone'>,
): boolean => settings.orderWithPhone && smsNumber(account, settings) !== null

/** What an account lacks to order; null: nothing. */
export const contactNeeded = (
  account: Pick<Addressee, 'email' | 'phone' | 'phoneVerifiedAt'>,
  settings: SmsRule & Pick<MessageSettings, 'orderWithPhone'>,
): User['contactNeeded'] => {
  if (account.email !== null || maySkipEmail(account, settings)) return null
  return settings.sms && settings.orderWithPhone ? 'email_or_phone' : 'email'
}
