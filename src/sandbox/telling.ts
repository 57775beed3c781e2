import { decimalFromNgwee } from '#kernel/money'
import type { XmlTree } from '#modules/payments/providers/dpo-wire'
import { approvalOf, statusAt, type SandboxStatus, type SandboxTransaction } from './transaction'

export type ApiVersion = 'v6' | 'v7'

/** What an answer to verifyToken says, before it is dressed in the names of a version; null fields are left out. */
export type Telling = {
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

export const tellingOf = (transaction: SandboxTransaction, at: Date): Telling => {
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

/** The answer as version 6 or 7 of the API names its fields; version 6 has none for the reference. */
export const tellingTree = (telling: Telling, version: ApiVersion): XmlTree => ({
  ...envelope(telling),
  ...(version === 'v7' || telling.otherEnvelope ? namesOfV7(telling) : namesOfV6(telling)),
  ...told('TransactionAmount', telling.amount),
  ...told('TransactionCurrency', telling.currency),
  ...told('TransactionFinalAmount', telling.finalAmount),
  ...told('TransactionFinalCurrency', telling.finalCurrency),
  ...told('MarkupFee', telling.markupFee),
})

const envelope = ({ code, explanation, otherEnvelope }: Telling): XmlTree =>
  otherEnvelope ? { Code: code, Explanation: explanation } : { Result: code, ResultExplanation: explanation }

const namesOfV6 = ({ cardLast4, approval, fraud }: Telling): XmlTree => ({
  ...told('CustomerCredit', cardLast4),
  ...told('CustomerCreditType', cardLast4 && 'Card'),
  ...told('TransactionApproval', approval),
  FraudAlert: fraud,
  FraudExplnation: fraudWords(fraud),
})

const namesOfV7 = ({ reference, cardLast4, approval, fraud }: Telling): XmlTree => ({
  ...told('CompanyRef', reference),
  ...told('CardLastFour', cardLast4),
  ...told('CardType', cardLast4 && 'Card'),
  ...told('ApprovalNumber', approval),
  TransactionFraudAlert: fraud,
  TransactionFraudExplanation: fraudWords(fraud),
})

const told = (name: string, text: string | null): XmlTree => (text === null ? {} : { [name]: text })

const fraudWords = (code: string) => (code === '000' ? 'Genuine transaction' : 'Fraud suspected')
