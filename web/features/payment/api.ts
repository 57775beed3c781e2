import { queryOptions } from '@tanstack/react-query'
import { updateAttempt, verifyPayment, type VerifyReply } from '#contracts/payments'
import { call, CallError } from '../../lib/call'
import { addressOf } from '../../lib/paths'

/** Token of the redirect, under either name; null for none. */
export const transactionIn = (query: URLSearchParams): string | null =>
  query.get('TransID') || query.get('TransactionToken') || null

/** Our reference, if it looks like one. */
export const referenceIn = (query: URLSearchParams): string | null =>
  /^LP-[0-9A-Z]{4,20}$/.exec(query.get('CompanyRef') ?? '')?.[0] ?? null

/** Refetched when shown; tells the server what the page says. */
export const verdictQuery = (transactionId: string) =>
  queryOptions({
    queryKey: ['payments', 'verdict', transactionId],
    queryFn: async ({ signal }): Promise<Verdict> => {
      const verdict = await pollVerification(transactionId, signal)
      if (verdict.kind === 'unpaid') advise(transactionId, 'failed', 'Failed to verify payment')
      if (verdict.kind === 'unknown') advise(transactionId, 'failed', verdict.error)
      return verdict
    },
    gcTime: 0,
    refetchOnReconnect: false,
    networkMode: 'always',
  })

/** A hint: the server asks the provider itself, so a lost one is harmless. */
const advise = (transactionId: string, transactionStatus: string, errorDetails: string | null) =>
  void call(updateAttempt, { body: { transactionId, transactionStatus, errorDetails } }).catch(
    () => undefined,
  )

/** Says that the page shows it as paid; answers amount and reference. */
export const paidQuery = (transactionId: string) =>
  queryOptions({
    queryKey: ['payments', 'paid', transactionId],
    queryFn: () =>
      call(updateAttempt, {
        body: { transactionId, transactionStatus: 'completed', errorDetails: null },
      }),
    gcTime: 0,
    refetchOnReconnect: false,
    networkMode: 'always',
  })

/** Reports the cancellation and reads the server's state. Leaving the page does not undo it: the days are free. */
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

/** administrator.md section 9. */
const verifyTimes = { retries: 3, waitMs: 3000 } as const

// The server asks the provider for up to eight seconds.
const answerMs = 15_000

/** `declined`: nothing was charged. `pending`: can still be paid. `unpaid`: refused. `unknown`: no usable answer. */
export type Verdict =
  | { kind: 'paid'; attention: readonly string[] }
  | { kind: 'declined' }
  | { kind: 'pending' }
  | { kind: 'unpaid' }
  | { kind: 'unknown'; error: string }

/** Polls up to four times while unpaid. Throws for a lost session and on abort. */
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

/** Own paths only: a crafted link must not redirect elsewhere. */
export const ownPath = (asked: string | null, origin: string): string | null => {
  const address = asked?.startsWith('/') ? addressOf(asked, origin) : null
  if (!address) return null
  const { origin: whose, pathname, search, hash } = address
  // `//host` would be another host.
  return whose === origin && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : null
}
