import { randomInt, randomUUID } from 'node:crypto'
import { ngweeFromDecimal } from '#kernel/money'
import { type DpoFields, fieldsIn } from '#modules/payments/providers/dpo-answers'
import { insideOf, textOf } from '#modules/payments/providers/dpo-wire'
import { schoolCurrency } from '#modules/payments/providers/provider'
import { brokenReply, resultReply, type SandboxReply } from './replies'
import { scriptOf, scripted, tagIn, type Script } from './script'
import { statusAt, type SandboxTransaction, type SandboxTransactions } from './transaction'

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
export const createToken = async (
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
  acknowledged: false,
  refunds: [],
  pushAt: null,
  pushTries: 0,
})
