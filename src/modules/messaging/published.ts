/** The words of messages and the rules of channels, for whoever writes to somebody. */
export { channelsOf, contactNeeded, isAllowedNumber, maySkipEmail, smsNumber } from './channels.decide'
export type { Channel, SmsRule } from './channels.decide'
export { isProven, letter, salutation } from './letters'
export type { Mail, Recipient } from './letters'
export { oneSms, smsText } from './sms-text'
