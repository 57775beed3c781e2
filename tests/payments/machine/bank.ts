import {
  type ProviderAnswer,
  type ReportedPayment,
  type TokenRequest,
  type CardProvider,
} from '#modules/payments/providers/provider'
import { atBank, declined, unpaid, unreachable } from '../scripted-provider'

/** How a customer pays: as asked for, or so that it does not fit. */
export const waysToPay = [
  'exactly',
  'with a fee',
  'too little',
  'too much',
  'in dollars',
  'untold amount',
  'without reference',
] as const
export type WayToPay = (typeof waysToPay)[number]

/** One token as the bank's own books know it; `taken` is in ngwee, null for what is not told in kwacha. */
export type Account = {
  token: string
  request: TokenRequest
  isShown: boolean
  state: 'open' | 'declined' | 'cancelled' | 'hanging' | 'paid'
  way: WayToPay | null
  taken: number | null
  fee: number
  acknowledged: boolean
}

const fee = 130
const feeOf = (way: WayToPay) => (way === 'with a fee' ? fee : 0)

const takenFor = (amount: number, way: WayToPay): number | null => {
  if (way === 'too little') return amount - 100
  if (way === 'too much') return amount + 250
  return way === 'in dollars' || way === 'untold amount' ? null : amount
}

/**
 * A card provider with books of its own. What it answers was true when it looked, and may be old when it arrives:
 * `pause` lets others act before and after.
 */
export const bank = (name: string, pause: () => Promise<unknown>) => {
  const accounts = new Map<string, Account>()
  const mood = { outage: 0, creates: 'well' as 'well' | 'badly' | 'answer lost' }

  const isDown = () => {
    if (mood.outage === 0) return false
    mood.outage -= 1
    return true
  }

  const port: CardProvider = {
    createToken: async (request) => {
      await pause()
      if (mood.creates === 'badly') return { kind: 'refused', reason: 'other', code: '999', explanation: '' }
      const token = `TOKEN-${name}-${accounts.size + 1}`
      const fresh = { state: 'open', way: null, taken: null, fee: 0, acknowledged: false } as const
      accounts.set(token, { token, request, isShown: false, ...fresh })
      const isLost = mood.creates === 'answer lost'
      await pause()
      return isLost
        ? { kind: 'unreachable', why: 'timeout', detail: null }
        : { kind: 'created', token, ref: null }
    },
    verify: async (token, { acknowledge }) => {
      await pause()
      const account = accounts.get(token)
      if (isDown() || !account) return unreachable
      const answer = answerOf(account)
      if (acknowledge && account.state === 'paid') account.acknowledged = true
      await pause()
      return answer
    },
    cancel: async (token) => {
      await pause()
      const account = accounts.get(token)
      if (isDown() || !account) return { kind: 'unreachable', why: 'timeout', detail: null }
      const isOpen = account.state === 'open' || account.state === 'declined' || account.state === 'cancelled'
      if (isOpen) account.state = 'cancelled'
      await pause()
      return isOpen ? { kind: 'cancelled' } : { kind: 'refused', code: '999', explanation: 'Too late' }
    },
    refund: async () => ({ kind: 'accepted' }),
    verifyRefund: async () => ({ kind: 'reported', refunds: [] }),
    paymentPageUrl: (token) => `https://pay.test/?ID=${token}`,
  }

  return {
    port,
    accounts,
    mood,
    /** The customer pays on a page that was shown to them; a cancelled token may still take what was on its way. */
    pay: (account: Account, way: WayToPay) => {
      if (account.state === 'paid' || !account.isShown) return
      const taken = takenFor(account.request.amount, way)
      Object.assign(account, { state: 'paid', way, taken, fee: feeOf(way) })
    },
  }
}

const answerOf = ({ state, request, way }: Account): ProviderAnswer => {
  if (state === 'declined') return declined
  if (state === 'cancelled') return { kind: 'cancelled', code: '904', explanation: 'Cancelled' }
  if (state === 'hanging') return atBank
  return way === null ? unpaid : { kind: 'says-paid', code: '000', report: reportOf(request, way) }
}

const reportOf = ({ amount, reference }: TokenRequest, way: WayToPay): ReportedPayment => {
  const kwacha = takenFor(amount, way)
  const inKwacha = { amount: kwacha === null ? null : kwacha + feeOf(way), currency: 'ZMW' }
  return {
    explanation: 'Transaction Paid',
    transaction: way === 'in dollars' ? { amount: 500, currency: 'USD' } : inKwacha,
    final: { amount: null, currency: null },
    reference: way === 'without reference' ? null : reference,
    markupFee: way === 'with a fee' ? fee : null,
    fraud: { flagged: false, code: '000', explanation: null },
    method: 'Visa',
    cardLast4: '1111',
    approval: 'A1',
  }
}
