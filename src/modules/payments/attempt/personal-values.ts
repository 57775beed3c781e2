import { checkoutStarted, linesAmended, mismatchAccepted, remainderWaived } from './events'

const ofLines = ['lines.*.student.name', 'lines.*.comments']

/** Children's names and remarks, and what administrators wrote about a family's money. */
export const personalValues = {
  [checkoutStarted.type]: ofLines,
  [linesAmended.type]: ofLines,
  [mismatchAccepted.type]: ['reason'],
  [remainderWaived.type]: ['reason'],
}
