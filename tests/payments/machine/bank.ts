import type {
  CancelAnswer,
  CardProvider,
  MobileOptionsAnswer,
  PromptAnswer,
  PromptRequest,
  ProviderAnswer,
  ReportedPayment,
  TokenAnswer,
  TokenRequest,
} from '#modules/payments/providers/provider'

export const unpaid: ProviderAnswer = {
  kind: 'pending',
  code: '900',
  explanation: 'Not paid yet',
  unusual: false,
}
export const atBank: ProviderAnswer = { ...unpaid, code: '003', explanation: 'Pending bank' }
export const declined: ProviderAnswer = { kind: 'declined', code: '901', explanation: 'Declined' }
export const unreachable = { kind: 'unreachable', why: 'timeout', detail: null } as const

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
  /** How often the bank was told that its payment is known. */
  acknowledged: number
  /** The prompts that reached a phone. */
  prompts: Pick<PromptRequest, 'phone' | 'option'>[]
  /** What a test has it answer in place of what its books say. */
  says: ProviderAnswer | null
  saysToCancel: CancelAnswer | null
}

const openAccount: Omit<Account, 'token' | 'request' | 'prompts'> = {
  isShown: false,
  state: 'open',
  way: null,
  taken: null,
  fee: 0,
  acknowledged: 0,
  says: null,
  saysToCancel: null,
}

const optionsInZambia: MobileOptionsAnswer = {
  kind: 'options',
  options: [
    { name: 'AirtelKE', country: 'kenya', countryCode: '254' },
    { name: 'AirtelZM', country: 'zambia', countryCode: '260' },
    { name: 'MTNZM', country: 'zambia', countryCode: '260' },
  ],
}

const fee = 130
const feeOf = (way: WayToPay) => (way === 'with a fee' ? fee : 0)

const takenFor = (amount: number, way: WayToPay): number | null => {
  if (way === 'too little') return amount - 100
  if (way === 'too much') return amount + 250
  return way === 'in dollars' || way === 'untold amount' ? null : amount
}

type Mood = {
  /** So many questions are not answered. */
  outage: number
  /** What tells it that we know is not answered. */
  isDeaf: boolean
  options: MobileOptionsAnswer
  /** `lost`: the prompt reaches the phone, its answer does not reach us. */
  prompts: 'well' | 'lost' | PromptAnswer
  creates: 'well' | 'badly' | 'answer lost' | TokenAnswer
  /** Lets others act before an answer is made and before it arrives. */
  pause: () => Promise<unknown>
}

/**
 * A card provider with books of its own, in which a test can write. What it answers was true when it looked, and may be
 * old when it arrives. Its tokens are the prefix with a number from 1.
 */
export const bank = (prefix = 'TOKEN-', pause: Mood['pause'] = async () => {}) => {
  const accounts = new Map<string, Account>()
  const mood: Mood = {
    outage: 0,
    isDeaf: false,
    options: optionsInZambia,
    prompts: 'well',
    creates: 'well',
    pause,
  }
  const asked = { looks: 0, acknowledgements: 0, cancels: 0, options: 0, prompts: 0 }

  const isDown = () => {
    if (mood.outage === 0) return false
    mood.outage -= 1
    return true
  }
  const named = (token: string) => {
    const account = accounts.get(token)
    if (!account) throw new Error(`No token ${token}`)
    return account
  }

  const port: CardProvider = {
    createToken: async (request) => {
      await mood.pause()
      const { creates } = mood
      if (typeof creates === 'object') return creates
      if (creates === 'badly') return { kind: 'refused', reason: 'other', code: '999', explanation: '' }
      const token = `${prefix}${accounts.size + 1}`
      accounts.set(token, { ...openAccount, prompts: [], token, request })
      await mood.pause()
      return creates === 'answer lost' ? unreachable : { kind: 'created', token, ref: null }
    },
    verify: async (token, { acknowledge }) => {
      asked[acknowledge ? 'acknowledgements' : 'looks'] += 1
      await mood.pause()
      const account = accounts.get(token)
      if (isDown() || !account || (acknowledge && mood.isDeaf)) return unreachable
      const answer = answerOf(account)
      if (acknowledge && account.state === 'paid') account.acknowledged += 1
      await mood.pause()
      return answer
    },
    cancel: async (token) => {
      asked.cancels += 1
      await mood.pause()
      const account = accounts.get(token)
      if (isDown() || !account) return unreachable
      if (account.saysToCancel) return account.saysToCancel
      const isOpen = account.state === 'open' || account.state === 'declined' || account.state === 'cancelled'
      if (isOpen) account.state = 'cancelled'
      await mood.pause()
      return isOpen ? { kind: 'cancelled' } : { kind: 'refused', code: '999', explanation: 'Too late' }
    },
    mobileOptions: async () => {
      asked.options += 1
      await mood.pause()
      return mood.options
    },
    sendPrompt: async ({ token, phone, option }) => {
      asked.prompts += 1
      await mood.pause()
      if (typeof mood.prompts === 'object') return mood.prompts
      const account = named(token)
      account.prompts.push({ phone, option })
      if (account.state !== 'paid') Object.assign(account, { state: 'open', says: null })
      await mood.pause()
      return mood.prompts === 'lost'
        ? unreachable
        : { kind: 'sent', code: '130', instructions: 'Enter your PIN' }
    },
    refund: async () => ({ kind: 'accepted' }),
    verifyRefund: async () => ({ kind: 'reported', refunds: [] }),
    paymentPageUrl: (token) => `https://pay.test/?ID=${token}`,
  }

  return {
    port,
    accounts,
    mood,
    asked,
    /** The customer pays on a page that was shown to them; a cancelled token may still take what was on its way. */
    pay: (account: Account, way: WayToPay) => {
      if (account.state === 'paid' || !account.isShown) return
      const taken = takenFor(account.request.amount, way)
      Object.assign(account, { state: 'paid', way, taken, fee: feeOf(way) })
    },
    /** The customer has paid what was asked for, and the bank reports it with these differences. */
    paid: (token: string, change: Partial<ReportedPayment> = {}) => {
      const account = named(token)
      const report = { ...reportOf(account.request, 'exactly'), ...change }
      Object.assign(account, {
        state: 'paid',
        way: 'exactly',
        says: { kind: 'says-paid', code: '000', report },
      })
    },
    answers: (token: string, answer: ProviderAnswer) => void (named(token).says = answer),
    cancels: (token: string, answer: CancelAnswer) => void (named(token).saysToCancel = answer),
  }
}

export const answerOf = ({ state, request, way, says }: Account): ProviderAnswer => {
  if (says) return says
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
