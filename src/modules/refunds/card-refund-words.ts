import type { CardRefundState } from '#contracts/refunds'
import type { CardRefund } from './card-refund'

export const cardReply = (card: CardRefund): CardRefundState => ({
  state: card.state,
  reason: reasonOf(card),
})

const reasonOf = ({ state, answer }: CardRefund): string | null => {
  switch (state) {
    case 'requested':
      return 'The card provider has not answered. Tuckshop keeps asking.'
    case 'pending':
      return answer?.answer === 'pending'
        ? 'Somebody at the card provider has to release it.'
        : 'The card provider has taken the request. Tuckshop asks whether it is done.'
    case 'check':
      return 'Look in the card provider’s portal whether the money went back.'
    case 'failed':
      return answer ? refusedText(answer) : 'Somebody found that nothing went back.'
    case 'done':
      return null
  }
}

const refusedText = ({ code, explanation }: NonNullable<CardRefund['answer']>): string =>
  `The card provider refused it: ${explanation === '' ? `code ${code}` : `${explanation} (${code})`}`
