import type { DomainEvent } from '#kernel/event'
import * as credit from '#modules/credit/published'

const attemptId = '0199a000-0000-7000-8000-000000000001'
const at = '2026-09-15T06:00:00.000Z'

/** A family's K45.00 of credit for an order. */
const ofFamily = {
  userId: 21,
  amount: 4500,
  about: { orderId: '118.2026-09-22.1', reference: null },
  text: 'Beef Stew for Chipo, cancelled',
  at,
}

/** One event of each type of families' credit, with its sentence. */
export const creditSamples: readonly [event: DomainEvent, sentence: string][] = [
  [
    credit.creditGiven({
      ...ofFamily,
      entryId: 'cancelled/1',
      kind: 'cancelled',
      attemptId,
      balanceAfter: 4500,
    }),
    'K45.00 credit given to {user:21}: the meal was cancelled',
  ],
  [
    credit.creditHeld({ ...ofFamily, attemptId, lines: [{ index: 0, amount: 4500 }], balanceAfter: 0 }),
    'K45.00 credit of {user:21} held for a checkout',
  ],
  [
    credit.creditSpent({ userId: 21, attemptId, lines: [{ index: 0, amount: 4500 }], amount: 4500, at }),
    'K45.00 held credit of {user:21} spent on meals',
  ],
  [
    credit.creditReleased({
      ...ofFamily,
      attemptId,
      lines: [{ index: 0, amount: 4500 }],
      balanceAfter: 4500,
    }),
    'K45.00 held credit of {user:21} released',
  ],
  [
    credit.creditCharged({ ...ofFamily, entryId: 'changed/1', attemptId, balanceAfter: 0 }),
    'K45.00 credit of {user:21} spent on a dearer meal',
  ],
  [
    credit.creditProven({ userId: 21, transferId: attemptId, at }),
    'Money of {user:21} that was confirmed by hand is on a statement now',
  ],
  [
    credit.creditTakenBack({ ...ofFamily, entryId: 'cancelled/1', attemptId, balanceAfter: 0 }),
    'K45.00 credit taken back from {user:21}: its reason is gone',
  ],
  [
    credit.creditPaidOut({
      userId: 21,
      payoutId: attemptId,
      amount: 4500,
      method: 'mobile_money',
      reference: 'MM 0977123456',
      by: 5,
      balanceAfter: 0,
      at,
    }),
    'K45.00 credit paid out to {user:21} (mobile money)',
  ],
]
