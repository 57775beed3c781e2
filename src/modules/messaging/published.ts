export { channelsOf, contactNeeded, isAllowedNumber, maySkipEmail, smsNumber } from './channels.decide'
export type { Channel, SmsRule } from './channels.decide'
export {
  isProven,
  letter,
  salutation,
  changedLetters,
  type Mail,
  type Recipient,
  oneSms,
  smsText,
} from './letters'
