import { queryOptions } from '@tanstack/react-query'
import { updateAttempt } from '#contracts/payments'
import { call } from '../../lib/call'
import { type Verdict, pollVerification } from './poll-verification'

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
