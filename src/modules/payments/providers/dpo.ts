import type { Now, Ports } from '#platform/ports'
import {
  readCancelAnswer,
  readCreateAnswer,
  readMobileOptions,
  readPromptAnswer,
  readRefundAnswer,
  readRefundsAnswer,
  readVerifyAnswer,
} from './dpo-answers'
import {
  cancelTokenXml,
  chargeMobileXml,
  createTokenXml,
  mobileOptionsXml,
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

/** payments.md sections 1 to 3. The company token is in the requests only. */
export const dpoProvider = (
  config: DpoConfig,
  { now, zone }: Pick<Ports, 'now' | 'zone'>,
  send = fetch,
): CardProvider => {
  const { companyToken, timeouts } = config
  // Addresses are read per call: a sandbox may not know its own before it listens.
  const toCreate = (body: string, timeoutMs: number) => postXml(send, config.createUrl, body, timeoutMs)
  const toVerify = (body: string) => postXml(send, config.verifyUrl, body, timeouts.verifyMs)

  const create = async (request: TokenRequest) => {
    const body = createTokenXml(config, request, zone)
    const first = await toCreate(body, timeouts.createMs)
    // A token of a lost answer is never shown.
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
    mobileOptions: async (token) =>
      read(await toCreate(mobileOptionsXml(config, token), timeouts.verifyMs), (xml) =>
        readMobileOptions(xml, companyToken),
      ),
    sendPrompt: async (request) =>
      read(await toCreate(chargeMobileXml(config, request), timeouts.createMs), (xml) =>
        readPromptAnswer(xml, companyToken),
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

/** A failing reader is one more unreadable answer. */
const read = <Answer>(posted: Posted, reader: (xml: string) => Answer): Answer | Unreachable => {
  if (posted.kind === 'unreachable') return posted
  try {
    return reader(posted.text)
  } catch {
    return unreachable('not-xml')
  }
}

/** Circuit breaker for repeated failures and rejected credentials (payments.md, rules 6 and 18). */
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

/** `until` (ms) is when to retry. `trying`: a trial call is running. */
export type Breaker = { status: 'closed'; failures: number } | { status: 'open' | 'trying'; until: number }

/** `hopeless` does not improve by retrying. */
export type Pass = 'usual' | 'trial'
export type Outcome = 'works' | 'failed' | 'hopeless'

export const closedBreaker: Breaker = { status: 'closed', failures: 0 }

const maxFailures = 5
const pauseMs = 60_000

/** `at` in ms. A null `pass` allows no call. */
export const admit = (breaker: Breaker, at: number): { breaker: Breaker; pass: Pass | null } => {
  switch (breaker.status) {
    case 'closed':
      return { breaker, pass: 'usual' }
    case 'open':
      if (at < breaker.until) return { breaker, pass: null }
      return { breaker: { status: 'trying', until: at + pauseMs }, pass: 'trial' }
    case 'trying':
      return { breaker, pass: null }
  }
}

/** Opens for 60 s after 5 failures in a row, a hopeless one or a failed trial. Ignores results of calls from before it opened. */
export const record = (breaker: Breaker, pass: Pass, outcome: Outcome, at: number): Breaker => {
  if (outcome === 'works') return closedBreaker
  const open: Breaker = { status: 'open', until: at + pauseMs }
  if (pass === 'trial') return open
  if (breaker.status !== 'closed') return breaker
  const failures = breaker.failures + 1
  return outcome === 'hopeless' || failures >= maxFailures ? open : { status: 'closed', failures }
}
