import { type Now } from '#platform/clock'
import { admit, closedBreaker, record, type Outcome } from './breaker'
import {
  readCancelAnswer,
  readCreateAnswer,
  readRefundAnswer,
  readRefundsAnswer,
  readVerifyAnswer,
} from './dpo-answers'
import {
  cancelTokenXml,
  createTokenXml,
  postXml,
  refundTokenXml,
  verifyRefundXml,
  verifyTokenXml,
  type DpoConfig,
  type Posted,
} from './dpo-wire'
import {
  unreachable,
  type CardProvider,
  type TokenAnswer,
  type TokenRequest,
  type Unreachable,
} from './provider'

export type DpoNeeds = {
  config: DpoConfig
  /** Tells the breaker when a minute has passed. */
  now: Now
  /** The school's time zone. */
  zone: string
  send?: typeof fetch
}

/** DPO over HTTPS and XML (payments.md sections 1 to 3). The company token is in the requests and nowhere else. */
export const dpoProvider = ({ config, now, zone, send = fetch }: DpoNeeds): CardProvider => {
  const { companyToken, timeouts } = config
  // The addresses are asked for with every call: a sandbox may not know its own before it listens.
  const toCreate = (body: string, timeoutMs: number) => postXml(send, config.createUrl, body, timeoutMs)
  const toVerify = (body: string) => postXml(send, config.verifyUrl, body, timeouts.verifyMs)

  const create = async (request: TokenRequest) => {
    const body = createTokenXml(config, request, zone)
    const first = await toCreate(body, timeouts.createMs)
    // A token made by a call whose answer was lost is never shown to anybody.
    const posted = isLost(first) ? await toCreate(body, timeouts.createMs) : first
    return read(posted, (xml) => readCreateAnswer(xml, companyToken))
  }

  return {
    createToken: sparingly(now, create),
    verify: async (token, { acknowledge }) =>
      read(await toVerify(verifyTokenXml(config, token, acknowledge)), (xml) =>
        readVerifyAnswer(xml, companyToken),
      ),
    cancel: async (token) =>
      read(await toCreate(cancelTokenXml(config, token), timeouts.verifyMs), (xml) =>
        readCancelAnswer(xml, companyToken),
      ),
    refund: async (request) =>
      read(await toCreate(refundTokenXml(config, request), timeouts.createMs), (xml) =>
        readRefundAnswer(xml, companyToken),
      ),
    verifyRefund: async (paid) =>
      read(await toVerify(verifyRefundXml(config, paid)), (xml) => readRefundsAnswer(xml, companyToken)),
    paymentPageUrl: (token) => {
      const page = new URL(config.payUrl)
      page.searchParams.set('ID', token)
      return page.href
    },
  }
}

const isLost = (posted: Posted) => posted.kind === 'unreachable' && posted.why === 'no-connection'

/** A reader that failed would be a fault of ours; to the caller it is one more answer that cannot be read. */
const read = <Answer>(posted: Posted, reader: (xml: string) => Answer): Answer | Unreachable => {
  if (posted.kind === 'unreachable') return posted
  try {
    return reader(posted.text)
  } catch {
    return unreachable('not-xml')
  }
}

/** Spares a provider that keeps failing, or that refuses our credentials (payments.md, rules 6 and 18). */
const sparingly = (now: Now, create: (request: TokenRequest) => Promise<TokenAnswer>) => {
  let breaker = closedBreaker
  return async (request: TokenRequest): Promise<TokenAnswer> => {
    const admitted = admit(breaker, now().getTime())
    breaker = admitted.breaker
    if (admitted.pass === null) return { kind: 'unavailable', until: untilOf(admitted.breaker, now) }
    let outcome: Outcome = 'failed'
    try {
      const answer = await create(request)
      outcome = outcomeOf(answer)
      return answer
    } finally {
      breaker = record(breaker, admitted.pass, outcome, now().getTime())
    }
  }
}

const untilOf = (breaker: typeof closedBreaker, now: Now) =>
  breaker.status === 'closed' ? now() : new Date(breaker.until)

const outcomeOf = (answer: TokenAnswer): Outcome => {
  switch (answer.kind) {
    case 'config':
      return 'hopeless'
    case 'unreachable':
    case 'unavailable':
      return 'failed'
    case 'refused':
      return answer.reason === 'other' ? 'failed' : 'works'
    case 'created':
      return 'works'
  }
}
