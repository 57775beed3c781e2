import { queryOptions } from '@tanstack/react-query'
import { updateAttempt, verifyPayment, type VerifyReply } from '#contracts/payments'
import { call, CallError } from '../../lib/call'
import { addressOf } from '../../lib/paths'

/** The payment that a provider's redirect is about; both names carry the same token. Null without one. */
export const transactionIn = (query: URLSearchParams): string | null =>
  query.get('TransID') || query.get('TransactionToken') || null

/** What the tuckshop finds that payment by, as the redirect names it: only what looks like one of ours. */
export const referenceIn = (query: URLSearchParams): string | null =>
  /^LP-[0-9A-Z]{4,20}$/.exec(query.get('CompanyRef') ?? '')?.[0] ?? null

/** What became of a payment, asked again whenever its page is shown. The server is told what the page will say. */
export const verdictQuery = (transactionId: string) =>
  queryOptions({
    queryKey: ['payments', 'verdict', transactionId],
    queryFn: async ({ signal }): Promise<Verdict> => {
      const verdict = await pollVerification(transactionId, signal)
      if (verdict.kind === 'paid') advise(transactionId, 'completed')
      if (verdict.kind === 'unpaid') advise(transactionId, 'failed', 'Failed to verify payment')
      if (verdict.kind === 'unknown') advise(transactionId, 'failed', verdict.error)
      return verdict
    },
    gcTime: 0,
    refetchOnReconnect: false,
    networkMode: 'always',
  })

/** The browser's opinion. The server asks the provider, so a lost one costs nothing. */
const advise = (transactionId: string, transactionStatus: string, errorDetails: string | null = null) =>
  void call(updateAttempt, { body: { transactionId, transactionStatus, errorDetails } }).catch(
    () => undefined,
  )

/**
 * Tells that the customer turned back on the payment page; what the server then knows of it. Whoever goes on does not
 * take that back: it gives the days free.
 */
export const cancelledQuery = (transactionId: string) =>
  queryOptions({
    queryKey: ['payments', 'cancelled', transactionId],
    queryFn: () =>
      call(updateAttempt, {
        body: { transactionId, transactionStatus: 'cancelled', errorDetails: 'Payment cancelled' },
      }),
    gcTime: 0,
    refetchOnReconnect: false,
    networkMode: 'always',
  })

/** How often it is asked again, and after how many ms (administrator.md section 9). */
const verifyTimes = { retries: 3, waitMs: 3000 } as const

// The server itself asks the provider for eight seconds at the most.
const answerMs = 15_000

/**
 * What became of a payment. `declined`: the provider has said so, and nothing was charged. `pending`: it can still be paid, by itself. `unpaid`: the provider or the server says no.
 * `unknown`: nobody could be asked, or the answer made no sense.
 */
export type Verdict =
  | { kind: 'paid'; attention: readonly string[] }
  | { kind: 'declined' }
  | { kind: 'pending' }
  | { kind: 'unpaid' }
  | { kind: 'unknown'; error: string }

/**
 * Asks what became of a payment, up to four times while it is not paid. Throws what a lost session answers, and when
 * the signal ends it.
 */
const pollVerification = async (transactionId: string, signal: AbortSignal): Promise<Verdict> => {
  for (let retries = 0; ; retries += 1) {
    const { verdict, final } = await checkOnce(transactionId, signal)
    if (final || retries === verifyTimes.retries) return verdict
    await pause(verifyTimes.waitMs, signal)
  }
}

type Check = { verdict: Verdict; final: boolean }

const checkOnce = async (transactionId: string, signal: AbortSignal): Promise<Check> => {
  try {
    return checkOf(await call(verifyPayment, { params: { transactionId }, signal, timeoutMs: answerMs }))
  } catch (error) {
    if (signal.aborted || (error instanceof CallError && error.status === 401)) throw error
    return failedCheck(error)
  }
}

const checkOf = (reply: VerifyReply): Check => {
  if (reply.success) return { verdict: { kind: 'paid', attention: reply.attention }, final: true }
  if (reply.declined) return { verdict: { kind: 'declined' }, final: true }
  return { verdict: { kind: reply.TransactionStatus === 'failed' ? 'unpaid' : 'pending' }, final: false }
}

const failedCheck = (error: unknown): Check => {
  const isRefused = error instanceof CallError && error.status < 500 && error.status !== 429
  if (isRefused) return { verdict: { kind: 'unpaid' }, final: true }
  const answered = !(error instanceof CallError || error instanceof TypeError)
  const words = answered ? 'Invalid verification response' : 'Failed to verify payment'
  return { verdict: { kind: 'unknown', error: words }, final: false }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal.addEventListener('abort', end, { once: true })
  })

/**
 * The address asked for when it is a path of our own, else null: a link made by others must not send a parent
 * elsewhere.
 */
export const ownPath = (asked: string | null, origin: string): string | null => {
  const address = asked?.startsWith('/') ? addressOf(asked, origin) : null
  if (!address) return null
  const { origin: whose, pathname, search, hash } = address
  // A path that begins with two slashes would be read as the name of another host.
  return whose === origin && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : null
}
