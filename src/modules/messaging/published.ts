export { channelsOf, contactNeeded, isAllowedNumber, maySkipEmail, smsNumber } from './channels.decide'
export type { Channel, SmsRule } from './channels.decide'
export {
  isProven,
  letter,
  salutation,
  settingsChangedLetter,
  type Mail,
  type Recipient,
  oneSms,
  smsText,
} from './letters'
