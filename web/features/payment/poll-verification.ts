import { verifyPayment, type VerifyReply } from '#contracts/payments'
import { call, CallError } from '../../lib/call'

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
export const pollVerification = async (transactionId: string, signal: AbortSignal): Promise<Verdict> => {
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
