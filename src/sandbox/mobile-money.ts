import { decimalFromNgwee, type Ngwee } from '#kernel/money'
import type { DpoFields } from '#modules/payments/providers/dpo-answers'
import type { XmlTree } from '#modules/payments/providers/dpo-wire'
import type { Now } from '#platform/ports'
import {
  brokenReply,
  missing,
  resultReply,
  textReply,
  unknownToken,
  xmlReply,
  type SandboxReply,
} from './replies'
import { scriptOf } from './script'
import {
  canBePaid,
  statusAt,
  type PromptAnswer,
  type SandboxPrompt,
  type SandboxTransaction,
  type SandboxTransactions,
} from './transaction'

type Needs = { transactions: SandboxTransactions; now: Now }

type MobileOption = {
  name: string
  wallet: string
  country: string
  countryCode: string
  currency: string
  /** To the kwacha; made up. */
  rate: number
  /** Of one payment. Null where a Zambian number cannot pay. */
  limits: { min: Ngwee; max: Ngwee } | null
}

const airtel = { wallet: 'Airtel Money', limits: null }
const mtn = { wallet: 'MTN Money', limits: null }
const zambia = { country: 'zambia', countryCode: '260', currency: 'ZMW', rate: 1 }

/** Other countries stand first: whoever takes the first Airtel takes a wrong one. Limits: payments.md section 1.4. */
const mobileOptions: readonly MobileOption[] = [
  { name: 'AirtelKE', ...airtel, country: 'kenya', countryCode: '254', currency: 'KES', rate: 5 },
  { name: 'AirtelTZ', ...airtel, country: 'tanzania', countryCode: '255', currency: 'TZS', rate: 100 },
  { name: 'MTNUG', ...mtn, country: 'uganda', countryCode: '256', currency: 'UGX', rate: 140 },
  { name: 'AirtelZM', ...airtel, ...zambia, limits: { min: 100, max: 1_000_000 } },
  { name: 'MTNZM', ...mtn, ...zambia, limits: { min: 10, max: 2_000_000 } },
]

/** What payers call the network of an option. */
export const walletOf = (network: string): string =>
  mobileOptions.find(({ name }) => name === network)?.wallet ?? network

export const getMobilePaymentOptions = async (
  { transactions }: Needs,
  { text }: DpoFields,
): Promise<SandboxReply> => {
  const token = text('TransactionToken')
  if (token === null) return missing('TransactionToken')
  const found = await transactions.byToken(token)
  if (!found) return unknownToken()
  const { options } = scriptOf(found.tag)
  if (typeof options === 'object') return resultReply(options.code, `Scripted ${options.code}`)
  if (options === 'empty') return optionsReply([])
  if (options === 'abroad')
    return optionsReply(listed(found).filter(({ countryCode }) => countryCode !== zambia.countryCode))
  const answer = optionsReply(listed(found))
  return options && answer.kind === 'answer' ? brokenReply(options, answer.body) : answer
}

const optionsReply = (mobileoption: XmlTree[]) =>
  resultReply('000', 'Mobile payment options', { paymentoptions: { mobileoption } })

const listed = ({ amount }: SandboxTransaction): XmlTree[] =>
  mobileOptions.map(({ name, country, countryCode, currency, rate }) => ({
    paymentname: name,
    country,
    countryCode,
    cellularprefix: countryCode,
    logo: `https://provider.invalid/logos/${name}.png`,
    amount: decimalFromNgwee(amount * rate),
    currency,
  }))

/** Puts a prompt on the phone; what becomes of it is told by verifyToken. */
export const chargeTokenMobile = async (
  { transactions, now }: Needs,
  { text }: DpoFields,
): Promise<SandboxReply> => {
  const absent = ['TransactionToken', 'PhoneNumber', 'MNO', 'MNOcountry'].find((name) => text(name) === null)
  if (absent !== undefined) return missing(absent)
  const [token, phone, network] = [text('TransactionToken')!, text('PhoneNumber')!, text('MNO')!]
  const found = await transactions.byToken(token)
  if (!found) return unknownToken()
  const at = now()
  const isPaid = statusAt(found, at) === 'paid'
  if (!isPaid && !(isOffered(found, network, text('MNOcountry')!) && /^260\d{9}$/.test(phone)))
    return chargeRefused()
  const { charge: { code = '130', isLost = false } = {} } = scriptOf(found.tag)
  const prompt = { phone, network, at, pays: code === '200' }
  const charged = isLost ? found : await transactions.change(token, (one) => addPrompt(one, prompt), found)
  const current = charged ?? (await transactions.byToken(token)) ?? found
  if (statusAt(current, at) === 'paid') return chargeReply('200', 'Transaction already paid')
  return charged ? chargeAnswer(current, code, network) : chargeRefused()
}

const isOffered = ({ amount }: SandboxTransaction, network: string, of: string) =>
  mobileOptions.some(
    ({ name, country, limits }) =>
      name === network && country === of && limits && limits.min <= amount && amount <= limits.max,
  )

const chargeAnswer = (transaction: SandboxTransaction, code: string, network: string): SandboxReply => {
  const {
    answer,
    instructions = `Enter your ${walletOf(network)} PIN on the phone to approve the payment.`,
  } = scriptOf(transaction.tag).charge ?? {}
  if (/^8|^902$|^950$/.test(code)) return resultReply(code, `Scripted ${code}`)
  const reply = chargeReply(code, explanations[code] ?? `Scripted ${code}`, { instructions })
  if (answer === undefined || reply.kind === 'stall') return reply
  if (answer === 'twice')
    return textReply(reply.body.replace('<StatusCode>', '<StatusCode>999</StatusCode><StatusCode>'))
  return brokenReply(answer, reply.body)
}

const explanations: Record<string, string> = { '000': 'Transaction charged', '130': 'New invoice' }

const chargeReply = (code: string, explanation: string, more: XmlTree = {}) =>
  xmlReply({ StatusCode: code, ResultExplanation: explanation, ...more, RedirectOption: '0' })

const chargeRefused = () => chargeReply('999', 'Transaction declined')

const maxPrompts = 20

type NewPrompt = { phone: string; network: string; at: Date; pays: boolean }

/** Null when it cannot be paid any more. A token that was declined is open again. */
const addPrompt = (
  transaction: SandboxTransaction,
  { phone, network, at, pays }: NewPrompt,
): SandboxTransaction | null => {
  if (!canBePaid(transaction, at) || transaction.prompts.length >= maxPrompts) return null
  if (pays) return paidByPhone(transaction, network, at)
  const { shownAfterMs = 0, runsOutAfterMs } = scriptOf(transaction.tag).prompt ?? {}
  const prompt: SandboxPrompt = {
    phone,
    network,
    sentAt: at.toISOString(),
    shownAt: after(at, shownAfterMs),
    runsOutAt: runsOutAfterMs === undefined ? null : after(at, runsOutAfterMs),
    answer: null,
  }
  return unpaid({ ...transaction, refusal: null, prompts: [...transaction.prompts, prompt] }, 'none')
}

const after = (at: Date, ms: number) => new Date(at.getTime() + ms).toISOString()

/** Money that is on its way stays so. */
const unpaid = (transaction: SandboxTransaction, outcome: 'none' | 'declined'): SandboxTransaction => {
  const isOnItsWay = transaction.outcome === 'late' || transaction.outcome === 'declined-late'
  const late = outcome === 'none' ? 'late' : 'declined-late'
  return { ...transaction, outcome: isOnItsWay ? late : outcome }
}

const paidByPhone = (transaction: SandboxTransaction, network: string, at: Date): SandboxTransaction => {
  const { reports = network, paidAfterMs } = scriptOf(transaction.tag).prompt ?? {}
  const paid = { ...transaction, paidBy: reports, cardLast4: null, refusal: null }
  if (paidAfterMs === undefined)
    return { ...paid, outcome: 'paid', settlesAt: null, pushAt: at.toISOString() }
  const settlesAt = after(at, paidAfterMs)
  return { ...paid, outcome: 'declined-late', settlesAt, pushAt: settlesAt }
}

/** A prompt as the phone shows it; `place` counts from 1 among those of its token. */
export type WaitingPrompt = { transaction: SandboxTransaction; prompt: SandboxPrompt; place: number }

/** Newest first. */
export const waitingPrompts = (transaction: SandboxTransaction, phone: string, at: Date): WaitingPrompt[] =>
  transaction.prompts
    .map((prompt, index) => ({ transaction, prompt, place: index + 1 }))
    .filter(({ prompt }) => prompt.phone === phone && isWaiting(transaction, prompt, at))
    .toReversed()

const isWaiting = (transaction: SandboxTransaction, prompt: SandboxPrompt, at: Date) =>
  prompt.answer === null && at >= new Date(prompt.shownAt) && canBeApproved(transaction, at)

const canBeApproved = (transaction: SandboxTransaction, at: Date) => {
  if (canBePaid(transaction, at)) return true
  const stays = scriptOf(transaction.tag).prompt?.stays === true
  return stays && ['cancelled', 'expired'].includes(statusAt(transaction, at))
}

const refusals = {
  'wrong-pin': 'Wrong PIN',
  'not-enough': 'Insufficient funds',
  decline: 'Declined by the customer',
} as const

type Answered = { phone: string; place: number; answer: PromptAnswer; pushes: boolean; at: Date }

/** Null when that prompt waits no more. Only the newest prompt can decline a token; any can pay it. */
export const answerPrompt = (
  transaction: SandboxTransaction,
  { phone, place, answer, pushes, at }: Answered,
): SandboxTransaction | null => {
  const prompt = transaction.prompts[place - 1]
  if (prompt?.phone !== phone || !isWaiting(transaction, prompt, at)) return null
  const prompts = transaction.prompts.with(place - 1, { ...prompt, answer })
  const answered = { ...transaction, prompts }
  if (answer === 'approve') {
    const paid = paidByPhone(answered, prompt.network, at)
    return pushes ? paid : { ...paid, pushAt: null }
  }
  if (answer === 'ignore' || place < prompts.length || statusAt(transaction, at) === 'cancelled')
    return answered
  return unpaid({ ...answered, refusal: refusals[answer] }, 'declined')
}
