import type { CardRefundState } from '#contracts/refunds'
import type { CardRefund } from './card-refund'

/** A request to refund to the card as the office sees it; `reason` tells why it is where it is. */
export const cardReply = (card: CardRefund): CardRefundState => ({
  state: card.state,
  reason: reasonOf(card),
})

const reasonOf = ({ state, answer }: CardRefund): string | null => {
  switch (state) {
    case 'requested':
      return 'The card provider has not said yet whether it has paid it back. Tuckshop keeps asking.'
    case 'pending':
      return answer?.answer === 'pending'
        ? 'Somebody at the card provider has to release it. Tuckshop keeps asking.'
        : 'The card provider has taken the request and has not said yet that it is done. Tuckshop keeps asking.'
    case 'check':
      return 'The card provider has not said what became of it. Look in its portal whether the money went back.'
    case 'failed':
      return answer ? refusedWords(answer) : 'Somebody found that nothing went back.'
    case 'done':
      return null
  }
}

const refusedWords = ({ code, explanation }: NonNullable<CardRefund['answer']>): string =>
  `The card provider refused it: ${explanation === '' ? `code ${code}` : `${explanation} (${code})`}`
