import { z } from 'zod'
import { ngwee, decimalFromNgwee, type Ngwee } from '#kernel/money'
import type { XmlTree } from '#modules/payments/providers/dpo-wire'

const instant = z.iso.datetime()

const sandboxRefund = z.strictObject({
  amount: ngwee,
  refundRef: z.string(),
  code: z.enum(['003', '008', '009']),
  at: instant,
})
export type SandboxRefund = z.infer<typeof sandboxRefund>

/** `ignore`: it leaves the phone, and the provider hears nothing. */
export const promptAnswers = ['approve', 'wrong-pin', 'not-enough', 'decline', 'ignore'] as const
export type PromptAnswer = (typeof promptAnswers)[number]

/** What ChargeTokenMobile puts on a phone. */
const sandboxPrompt = z.strictObject({
  /** Twelve digits, with the country's code. */
  phone: z.string(),
  /** As the options name it. */
  network: z.string(),
  sentAt: instant,
  shownAt: instant,
  runsOutAt: instant.nullable(),
  answer: z.enum(promptAnswers).nullable(),
})
export type SandboxPrompt = z.infer<typeof sandboxPrompt>

/** One token of the sandbox. Instants are of the application's clock. */
export const sandboxTransaction = z.strictObject({
  token: z.string(),
  ref: z.string(),
  companyRef: z.string(),
  /** See script.ts. */
  tag: z.string().nullable(),
  amount: ngwee,
  currency: z.string(),
  description: z.string(),
  redirectUrl: z.string(),
  backUrl: z.string(),
  createdAt: instant,
  expiresAt: instant,
  /** `at-bank`: paid once settled. `late`: open until settled, then paid, even after the time limit. `declined-late`: said to be declined until settled, then paid. */
  outcome: z.enum(['none', 'paid', 'declined', 'cancelled', 'at-bank', 'late', 'declined-late']),
  settlesAt: instant.nullable(),
  cardLast4: z.string().nullable(),
  /** What is reported as having paid, if not a card. */
  paidBy: z.string().nullable(),
  /** Why the last prompt was refused. */
  refusal: z.string().nullable(),
  /** Oldest first. Each may still be approved: one token, one payment. */
  prompts: z.array(sandboxPrompt),
  acknowledged: z.boolean(),
  refunds: z.array(sandboxRefund),
  pushAt: instant.nullable(),
  pushTries: z.int().nonnegative(),
})
export type SandboxTransaction = z.infer<typeof sandboxTransaction>

type SandboxStatus = 'open' | 'paid' | 'declined' | 'cancelled' | 'at-bank' | 'expired'

export const statusAt = (transaction: SandboxTransaction, at: Date): SandboxStatus => {
  const { outcome, settlesAt, expiresAt, prompts } = transaction
  const hasCome = (instant: string | null = null) => instant !== null && at >= new Date(instant)
  const settled = hasCome(settlesAt)
  const unpaid = hasCome(expiresAt) || hasCome(prompts.at(-1)?.runsOutAt) ? 'expired' : 'open'
  switch (outcome) {
    case 'at-bank':
      return settled ? 'paid' : 'at-bank'
    case 'late':
      return settled ? 'paid' : unpaid
    case 'declined-late':
      return settled ? 'paid' : 'declined'
    case 'none':
      return unpaid
    default:
      return outcome
  }
}

/** Another card or prompt may follow a declined one, or one that has run out, within the time limit. */
export const canBePaid = (transaction: SandboxTransaction, at: Date): boolean =>
  ['open', 'declined', 'expired'].includes(statusAt(transaction, at)) && at < new Date(transaction.expiresAt)

export const endings = ['pay', 'decline', 'cancel', 'close', 'slow'] as const
export type Ending = (typeof endings)[number]

type Chosen = { ending: Ending; cardLast4: string; pushes: boolean; at: Date; slowBankMs: number }

/** Null when it can no longer be paid or cancelled. */
export const choose = (transaction: SandboxTransaction, chosen: Chosen): SandboxTransaction | null => {
  const { ending, cardLast4, pushes, at, slowBankMs } = chosen
  if (!canBePaid(transaction, at)) return null
  switch (ending) {
    case 'decline':
      return { ...transaction, outcome: 'declined', cardLast4, refusal: null }
    case 'cancel':
      return { ...transaction, outcome: 'cancelled' }
    case 'pay':
    case 'close':
      return { ...transaction, outcome: 'paid', cardLast4, pushAt: pushes ? at.toISOString() : null }
    case 'slow': {
      const settlesAt = new Date(at.getTime() + slowBankMs).toISOString()
      return { ...transaction, outcome: 'at-bank', settlesAt, cardLast4, pushAt: pushes ? settlesAt : null }
    }
  }
}

/** Derived from the token, so that it is stable. */
export const approvalOf = ({ token }: SandboxTransaction): string =>
  String(Number.parseInt(token.slice(0, 8), 16) % 1_000_000).padStart(6, '0')

/** Unrefunded part in ngwee; declined refunds do not count. */
export const refundable = ({ amount, refunds }: SandboxTransaction): Ngwee =>
  refunds.reduce((rest, refund) => (refund.code === '008' ? rest : rest - refund.amount), amount)

/** `change` is atomic; null leaves the transaction. `known` is the transaction as just read. */
export type SandboxTransactions = {
  add: (transaction: SandboxTransaction) => Promise<void>
  byToken: (token: string) => Promise<SandboxTransaction | null>
  byRef: (ref: string) => Promise<SandboxTransaction | null>
  withCompanyRef: (companyRef: string) => Promise<SandboxTransaction[]>
  /** Those with a prompt on this phone that nobody has answered, newest first. */
  promptedOn: (phone: string, limit: number) => Promise<SandboxTransaction[]>
  change: (
    token: string,
    decide: (transaction: SandboxTransaction) => SandboxTransaction | null,
    known?: SandboxTransaction,
  ) => Promise<SandboxTransaction | null>
  /** Longest due first. */
  pushesDue: (at: Date, limit: number) => Promise<string[]>
}

/** As DPO builds it (payments.md section 1.2). */
export const returnAddress = (transaction: SandboxTransaction, paid: boolean): string =>
  withQuery(transaction.redirectUrl, {
    TransID: transaction.token,
    CCDapproval: paid ? approvalOf(transaction) : '',
    PnrID: transaction.companyRef,
    TransactionToken: transaction.token,
    CompanyRef: transaction.companyRef,
  })

export const backAddress = (transaction: SandboxTransaction): string =>
  withQuery(transaction.backUrl, {
    TransactionToken: transaction.token,
    CompanyRef: transaction.companyRef,
  })

const withQuery = (address: string, parameters: Record<string, string>): string => {
  const [before = '', ...fragment] = new URL(address).href.split('#')
  const joint = before.includes('?') ? (/[?&]$/.test(before) ? '' : '&') : '?'
  return [`${before}${joint}${new URLSearchParams(parameters).toString()}`, ...fragment].join('#')
}

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
  method: string | null
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
  const { cardLast4, paidBy, refusal } = transaction
  const amount = decimalFromNgwee(transaction.amount)
  return {
    code,
    explanation: status === 'declined' ? (refusal ?? explanation) : explanation,
    amount,
    currency: transaction.currency,
    finalAmount: amount,
    finalCurrency: transaction.currency,
    reference: transaction.companyRef,
    markupFee: null,
    fraud: '000',
    approval: status === 'paid' ? approvalOf(transaction) : null,
    cardLast4,
    method: status === 'paid' && paidBy !== null ? paidBy : cardLast4 && 'Card',
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

const namesOfV6 = ({ cardLast4, method, approval, fraud }: VerifyAnswer): XmlTree => ({
  ...given('CustomerCredit', cardLast4),
  ...given('CustomerCreditType', method),
  ...given('TransactionApproval', approval),
  FraudAlert: fraud,
  FraudExplnation: fraudText(fraud),
})

const namesOfV7 = ({ reference, cardLast4, method, approval, fraud }: VerifyAnswer): XmlTree => ({
  ...given('CompanyRef', reference),
  ...given('CardLastFour', cardLast4),
  ...given('CardType', method),
  ...given('ApprovalNumber', approval),
  TransactionFraudAlert: fraud,
  TransactionFraudExplanation: fraudText(fraud),
})

const given = (name: string, text: string | null): XmlTree => (text === null ? {} : { [name]: text })

const fraudText = (code: string) => (code === '000' ? 'Genuine transaction' : 'Fraud suspected')
