import { decimalFromNgwee } from '#kernel/money'
import type { XmlTree } from '#modules/payments/providers/dpo-wire'
import { approvalOf, statusAt, type SandboxStatus, type SandboxTransaction } from './transaction'

export type ApiVersion = 'v6' | 'v7'

/** An answer to verifyToken before a version names its fields; null fields are left out. */
export type VerifyAnswer = {
  code: string
  explanation: string
  amount: string | null
  currency: string | null
  finalAmount: string | null
  finalCurrency: string | null
  reference: string | null
  markupFee: string | null
  fraud: string
  approval: string | null
  cardLast4: string | null
  /** Under `Code` and `Explanation`. */
  otherEnvelope: boolean
}

const words: Record<SandboxStatus, [code: string, explanation: string]> = {
  paid: ['000', 'Transaction Paid'],
  open: ['900', 'Transaction not paid yet'],
  'at-bank': ['003', 'Pending bank'],
  declined: ['901', 'Transaction declined'],
  expired: ['903', 'The transaction passed the Payment Time Limit'],
  cancelled: ['904', 'Transaction cancelled'],
}

export const verifyAnswerOf = (transaction: SandboxTransaction, at: Date): VerifyAnswer => {
  const status = statusAt(transaction, at)
  const [code, explanation] = words[status]
  const amount = decimalFromNgwee(transaction.amount)
  return {
    code,
    explanation,
    amount,
    currency: transaction.currency,
    finalAmount: amount,
    finalCurrency: transaction.currency,
    reference: transaction.companyRef,
    markupFee: null,
    fraud: '000',
    approval: status === 'paid' ? approvalOf(transaction) : null,
    cardLast4: transaction.cardLast4,
    otherEnvelope: false,
  }
}

/** Version 6 has no field for the reference. */
export const verifyAnswerTree = (answer: VerifyAnswer, version: ApiVersion): XmlTree => ({
  ...envelope(answer),
  ...(version === 'v7' || answer.otherEnvelope ? namesOfV7(answer) : namesOfV6(answer)),
  ...given('TransactionAmount', answer.amount),
  ...given('TransactionCurrency', answer.currency),
  ...given('TransactionFinalAmount', answer.finalAmount),
  ...given('TransactionFinalCurrency', answer.finalCurrency),
  ...given('MarkupFee', answer.markupFee),
})

const envelope = ({ code, explanation, otherEnvelope }: VerifyAnswer): XmlTree =>
  otherEnvelope ? { Code: code, Explanation: explanation } : { Result: code, ResultExplanation: explanation }

const namesOfV6 = ({ cardLast4, approval, fraud }: VerifyAnswer): XmlTree => ({
  ...given('CustomerCredit', cardLast4),
  ...given('CustomerCreditType', cardLast4 && 'Card'),
  ...given('TransactionApproval', approval),
  FraudAlert: fraud,
  FraudExplnation: fraudText(fraud),
})

const namesOfV7 = ({ reference, cardLast4, approval, fraud }: VerifyAnswer): XmlTree => ({
  ...given('CompanyRef', reference),
  ...given('CardLastFour', cardLast4),
  ...given('CardType', cardLast4 && 'Card'),
  ...given('ApprovalNumber', approval),
  TransactionFraudAlert: fraud,
  TransactionFraudExplanation: fraudText(fraud),
})

const given = (name: string, text: string | null): XmlTree => (text === null ? {} : { [name]: text })

const fraudText = (code: string) => (code === '000' ? 'Genuine transaction' : 'Fraud suspected')
