import { decimalFromNgwee } from '#kernel/money'
import type { BrokenReply } from './replies'
import type { VerifyAnswer, SandboxTransaction } from './transaction'

/** How a reference's tag scripts its transaction (payments.md section 10). */
export type Script = {
  /** createToken answers this code, or no token. */
  create?: string | 'no-token' | BrokenReply
  begins?: (transaction: SandboxTransaction) => SandboxTransaction
  /** Changes the answer of verifyToken. */
  answers?: (answer: VerifyAnswer, transaction: SandboxTransaction, companyToken: string) => VerifyAnswer
  verify?: BrokenReply
  /** cancelToken and refundToken are refused with 999. */
  keeps?: boolean
  refuses?: boolean
  /** Result of its refunds. */
  refundCode?: '003' | '008' | '009'
  refund?: RefundScript
  /** Answer of GetMobilePaymentOptions: broken, without options of Zambia, without any, or with this code. */
  options?: BrokenReply | 'abroad' | 'empty' | { code: string }
  charge?: ChargeScript
  prompt?: PromptScript
}

export type RefundScript = {
  /** Replaces the answer of refundToken. */
  answer?: BrokenReply
  /** Not carried out. */
  isLost?: boolean
  /** Delay until verifyRefund lists it, or releases a manual one (009). */
  listedAfterMs?: number
  releasedAfterMs?: number
  /** Replaces verifyRefund's list. */
  list?: BrokenReply
}

type ChargeScript = {
  /** Replaces the answer of ChargeTokenMobile, whose prompt goes out nevertheless. */
  answer?: BrokenReply | 'twice'
  /** Status code in place of 130; 200 pays first. */
  code?: string
  /** No prompt goes out. */
  isLost?: boolean
  instructions?: string
}

type PromptScript = {
  /** Delay until the phone shows it. */
  shownAfterMs?: number
  /** Without an answer the token is 903 then, until a newer prompt is asked. */
  runsOutAfterMs?: number
  /** Approved: reported as declined, and paid this much later. */
  paidAfterMs?: number
  /** What is reported as having paid, in place of the network; null for nothing. */
  reports?: string | null
  /** May still be approved after the token was cancelled or has expired. */
  stays?: boolean
}

const testCard = '1111'
const fee = 350
const minute = 60_000
const tenMinutes = 10 * minute

const paid = (transaction: SandboxTransaction): SandboxTransaction => ({
  ...transaction,
  outcome: 'paid',
  cardLast4: testCard,
})

const paidLate = (transaction: SandboxTransaction): SandboxTransaction => ({
  ...transaction,
  outcome: 'late',
  settlesAt: new Date(Date.parse(transaction.expiresAt) + tenMinutes).toISOString(),
  cardLast4: testCard,
})

const paidBut = (change: (transaction: SandboxTransaction) => Partial<VerifyAnswer>): Script => ({
  begins: paid,
  answers: (answer, transaction) => ({ ...answer, ...change(transaction) }),
})

const amounts = (amount: string | null): Partial<VerifyAnswer> => ({ amount, finalAmount: amount })

const cardScripts: Record<string, Script> = {
  PAID: { begins: paid },
  WAIT: { begins: (transaction) => ({ ...transaction, expiresAt: '9999-12-31T00:00:00.000Z' }) },
  DECLINE: { begins: (transaction) => ({ ...transaction, outcome: 'declined' }) },
  EXPIRE: { begins: (transaction) => ({ ...transaction, expiresAt: transaction.createdAt }) },
  CANCEL: { begins: (transaction) => ({ ...transaction, outcome: 'cancelled' }) },
  LATEPAY: { begins: paidLate },
  UNDER: paidBut(({ amount }) => amounts(decimalFromNgwee(amount - 1))),
  OVER: paidBut(({ amount }) => amounts(decimalFromNgwee(amount + 1))),
  NOAMT: paidBut(() => amounts(null)),
  NOREF: paidBut(() => ({ reference: null })),
  OTHERREF: paidBut(({ companyRef }) => ({ reference: `${companyRef}X` })),
  ALTCCY: paidBut(() => ({ amount: '5.80', currency: 'USD' })),
  OTHERCCY: paidBut(() => ({ currency: 'USD', finalCurrency: 'USD' })),
  MARKUP: paidBut(({ amount }) => ({
    ...amounts(decimalFromNgwee(amount + fee)),
    markupFee: decimalFromNgwee(fee),
  })),
  FRAUD: paidBut(() => ({ fraud: '001' })),
  V7ENVELOPE: paidBut(() => ({ otherEnvelope: true })),
  LEAK: {
    begins: paid,
    answers: (answer, _transaction, companyToken) => ({ ...answer, explanation: `Paid to ${companyToken}` }),
  },
  STALL: { begins: paid, verify: 'stall' },
  HTML502: { begins: paid, verify: 'html-502' },
  HTML200: { begins: paid, verify: 'html-200' },
  TRUNCATED: { begins: paid, verify: 'truncated' },
  DOCTYPE: { begins: paid, verify: 'doctype' },
  HUGE: { begins: paid, verify: 'huge' },
  NOTOKEN: { create: 'no-token' },
  LIMIT: { create: '905' },
  PAIDREF: { create: '940' },
  CREATESTALL: { create: 'stall' },
  CREATEHTML: { create: 'html-502' },
  KEEP: { keeps: true },
  REFUNDNO: { begins: paid, refuses: true },
  REFUNDWAIT: { begins: paid, refundCode: '009' },
  REFUNDDECLINED: { begins: paid, refundCode: '008' },
  REFUNDRELEASE: { begins: paid, refundCode: '009', refund: { releasedAfterMs: tenMinutes } },
  REFUNDSTALL: { begins: paid, refund: { answer: 'stall' } },
  REFUNDHTML: { begins: paid, refund: { answer: 'html-502' } },
  REFUNDLATE: { begins: paid, refund: { answer: 'html-200', listedAfterMs: tenMinutes } },
  REFUNDLOST: { begins: paid, refund: { answer: 'truncated', isLost: true } },
  REFUNDSHUT: { begins: paid, refund: { list: 'html-502' } },
}

const promptScripts: Record<string, Script> = {
  OPTIONSSTALL: { options: 'stall' },
  OPTIONSHTML: { options: 'html-502' },
  OPTIONSTRUNCATED: { options: 'truncated' },
  OPTIONSDOCTYPE: { options: 'doctype' },
  OPTIONSHUGE: { options: 'huge' },
  OPTIONSNONE: { options: 'abroad' },
  OPTIONSEMPTY: { options: 'empty' },
  CHARGESTALL: { charge: { answer: 'stall' } },
  CHARGELOST: { charge: { answer: 'stall', isLost: true } },
  CHARGEHTML: { charge: { answer: 'html-502' } },
  CHARGETRUNCATED: { charge: { answer: 'truncated' } },
  CHARGEDOCTYPE: { charge: { answer: 'doctype' } },
  CHARGETWICE: { charge: { answer: 'twice' } },
  CHARGENO: { charge: { code: '999', isLost: true } },
  CHARGEPAID: { charge: { code: '200' } },
  CHARGEMARKUP: { charge: { instructions: `<b>Dial</b> *115#<br/>${'and enter your PIN '.repeat(300)}` } },
  CHARGEMUTE: { charge: { instructions: '' } },
  PAIDLATER: { prompt: { paidAfterMs: tenMinutes } },
  SLOWPROMPT: { prompt: { shownAfterMs: minute } },
  PROMPTOUT: { prompt: { runsOutAfterMs: minute } },
  PROMPTSTAYS: { prompt: { stays: true } },
  PROMPTCARD: { prompt: { reports: 'Visa' } },
  PROMPTSILENT: { prompt: { reports: null } },
  PROMPTCANCEL: {
    answers: (answer) =>
      answer.code === '901' ? { ...answer, code: '904', explanation: 'Transaction cancelled' } : answer,
  },
}

const scripts = { ...cardScripts, ...promptScripts }

export const scriptTags: readonly string[] = Object.keys(cardScripts)
export const promptTags: readonly string[] = Object.keys(promptScripts)

const codeTag = /^(CODE|CREATE|OPTIONS|CHARGE)(\d{3})$/

/** The first part of a reference (`LP-PAID-1`) if it is a tag, else null. */
export const tagIn = (companyRef: string): string | null =>
  companyRef.split(/[^A-Z0-9]+/).find((part) => Object.hasOwn(scripts, part) || codeTag.test(part)) ?? null

/** `CODE901` makes verifyToken answer that code, `CREATE802` createToken, `OPTIONS950` and `CHARGE000` those of mobile money. */
export const scriptOf = (tag: string | null): Script => {
  if (tag === null) return {}
  const [, operation, code] = codeTag.exec(tag) ?? []
  if (code === undefined) return scripts[tag] ?? {}
  switch (operation) {
    case 'CREATE':
      return { create: code }
    case 'OPTIONS':
      return { options: { code } }
    case 'CHARGE':
      return { charge: { code, isLost: /^(?:8|9)/.test(code) } }
    default:
      return answering(code)
  }
}

const answering = (code: string): Script => ({
  answers: (answer) => ({ ...answer, code, explanation: `Scripted ${code}` }),
})

/** The transaction with the tag's script applied. */
export const scripted = (transaction: SandboxTransaction, tag: string | null): SandboxTransaction => {
  const { begins } = scriptOf(tag)
  return { ...(begins ? begins(transaction) : transaction), tag }
}
