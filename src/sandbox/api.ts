import { randomInt, randomUUID } from 'node:crypto'
import { decimalFromNgwee, ngweeFromDecimal } from '#kernel/money'
import { fieldsIn, type DpoFields } from '#modules/payments/providers/dpo-answers'
import { insideOf, readXml, textOf } from '#modules/payments/providers/dpo-wire'
import { schoolCurrency } from '#modules/payments/providers/provider'
import type { Log } from '#platform/log'
import type { Now } from '#platform/ports'
import { chargeTokenMobile, getMobilePaymentOptions } from './mobile-money'
import { brokenReply, missing, resultReply, unknownToken, xmlReply, type SandboxReply } from './replies'
import { scriptOf, scripted, tagIn, type RefundScript, type Script } from './script'
import {
  verifyAnswerOf,
  verifyAnswerTree,
  refundable,
  statusAt,
  type ApiVersion,
  type SandboxRefund,
  type SandboxTransaction,
  type SandboxTransactions,
} from './transaction'

export type SandboxApiNeeds = {
  transactions: SandboxTransactions
  now: Now
  log: Log
  credentials: { companyToken: string; serviceType: string }
}

type Operation = (needs: SandboxApiNeeds, fields: DpoFields, version: ApiVersion) => Promise<SandboxReply>

/** Answers one XML request as DPO does (payments.md section 1). */
export const answerApi = async (
  needs: SandboxApiNeeds,
  version: ApiVersion,
  xml: string,
): Promise<SandboxReply> => {
  const read = readXml(xml)
  const elements = read.kind === 'read' ? insideOf(read.elements, 'API3G') : null
  if (!elements) return resultReply('804', 'Error in XML')
  // Stored unredacted: the token is only compared.
  const fields = fieldsIn(elements, '')
  const companyToken = fields.text('CompanyToken')
  if (companyToken === null) return resultReply('801', 'Request missing company token')
  if (companyToken !== needs.credentials.companyToken)
    return resultReply('802', 'Company token does not exist')
  const request = fields.text('Request') ?? ''
  const operation = Object.hasOwn(operations, request) ? operations[request] : undefined
  if (!operation) return resultReply('803', 'No request or error in Request type name')
  needs.log.debug({ request, version }, 'the sandbox provider is asked')
  return operation(needs, fields, version)
}

const verifyToken: Operation = async ({ transactions, now, credentials }, { text }, version) => {
  const token = text('TransactionToken')
  if (token === null) return missing('TransactionToken')
  const found = await transactions.byToken(token)
  if (!found) return unknownToken()
  const { verify, answers } = scriptOf(found.tag)
  if (verify) return brokenReply(verify)
  const answer = verifyAnswerOf(found, now())
  const scripted = answers ? answers(answer, found, credentials.companyToken) : answer
  if (text('VerifyTransaction') !== '0')
    await transactions.change(token, (transaction) => ({ ...transaction, acknowledged: true }), found)
  return xmlReply(verifyAnswerTree(scripted, version))
}

const cancelToken: Operation = async ({ transactions, now }, { text }) => {
  const token = text('TransactionToken')
  if (token === null) return missing('TransactionToken')
  const found = await transactions.byToken(token)
  if (!found) return unknownToken()
  const cancelled = await transactions.change(token, (transaction) =>
    isKept(transaction, now())
      ? null
      : { ...transaction, outcome: 'cancelled', settlesAt: null, pushAt: null },
  )
  return cancelled
    ? resultReply('000', 'Token been updated to status cancelled')
    : resultReply('999', 'The transaction cannot be cancelled any more')
}

const isKept = (transaction: SandboxTransaction, at: Date) => {
  const status = statusAt(transaction, at)
  return scriptOf(transaction.tag).keeps === true || status === 'paid' || status === 'at-bank'
}

const refundToken: Operation = async ({ transactions, now }, { text }) => {
  const token = text('TransactionToken')
  const amount = ngweeFromDecimal(text('refundAmount') ?? '')
  const refundRef = text('refundRef')
  if (token === null) return missing('TransactionToken')
  if (amount === null || amount === 0) return missing('refundAmount')
  if (text('refundDetails') === null) return missing('refundDetails')
  if (refundRef === null) return missing('refundRef')
  const found = await transactions.byToken(token)
  if (!found) return unknownToken()
  const at = now()
  const { refuses = false, refundCode: code = '003', refund: script = {} } = scriptOf(found.tag)
  if (script.answer && script.isLost) return brokenReply(script.answer)
  const refund: SandboxRefund = { amount, refundRef, code, at: at.toISOString() }
  const refunded = await transactions.change(token, (transaction) =>
    refuses || statusAt(transaction, at) !== 'paid' || refundable(transaction) < amount
      ? null
      : { ...transaction, refunds: [...transaction.refunds, refund] },
  )
  if (script.answer) return brokenReply(script.answer)
  return refunded ? resultReply('000', 'Refund successful') : resultReply('999', 'Refund failed')
}

const refundText = { '003': 'Refund successful', '008': 'Declined', '009': 'Manual Pending' } as const

const listedRefunds = ({ refunds }: SandboxTransaction, script: RefundScript, at: Date): SandboxRefund[] => {
  const { listedAfterMs = 0, releasedAfterMs = Infinity } = script
  const ageOf = (refund: SandboxRefund) => at.getTime() - Date.parse(refund.at)
  return refunds
    .filter((refund) => ageOf(refund) >= listedAfterMs)
    .map((refund) => (ageOf(refund) >= releasedAfterMs ? { ...refund, code: '003' } : refund))
}

const verifyRefund: Operation = async ({ transactions, now }, { text }) => {
  const token = text('TransactionToken')
  const ref = text('TransRef')
  if (token === null && ref === null) return missing('TransRef')
  const found = token === null ? await transactions.byRef(ref!) : await transactions.byToken(token)
  if (!found) return unknownToken()
  const { refund: script = {} } = scriptOf(found.tag)
  if (script.list) return brokenReply(script.list)
  const refunds = listedRefunds(found, script, now()).map(({ code, amount, at }) => ({
    Code: code,
    RefundStatus: refundText[code],
    RefundDate: at.slice(0, 19).replace('T', ' '),
    RefundAmount: `${decimalFromNgwee(amount)}00`,
  }))
  return xmlReply({ Code: '000', Explanation: 'Results Found', Refunds: { Refund: refunds } })
}

const operations: Record<string, Operation> = {
  createToken: ({ transactions, now, credentials }, fields) =>
    createToken(fields, { transactions, serviceType: credentials.serviceType, at: now() }),
  verifyToken,
  cancelToken,
  refundToken,
  verifyRefund,
  GetMobilePaymentOptions: getMobilePaymentOptions,
  ChargeTokenMobile: chargeTokenMobile,
}

type Asked = Pick<
  SandboxTransaction,
  'companyRef' | 'amount' | 'currency' | 'description' | 'redirectUrl' | 'backUrl'
> & { unique: boolean; limitMs: number }

type Denied = { code: string; explanation: string }

const refusals: Record<string, string> = {
  '905': 'The amount is over the limit of a transaction',
  '940': 'CompanyRef already exists and is paid',
}

/** createToken: checks what real DPO checks and stores the transaction, unless a script says otherwise. */
const createToken = async (
  { elements }: DpoFields,
  { transactions, serviceType, at }: { transactions: SandboxTransactions; serviceType: string; at: Date },
): Promise<SandboxReply> => {
  if (['Transaction', 'Services'].some((name) => Array.isArray(elements[name])))
    return resultReply('960', 'A tag is repeated')
  const asked = askedIn(elements, serviceType)
  if ('code' in asked) return resultReply(asked.code, asked.explanation)
  const tag = tagIn(asked.companyRef)
  const { create } = scriptOf(tag)
  if (create !== undefined) return scriptedRefusal(create)
  if (asked.unique && (await isPaid(transactions, asked.companyRef, at)))
    return resultReply('940', refusals['940']!)
  const transaction = scripted(newTransaction(asked, at), tag)
  await transactions.add(transaction)
  return resultReply('000', 'Transaction created', {
    TransToken: transaction.token,
    TransRef: transaction.ref,
  })
}

const scriptedRefusal = (create: NonNullable<Script['create']>): SandboxReply => {
  if (create === 'no-token') return resultReply('000', 'Transaction created')
  if (/^\d{3}$/.test(create)) return resultReply(create, refusals[create] ?? `Scripted ${create}`)
  return brokenReply(create as Parameters<typeof brokenReply>[0])
}

const isPaid = async (transactions: SandboxTransactions, companyRef: string, at: Date) =>
  (await transactions.withCompanyRef(companyRef)).some((transaction) => statusAt(transaction, at) === 'paid')

const denied = (code: string, explanation: string): Denied => ({ code, explanation })

const askedIn = (elements: DpoFields['elements'], serviceType: string): Asked | Denied => {
  const transaction = insideOf(elements, 'Transaction')
  const services = insideOf(elements, 'Services')
  const service = services && insideOf(services, 'Service')
  if (!transaction) return denied('950', 'Request missing mandatory fields - Transaction')
  if (!service) return denied('950', 'Request missing mandatory fields - Services')
  const { text } = fieldsIn(transaction, '')
  const { text: serviceText } = fieldsIn(service, '')
  const amount = ngweeFromDecimal(text('PaymentAmount') ?? '')
  const currency = text('PaymentCurrency')
  if (amount === null || amount === 0) return denied('902', 'Missing transaction field - PaymentAmount')
  if (currency === null) return denied('902', 'Missing transaction field - PaymentCurrency')
  if (currency !== schoolCurrency) return denied('904', 'Currency not supported')
  if (serviceText('ServiceType') !== serviceType) return denied('950', 'Data mismatch - ServiceType')
  const redirectUrl = webAddress(textOf(transaction, 'RedirectURL'))
  const backUrl = webAddress(textOf(transaction, 'BackURL'))
  if (redirectUrl === null || backUrl === null)
    return denied('902', 'Missing transaction field - RedirectURL')
  return {
    companyRef: text('CompanyRef') ?? '',
    amount,
    currency,
    description: serviceText('ServiceDescription') ?? '',
    redirectUrl,
    backUrl,
    unique: text('CompanyRefUnique') === '1',
    limitMs: limitOf(text('PTL'), text('PTLtype')),
  }
}

const webAddress = (text: string | null): string | null => {
  if (text === null || !URL.canParse(text)) return null
  return /^https?:$/.test(new URL(text).protocol) ? text : null
}

const minuteMs = 60_000
const usualLimitHours = 96

/** A limit without a type is in hours, as at DPO. */
const limitOf = (limit: string | null, type: string | null): number => {
  const count = /^[1-9]\d{0,5}$/.test(limit ?? '') ? Number(limit) : usualLimitHours
  return count * (limit !== null && type === 'minutes' ? minuteMs : 60 * minuteMs)
}

const newTransaction = ({ unique: _unique, limitMs, ...asked }: Asked, at: Date): SandboxTransaction => ({
  ...asked,
  token: randomUUID().toUpperCase(),
  ref: `R${randomInt(10_000_000, 100_000_000)}`,
  tag: null,
  createdAt: at.toISOString(),
  expiresAt: new Date(at.getTime() + limitMs).toISOString(),
  outcome: 'none',
  settlesAt: null,
  cardLast4: null,
  paidBy: null,
  refusal: null,
  prompts: [],
  acknowledged: false,
  refunds: [],
  pushAt: null,
  pushTries: 0,
})
