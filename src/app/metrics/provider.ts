import { Histogram } from 'prom-client'
import type { Registry } from 'prom-client'
import type { CardProvider } from '#modules/payments/index'

type Answer = { kind: string }

/** The card provider, measured: how long its answers take and of which kind they are. */
export const measuredProvider = (provider: CardProvider, registry: Registry): CardProvider => {
  const duration = new Histogram({
    name: 'tuckshop_card_provider_duration_seconds',
    help: 'Duration of calls to the card provider in seconds, by the kind of answer; unavailable: not asked at all',
    labelNames: ['call', 'answer'] as const,
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
    registers: [registry],
  })
  const measured =
    <Words extends unknown[], Told extends Answer>(call: string, ask: (...words: Words) => Promise<Told>) =>
    async (...words: Words): Promise<Told> => {
      const end = duration.startTimer({ call })
      const answer = await ask(...words)
      end({ answer: answer.kind })
      return answer
    }
  return {
    createToken: measured('create', provider.createToken),
    verify: measured('verify', provider.verify),
    cancel: measured('cancel', provider.cancel),
    refund: measured('refund', provider.refund),
    verifyRefund: measured('verify-refund', provider.verifyRefund),
    paymentPageUrl: provider.paymentPageUrl,
  }
}
