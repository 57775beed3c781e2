import type {
  CancelAnswer,
  CardProvider,
  ProviderAnswer,
  ReportedPayment,
  TokenAnswer,
  TokenRequest,
} from '#modules/payments/providers/provider'

type Transaction = {
  request: TokenRequest
  answer: ProviderAnswer
  cancel: CancelAnswer
  acknowledged: number
}

export const unpaid: ProviderAnswer = {
  kind: 'pending',
  code: '900',
  explanation: 'Not paid yet',
  unusual: false,
}
export const atBank: ProviderAnswer = { ...unpaid, code: '003', explanation: 'Pending bank' }
export const declined: ProviderAnswer = { kind: 'declined', code: '901', explanation: 'Declined' }
export const unreachable: ProviderAnswer = { kind: 'unreachable', why: 'timeout', detail: null }

/** A card provider in memory that answers what a test tells it to. `verifies` counts the questions. */
export const scriptedProvider = () => {
  const transactions = new Map<string, Transaction>()
  const script = {
    create: null as TokenAnswer | null,
    verifies: 0,
    /** Runs while a question is on its way. */
    onVerify: async () => {},
    onCancel: async () => {},
  }

  const named = (token: string) => {
    const found = transactions.get(token)
    if (!found) throw new Error(`No token ${token}`)
    return found
  }
  const paidAnswer = (token: string, change: Partial<ReportedPayment> = {}): ProviderAnswer => {
    const { request } = named(token)
    const report: ReportedPayment = {
      explanation: 'Transaction Paid',
      transaction: { amount: request.amount, currency: 'ZMW' },
      final: { amount: null, currency: null },
      reference: request.reference,
      markupFee: null,
      fraud: { flagged: false, code: '000', explanation: null },
      method: 'Visa',
      cardLast4: '1111',
      approval: 'A1',
      ...change,
    }
    return { kind: 'says-paid', code: '000', report }
  }

  const port: CardProvider = {
    createToken: async (request) => {
      if (script.create) return script.create
      const token = `TOKEN-${transactions.size + 1}`
      transactions.set(token, { request, answer: unpaid, cancel: { kind: 'cancelled' }, acknowledged: 0 })
      return { kind: 'created', token, ref: null }
    },
    verify: async (token, { acknowledge }) => {
      script.verifies += 1
      await script.onVerify()
      const transaction = named(token)
      if (acknowledge) transaction.acknowledged += 1
      return transaction.answer
    },
    cancel: async (token) => {
      await script.onCancel()
      const transaction = named(token)
      if (transaction.cancel.kind === 'cancelled' && transaction.answer === unpaid)
        transaction.answer = { kind: 'cancelled', code: '904', explanation: 'Cancelled' }
      return transaction.cancel
    },
    refund: async () => ({ kind: 'accepted' }),
    verifyRefund: async () => ({ kind: 'reported', refunds: [] }),
    paymentPageUrl: (token) => `https://pay.test/?ID=${token}`,
  }

  return {
    port,
    script,
    transactions,
    answers: (token: string, answer: ProviderAnswer) => void (named(token).answer = answer),
    /** The customer pays, as asked for or with these differences. */
    paid: (token: string, change: Partial<ReportedPayment> = {}) =>
      void (named(token).answer = paidAnswer(token, change)),
    cancels: (token: string, answer: CancelAnswer) => void (named(token).cancel = answer),
  }
}
