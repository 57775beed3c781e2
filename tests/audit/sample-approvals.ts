import type { DomainEvent } from '#kernel/event'
import {
  administratorPayoutCounted,
  creditGiftAsked,
  creditPayoutApproved,
  creditPayoutAsked,
  creditPayoutWithdrawn,
  payoutCounted,
} from '#modules/credit/published'
import { payoutApproved, payoutAsked, payoutAskWithdrawn } from '#modules/refunds/published'

const at = '2026-09-15T06:00:00.000Z'
const refundId = '118.2026-09-22.1'
const askId = '0199a000-0000-7000-8000-00000000000f'
const ask = { refundId, askId, by: 1, at }
const payout = { userId: 21, payoutId: askId, by: 5, at }
const counted = { userId: 21, date: '2026-09-16', of: refundId, most: 4500, actId: askId, amount: 3000, at }

/** What is asked of a second administrator, and what leaves a family's account. */
export const approvalSamples: readonly [event: DomainEvent, sentence: string][] = [
  [
    payoutAsked({
      ...ask,
      amount: 3000,
      method: 'mobile_money',
      reference: 'MP1',
      note: null,
      toCard: false,
    }),
    'Asked another administrator to approve that K30.00 goes back (mobile money)',
  ],
  [payoutApproved(ask), 'Approved what another administrator asked for'],
  [payoutAskWithdrawn(ask), 'What waited for approval was withdrawn'],
  [
    payoutCounted({ ...counted, kind: 'payout' }),
    'K30.00 counted to what leaves the account of {user:21} on 2026-09-16',
  ],
  [
    administratorPayoutCounted({
      administrator: 5,
      date: '2026-09-16',
      kind: 'payout',
      of: refundId,
      most: 4500,
      actId: askId,
      amount: 3000,
      at,
    }),
    'K30.00 counted to the payouts of {user:5} on 2026-09-16',
  ],
  [
    creditPayoutAsked({ ...payout, amount: 4500, method: 'cash', reference: null }),
    'Asked another administrator to approve that K45.00 credit is paid out to {user:21} (cash)',
  ],
  [
    creditGiftAsked({ ...payout, amount: 4500, text: 'Fête' }),
    'Asked another administrator to approve that {user:21} is given K45.00 credit',
  ],
  [
    creditPayoutApproved({ ...payout, kind: 'payout' }),
    'Approved the payout of credit to {user:21} that another administrator asked for',
  ],
  [
    creditPayoutWithdrawn({ ...payout, kind: 'payout' }),
    'The payout of credit to {user:21} that waited for approval was withdrawn',
  ],
]
