import { decimalFromNgwee } from '#kernel/money'
import type { VerifyAnswer, SandboxTransaction } from './transaction'
import { writeXml, type XmlTree } from '#modules/payments/providers/dpo-wire'

type BrokenReply = 'stall' | 'html-502' | 'html-200' | 'truncated' | 'doctype' | 'huge'

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

const testCard = '1111'
const fee = 350
const tenMinutes = 10 * 60_000

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

const scripts: Record<string, Script> = {
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

export const scriptTags: readonly string[] = Object.keys(scripts)

const codeTag = /^(CODE|CREATE)(\d{3})$/

/** The first part of a reference (`LP-PAID-1`) if it is a tag, else null. */
export const tagIn = (companyRef: string): string | null =>
  companyRef.split(/[^A-Z0-9]+/).find((part) => Object.hasOwn(scripts, part) || codeTag.test(part)) ?? null

/** `CODE901` makes verifyToken answer that code, `CREATE802` createToken. */
export const scriptOf = (tag: string | null): Script => {
  if (tag === null) return {}
  const [, operation, code] = codeTag.exec(tag) ?? []
  if (code === undefined) return scripts[tag] ?? {}
  return operation === 'CREATE' ? { create: code } : answering(code)
}

const answering = (code: string): Script => ({
  answers: (answer) => ({ ...answer, code, explanation: `Scripted ${code}` }),
})

/** The transaction with the tag's script applied. */
export const scripted = (transaction: SandboxTransaction, tag: string | null): SandboxTransaction => {
  const { begins } = scriptOf(tag)
  return { ...(begins ? begins(transaction) : transaction), tag }
}

export type SandboxReply = { kind: 'stall' } | { kind: 'answer'; status: number; type: string; body: string }

export const xmlReply = (tree: XmlTree): SandboxReply => ({
  kind: 'answer',
  status: 200,
  type: 'application/xml; charset=utf-8',
  body: writeXml('API3G', tree),
})

export const resultReply = (code: string, explanation: string, more: XmlTree = {}): SandboxReply =>
  xmlReply({ Result: code, ResultExplanation: explanation, ...more })

export const htmlReply = (status: number, title: string): SandboxReply => ({
  kind: 'answer',
  status,
  type: 'text/html; charset=utf-8',
  body: `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
})

const paidXml = writeXml('API3G', { Result: '000', ResultExplanation: 'Transaction Paid' })

const textReply = (body: string): SandboxReply => ({
  kind: 'answer',
  status: 200,
  type: 'application/xml; charset=utf-8',
  body,
})

export const brokenReply = (broken: BrokenReply): SandboxReply => {
  switch (broken) {
    case 'stall':
      return { kind: 'stall' }
    case 'html-502':
      return htmlReply(502, '502 Bad Gateway')
    case 'html-200':
      return htmlReply(200, 'We are updating our systems')
    case 'truncated':
      return textReply(paidXml.slice(0, -8))
    case 'doctype':
      return textReply(paidXml.replace('<API3G>', '<!DOCTYPE API3G [<!ENTITY paid "000">]><API3G>'))
    case 'huge':
      return textReply(paidXml.replace('</API3G>', `<Note>${'x'.repeat(300_000)}</Note></API3G>`))
  }
}
