import { lettersView } from '#modules/refunds/tell-family-when-refund-paid.reactor'
import { viewSpec } from '../support/view-spec'
import { orderRefund, paidBack, payoutId } from './refund-words'

const spec = viewSpec(lettersView)

test('each payout is one letter', () => {
  const payouts = [paidBack(1, 1000, 3550), paidBack(2, 3550, 0)] as const
  spec
    .given(...payouts)
    .thenRows(
      payouts.map(({ data }, index) => ({ id: payoutId(index + 1), refund_id: orderRefund, at: data.at })),
    )
})

test.each(['credit', 'given_up'] as const)('what went back as %s is none', (method) =>
  spec.given(paidBack(1, 4550, 0, { method })).thenRows([]),
)
