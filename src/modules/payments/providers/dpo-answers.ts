import { eachInside, exactAmount, fieldsIn, readReply, unknownCode, unreachable } from './dpo-fields'
import type { DpoReply } from './dpo-fields'
import { insideOf } from './dpo-xml'
import type {
  CancelAnswer,
  Misconfigured,
  RefundAnswer,
  RefundsAnswer,
  ToldRefund,
  TokenAnswer,
} from './provider'

const requestIsWrong = ['801', '802', '803', '804', '902', '950', '951']

// Here 904 is a currency that the account does not take; no other payment would go better.
const cannotCreate = new Set([...requestIsWrong, '904', '922', '923', '930', '960'])
const cannotCancel = new Set(requestIsWrong)
const cannotRefund = new Set(requestIsWrong)
// Here 001 is a missing company token.
const cannotLook = new Set([...requestIsWrong, '001'])

const misconfigured = ({ code, explanation }: DpoReply): Misconfigured => ({
  kind: 'config',
  code,
  explanation,
})

const tokenShape = /^[\w-]{8,64}$/

/** Result codes of createToken: payments.md section 1.2. */
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

/** Result codes of cancelToken: payments.md section 1.4. */
export const readCancelAnswer = (xml: string, companyToken: string): CancelAnswer => {
  const reply = readReply(xml, companyToken)
  if (reply.kind === 'unreachable') return reply
  const { code, explanation } = reply
  if (code === '000') return { kind: 'cancelled' }
  if (code === '999') return { kind: 'refused', code, explanation }
  return cannotCancel.has(code) ? misconfigured(reply) : unknownCode(code)
}

/** Result codes of refundToken: payments.md section 1.4. */
export const readRefundAnswer = (xml: string, companyToken: string): RefundAnswer => {
  const reply = readReply(xml, companyToken)
  if (reply.kind === 'unreachable') return reply
  const { code, explanation } = reply
  if (code === '000') return { kind: 'accepted' }
  if (code === '999') return { kind: 'refused', code, explanation }
  return cannotRefund.has(code) ? misconfigured(reply) : unknownCode(code)
}

/** Result codes of verifyRefund, and of each refund in its list: payments.md section 1.4. */
export const readRefundsAnswer = (xml: string, companyToken: string): RefundsAnswer => {
  const reply = readReply(xml, companyToken)
  if (reply.kind === 'unreachable') return reply
  if (cannotLook.has(reply.code)) return misconfigured(reply)
  if (reply.code !== '000') return unknownCode(reply.code)
  const list = insideOf(reply.fields.elements, 'Refunds')
  const refunds = list ? eachInside(list, 'Refund') : []
  return { kind: 'told', refunds: refunds.map((one) => toldRefund(fieldsIn(one, companyToken))) }
}

// An answer of its own for each refund: a code, or a status that is one.
const toldRefund = ({ text }: ReturnType<typeof fieldsIn>): ToldRefund => {
  const code = text('Code', 'RefundStatus') ?? ''
  return {
    status: code === '003' ? 'done' : code === '008' ? 'declined' : 'pending',
    code,
    amount: exactAmount(text('RefundAmount')),
    date: text('RefundDate'),
  }
}
