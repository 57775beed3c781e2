import { deadlineRule } from '#kernel/deadline'
import type { CutoffTime } from './cycles'
import type { OrderingRules } from './ordering'

export { deadlineRule } from '#kernel/deadline'

export const cancelRuleOfHour = 'Orders can only be cancelled within 1 hour of placing the order'

type CancelTexts = { rule: string; inHistory: string; when: string }

const textsOfHour: CancelTexts = {
  rule: cancelRuleOfHour,
  inHistory: 'Orders placed less than 1 hour ago can be cancelled in Order History.',
  when: 'within an hour',
}

export const cancelTextsOf = (cancelUntil: OrderingRules['cancelUntil'], cutoff: CutoffTime): CancelTexts => {
  if (cancelUntil === 'hour') return textsOfHour
  const until = `until ${deadlineRule(cutoff)}`
  return {
    rule: `Orders can be cancelled ${until}`,
    inHistory: `Orders can be cancelled in Order History ${until}.`,
    when: until,
  }
}
