import type { OrderingRules } from './ordering'

export const cancelTexts = {
  hour: {
    rule: 'Orders can only be cancelled within 1 hour of placing the order',
    inHistory: 'Orders placed less than 1 hour ago can be cancelled in Order History.',
    when: 'within an hour',
  },
  cutoff: {
    rule: 'Orders can be cancelled until the cutoff of their day',
    inHistory: 'Orders can be cancelled in Order History until the cutoff of their day.',
    when: 'until the cutoff of its day',
  },
} satisfies Record<OrderingRules['cancelUntil'], Record<string, string>>
