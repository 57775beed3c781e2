import { ngweeFromDecimal, type Ngwee } from '#kernel/money'
import { insideOf, readXml, textOf, type XmlElements, type XmlNode } from './dpo-wire'
import {
  unreachable,
  type CancelAnswer,
  type Misconfigured,
  type MobileOption,
  type MobileOptionsAnswer,
  type PromptAnswer,
  type ProviderAnswer,
  type RefundAnswer,
  type RefundsAnswer,
  type ReportedPayment,
  type ReportedRefund,
  type TokenAnswer,
  type Unreachable,
} from './provider'

const requestIsWrong = new Set(['801', '802', '803', '804', '902', '950', '951'])

// 904 here is a currency the account does not take; no other payment would succeed.
const cannotCreate = new Set([...requestIsWrong, '904', '922', '923', '930', '960'])
// 001 here is a missing company token.
const cannotTellRefunds = new Set([...requestIsWrong, '001'])

const misconfigured = ({ code, explanation }: DpoReply): Misconfigured => ({
  kind: 'config',
  code,
  explanation,
})

const tokenShape = /^[\w-]{8,64}$/

export const readCreateAnswer = (
  xml: string,
  companyToken: string,
): Exclude<TokenAnswer, { kind: 'unavailable' }> => {
  const reply = readReply(xml, companyToken)
  if (reply.kind === 'unreachable') return reply
  const { code, explanation, fields } = reply
  if (code === '000') {
    const token = fields.text('TransToken')
    if (token === null || !tokenShape.test(token)) return unreachable('no-token')
    return { kind: 'created', token, ref: fields.text('TransRef') }
  }
  if (cannotCreate.has(code)) return misconfigured(reply)
  return { kind: 'refused', reason: refusedBecause(code), code, explanation }
}

const refusedBecause = (code: string) => {
  if (code === '940') return 'already-paid'
  return code === '905' || code === '906' ? 'over-limit' : 'other'
}

export const readCancelAnswer = (xml: string, companyToken: string): CancelAnswer => {
  const reply = readReply(xml, companyToken)
  if (reply.kind === 'unreachable') return reply
  const { code, explanation } = reply
  if (code === '000') return { kind: 'cancelled' }
  if (code === '999') return { kind: 'refused', code, explanation }
  return requestIsWrong.has(code) ? misconfigured(reply) : unknownCode(code)
}

/** 130 or 000: the prompt went out, 200: paid already (phone-money-and-counter.md section 1). Neither moves money: `verify` tells. */
export const readPromptAnswer = (xml: string, companyToken: string): PromptAnswer => {
  const reply = readReply(xml, companyToken, ['StatusCode', 'Result', 'Code'])
  if (reply.kind === 'unreachable') return reply
  const { code, explanation, fields } = reply
  if (code === '130' || code === '000') return { kind: 'sent', code, instructions: instructionsIn(fields) }
  if (code === '200') return { kind: 'paid', code }
  if (requestIsWrong.has(code)) return misconfigured(reply)
  return /^\d{3}$/.test(code) ? { kind: 'refused', code, explanation } : unknownCode(code)
}

/** Without the markup that the provider may put into it. */
const instructionsIn = ({ text }: DpoFields): string | null =>
  text('instructions', 'Instructions')
    ?.replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim() || null

/** A code may be absent; one other than 000 is a refusal. */
export const readMobileOptions = (xml: string, companyToken: string): MobileOptionsAnswer => {
  const read = readXml(xml)
  if (read.kind !== 'read') return unreachable(read.kind)
  const elements = insideOf(read.elements, 'API3G')
  if (!elements) return unreachable('no-code')
  if (['Result', 'Code'].some((name) => Object.hasOwn(elements, name))) {
    const reply = readReply(xml, companyToken)
    if (reply.kind === 'unreachable') return reply
    if (reply.code !== '000')
      return requestIsWrong.has(reply.code) ? misconfigured(reply) : unknownCode(reply.code)
  }
  return { kind: 'options', options: optionsIn(elements, companyToken).slice(0, maxOptions) }
}

const maxOptions = 200

/** Wherever they stand, under names in whatever case: the envelope of this call is not documented for certain. */
const optionsIn = (elements: XmlElements, companyToken: string): MobileOption[] => {
  const fields = fieldsIn(inLowerCase(elements), companyToken)
  const name = fields.text('paymentname')
  const country = fields.text('country')
  const countryCode = fields.text('countrycode', 'cellularprefix')?.replaceAll(/\D/g, '')
  const here = name && country && countryCode ? [{ name, country, countryCode }] : []
  const inner = Object.values(elements).flatMap((node) => (Array.isArray(node) ? node : [node]))
  return [
    ...here,
    ...inner.flatMap((node) =>
      typeof node === 'object' && !Array.isArray(node) ? optionsIn(node, companyToken) : [],
    ),
  ]
}

const inLowerCase = (elements: XmlElements): XmlElements =>
  Object.fromEntries(Object.entries(elements).map(([name, node]) => [name.toLowerCase(), node]))

export const readRefundAnswer = (xml: string, companyToken: string): RefundAnswer => {
  const reply = readReply(xml, companyToken)
  if (reply.kind === 'unreachable') return reply
  const { code, explanation } = reply
  if (code === '000') return { kind: 'accepted' }
  if (code === '999') return { kind: 'refused', code, explanation }
  return requestIsWrong.has(code) ? misconfigured(reply) : unknownCode(code)
}

/** payments.md section 1.4, also for each listed refund. */
export const readRefundsAnswer = (xml: string, companyToken: string): RefundsAnswer => {
  const reply = readReply(xml, companyToken)
  if (reply.kind === 'unreachable') return reply
  if (cannotTellRefunds.has(reply.code)) return misconfigured(reply)
  if (reply.code !== '000') return unknownCode(reply.code)
  const list = insideOf(reply.fields.elements, 'Refunds')
  const refunds = list ? eachInside(list, 'Refund') : []
  return { kind: 'reported', refunds: refunds.map((one) => refundIn(fieldsIn(one, companyToken))) }
}

const refundIn = ({ text }: ReturnType<typeof fieldsIn>): ReportedRefund => {
  const code = text('Code', 'RefundStatus') ?? ''
  return {
    status: code === '003' ? 'done' : code === '008' ? 'declined' : 'pending',
    code,
    amount: exactAmount(text('RefundAmount')),
    date: text('RefundDate'),
  }
}

const pending = new Set(['001', '003', '005', '007', '900'])

// We only charge in full: authorisations and part payments need a person.
const unusual = new Set(['001', '007'])

const ended = { '901': 'declined', '903': 'expired', '904': 'cancelled' } as const

/** The table of payments.md section 1.3. */
export const readVerifyAnswer = (xml: string, companyToken: string): ProviderAnswer => {
  const reply = readReply(xml, companyToken)
  if (reply.kind === 'unreachable') return reply
  const { code, explanation, fields } = reply
  if (code === '000') return { kind: 'says-paid', code, report: reportIn(fields, explanation) }
  if (code === '002') return { kind: 'says-mismatch', code, report: reportIn(fields, explanation) }
  if (pending.has(code)) return { kind: 'pending', code, explanation, unusual: unusual.has(code) }
  if (isEnd(code)) return { kind: ended[code], code, explanation }
  return requestIsWrong.has(code) ? { kind: 'config', code, explanation } : unknownCode(code)
}

const isEnd = (code: string): code is keyof typeof ended => Object.hasOwn(ended, code)

/** Names of API version 6 or 7 (payments.md section 2). */
const reportIn = ({ text }: DpoFields, explanation: string): ReportedPayment => {
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

/** Keeps at most the last four digits. */
const lastDigits = (report: string | null) => /(\d{4})$/.exec(report ?? '')?.[1] ?? null

/** `text` reads the first non-empty of these names, cleaned and without our credential. */
export type DpoFields = { text: (...names: string[]) => string | null; elements: XmlElements }

type DpoReply = { kind: 'reply'; code: string; explanation: string; fields: DpoFields }

/** Two envelopes exist (payments.md section 2). Anything but one clear code in one `API3G` is unreachable. */
const readReply = (
  xml: string,
  companyToken: string,
  codeNames: readonly string[] = ['Result', 'Code'],
): DpoReply | Unreachable => {
  const read = readXml(xml)
  if (read.kind !== 'read') return unreachable(read.kind)
  const elements = insideOf(read.elements, 'API3G')
  if (!elements) return unreachable('no-code')
  const fields = fieldsIn(elements, companyToken)
  const codes = codeNames.map((name) => fields.text(name)).filter((code) => code !== null)
  // Beside a StatusCode, a Result of 000 only says that the request was understood.
  const [code, ...others] = codes
  const isClear =
    others.length === 0 || (codeNames[0] === 'StatusCode' && others.every((one) => one === '000'))
  if (code === undefined || !isClear) return unreachable('no-code')
  if (codeNames.some((name) => isRepeated(elements, name))) return unreachable('no-code')
  return { kind: 'reply', code, explanation: fields.text('ResultExplanation', 'Explanation') ?? '', fields }
}

const unknownCode = (code: string): Unreachable =>
  unreachable('unknown-code', /^\d{1,6}$/.test(code) ? code : null)

const isRepeated = (elements: XmlElements, name: string) =>
  Object.hasOwn(elements, name) && Array.isArray(elements[name])

export const fieldsIn = (elements: XmlElements, companyToken: string): DpoFields => {
  const clean = cleanerOf(companyToken)
  return {
    elements,
    text: (...names) => {
      for (const name of names) {
        const text = clean(textOf(elements, name) ?? '')
        if (text !== '') return text
      }
      return null
    },
  }
}

const longest = 300

// Control characters and lone surrogates break columns and log lines. Marked, not removed, so that texts stay distinct.
const unkeepable = /[\p{Cc}\p{Cs}\u2028\u2029]+/gu

const cleanerOf = (companyToken: string) => {
  const secret = new RegExp(companyToken.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi')
  return (text: string) => {
    const kept = text.replaceAll(/\s+/g, ' ').replaceAll(unkeepable, '\ufffd')
    const safe = companyToken === '' ? kept : kept.replaceAll(secret, '[struck out]')
    return Array.from(safe.trim()).slice(0, longest).join('')
  }
}

/** Exact to the ngwee, trailing zeros allowed (`145.0000`); null otherwise. */
const exactAmount = (text: string | null): Ngwee | null =>
  text === null ? null : ngweeFromDecimal(text.replace(/^(\d+\.\d\d)0+$/, '$1'))

const eachInside = (elements: XmlElements, name: string): XmlElements[] => {
  const node = Object.hasOwn(elements, name) ? elements[name]! : []
  const nodes: XmlNode[] = Array.isArray(node) ? node : [node]
  return nodes.filter((one): one is XmlElements => typeof one === 'object' && !Array.isArray(one))
}

const pushedToken = /^[\w-]{1,100}$/

/** Null when unreadable; document types are not read. */
export const tokenOfPush = (raw: string): string | null => {
  const read = readXml(raw)
  if (read.kind !== 'read') return null
  const root = insideOf(read.elements, 'API3G') ?? insideOf(read.elements, 'Response')
  const token = root && textOf(root, 'TransactionToken')?.trim()
  return token && pushedToken.test(token) ? token : null
}
