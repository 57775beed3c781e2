import * as events from './events'

const ofLines = ['lines.*.student.name', 'lines.*.comments']
const ofAnswer = ['explanation']
const ofReport = ['report.explanation', 'report.cardLast4']

/**
 * Children's names and remarks, what administrators wrote about a family's money, and of the provider's
 * answers its free words, which we do not choose, and the card's last digits.
 */
export const personalValues = {
  [events.checkoutStarted.type]: ofLines,
  [events.linesAmended.type]: ofLines,
  [events.mismatchAccepted.type]: ['reason'],
  [events.remainderWaived.type]: ['reason'],
  [events.providerTokenRefused.type]: ['detail'],
  [events.paymentVerified.type]: ofReport,
  [events.paymentMismatched.type]: ofReport,
  [events.paymentStillPending.type]: ofAnswer,
  [events.paymentDeclined.type]: ofAnswer,
  [events.paymentCancelled.type]: ofAnswer,
  [events.paymentExpired.type]: ofAnswer,
  [events.providerAnswerNoted.type]: ofAnswer,
}
