import { exactAmount, readReply, unknownCode } from './dpo-fields'
import type { DpoFields } from './dpo-fields'
import type { ProviderAnswer, ToldPayment } from './provider'

const pending = new Set(['001', '003', '005', '007', '900'])

// We only charge, and never in parts: an authorisation or a part payment is for a person to look at.
const unusual = new Set(['001', '007'])

const ended = { '901': 'declined', '903': 'expired', '904': 'cancelled' } as const

const ourFault = new Set(['801', '802', '803', '804', '902', '950', '951'])

/** Sorts an answer to verifyToken into its class: the table of payments.md section 1.3. */
export const readVerifyAnswer = (xml: string, companyToken: string): ProviderAnswer => {
  const reply = readReply(xml, companyToken)
  if (reply.kind === 'unreachable') return reply
  const { code, explanation, fields } = reply
  if (code === '000') return { kind: 'says-paid', code, told: toldIn(fields, explanation) }
  if (code === '002') return { kind: 'says-mismatch', code, told: toldIn(fields, explanation) }
  if (pending.has(code)) return { kind: 'pending', code, explanation, unusual: unusual.has(code) }
  if (isEnd(code)) return { kind: ended[code], code, explanation }
  return ourFault.has(code) ? { kind: 'config', code, explanation } : unknownCode(code)
}

const isEnd = (code: string): code is keyof typeof ended => Object.hasOwn(ended, code)

/** What is told of a payment, under the names of version 6 or 7 of the API (payments.md section 2). */
const toldIn = ({ text }: DpoFields, explanation: string): ToldPayment => {
  const fraudCode = text('FraudAlert', 'TransactionFraudAlert')
  return {
    explanation,
    transaction: {
      amount: exactAmount(text('TransactionAmount')),
      currency: text('TransactionCurrency'),
    },
    final: {
      amount: exactAmount(text('TransactionFinalAmount')),
      currency: text('TransactionFinalCurrency'),
    },
    reference: text('CompanyRef'),
    markupFee: exactAmount(text('MarkupFee')),
    fraud: {
      flagged: fraudCode !== null && fraudCode !== '000',
      code: fraudCode,
      explanation: text('FraudExplnation', 'FraudExplanation', 'TransactionFraudExplanation'),
    },
    method: text('CustomerCreditType', 'CardType'),
    cardLast4: lastDigits(text('CustomerCredit', 'CardLastFour')),
    approval: text('TransactionApproval', 'ApprovalNumber'),
  }
}

/** However much of a card's number is told, no more than its last four digits are kept. */
const lastDigits = (told: string | null) => /(\d{4})$/.exec(told ?? '')?.[1] ?? null
