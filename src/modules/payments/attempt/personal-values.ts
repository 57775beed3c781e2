import * as events from './events'

const ofLines = ['lines.*.student.name', 'lines.*.comments']
const ofAnswer = ['explanation']
const ofReport = ['report.explanation', 'report.cardLast4']

/** Paths of personal data: children's names and remarks, administrators' notes, and the provider's free text and card digits. */
export const personalDataPaths = {
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
