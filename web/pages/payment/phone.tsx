import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router-dom'
import type { ReplyOf } from '#contracts/endpoint'
import { promptAgain, recordAttempt, verifyPayment, type ShownPrompt } from '#contracts/payments'
import { phoneToPayFrom } from '../../features/cart/send-cart'
import { transactionIn } from '../../features/payment/api'
import { ReturnScreen } from '../../features/payment/return-screen'
import { VerdictScreen } from '../../features/payment/verdict-screen'
import { call, messageOf } from '../../lib/call'
import { kwacha, payByLabel } from '../../lib/format'
import { paths } from '../../lib/paths'
import { schoolNow } from '../../lib/school-moment'
import { useNow } from '../../lib/use-time'
import { useCartHere } from '../../queries/cart-here'
import { Button } from '../../ui/button'
import { PageTitle } from '../../ui/page-title'
import { PaymentFrame } from './payment-frame'

/** A prompt on the payer's phone (phone-money-and-counter.md section 1). */
export const PaymentByPhone = () => {
  const [query] = useSearchParams()
  const transactionId = transactionIn(query)
  return (
    <PaymentFrame>
      {transactionId ? (
        <Waiting
          key={transactionId}
          transactionId={transactionId}
          isSandbox={query.get('sandbox') !== null}
        />
      ) : (
        <VerdictScreen shown={{ kind: 'missing' }} reference={null} />
      )}
    </PaymentFrame>
  )
}

type Answer = ReplyOf<typeof verifyPayment>

const Waiting = ({ transactionId, isSandbox }: { transactionId: string; isSandbox: boolean }) => {
  const attempt = useQuery(attemptQuery(transactionId))
  const [since, setSince] = useState(() => Date.now())
  const verdict = useQuery(verdictQuery(transactionId, since))
  const again = useMutation({
    mutationFn: () => call(promptAgain, { params: { id: transactionId }, body: undefined }),
    onSuccess: async () => {
      setSince(Date.now())
      await Promise.all([attempt.refetch(), verdict.refetch()])
    },
  })
  const hasCart = useCartHere()
  const answer = verdict.data
  if (answer?.success || attempt.data?.transactionStatus === 'verified')
    return <Navigate to={paths.paymentResult(transactionId)} replace />
  const ended = answer ? endOf(answer) : null
  const prompt = attempt.data?.prompt ?? null
  // A refusal of before the end no longer matters.
  const isOld = ended !== null && again.submittedAt <= verdict.dataUpdatedAt
  const failure = again.error && !isOld ? messageOf(again.error, 'The prompt was not sent') : null
  return (
    <ReturnScreen
      outcome={ended ? 'bad' : 'waiting'}
      title={ended ? 'Not paid yet' : 'Look at your phone and enter your PIN'}
      actions={
        <>
          <SendAgain
            from={prompt?.againAt}
            isFirst={ended !== null}
            busy={again.isPending}
            onSend={() => again.mutate()}
          />
          <OtherWay />
        </>
      }
    >
      <PageTitle>Pay on your phone</PageTitle>
      {ended ? <p className="text-balance">{ended}</p> : null}
      {failure ? (
        <p role="alert" className="text-balance font-medium text-danger-700">
          {failure}
        </p>
      ) : null}
      {attempt.data ? (
        <p>
          Amount <span className="money text-xl font-semibold">{kwacha(attempt.data.paymentAmount)}</span>
        </p>
      ) : null}
      {prompt && !ended ? <Prompt prompt={prompt} isSandbox={isSandbox} /> : null}
      <p className="text-sm text-muted">
        {ended
          ? hasCart && 'Your cart is kept.'
          : 'You can close this page: the payment continues without you, and your meals appear in your order history.'}
      </p>
    </ReturnScreen>
  )
}

const Prompt = ({ prompt, isSandbox }: { prompt: ShownPrompt; isSandbox: boolean }) => {
  const { network, phone, instructions, expiresAt } = prompt
  const typed = phoneToPayFrom()
  return (
    <div className="flex flex-col gap-2">
      <p>
        {payByLabel(network)} <span className="whitespace-nowrap tabular-nums">{phone}</span>
      </p>
      {instructions ? <p className="text-balance">{instructions}</p> : null}
      <TimeLeft until={Date.parse(expiresAt)} />
      {isSandbox && typed ? (
        <a
          href={`/sandbox/phone/${encodeURIComponent(typed)}`}
          target="_blank"
          rel="noreferrer"
          className="tap font-semibold text-brand-700 underline"
        >
          Open the phone of this demonstration
        </a>
      ) : null}
    </div>
  )
}

type SendAgainProps = { from: string | undefined; isFirst: boolean; busy: boolean; onSend: () => void }

/** Counts down while another prompt would be refused. */
const SendAgain = ({ from, isFirst, busy, onSend }: SendAgainProps) => {
  const seconds = useSecondsUntil(from === undefined ? 0 : Date.parse(from))
  return (
    <Button
      variant={isFirst ? 'primary' : 'secondary'}
      busy={busy}
      busyLabel="Sending"
      disabled={seconds > 0}
      onClick={onSend}
    >
      {seconds > 0 ? `Send again in ${seconds} s` : 'Send again'}
    </Button>
  )
}

const useSecondsUntil = (until: number): number =>
  Math.max(0, Math.ceil((until - Date.parse(schoolNow(useNow(1_000)))) / 1_000))

const TimeLeft = ({ until }: { until: number }) => {
  const seconds = useSecondsUntil(until)
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <p role="timer" className="text-2xl font-semibold tabular-nums">
      {seconds > 0 ? text : 'The prompt may have run out. Send it again.'}
    </p>
  )
}

const OtherWay = () => {
  const navigate = useNavigate()
  return (
    <Button variant="secondary" onClick={() => void navigate(paths.tab('cart'), { replace: true })}>
      Choose another way to pay
    </Button>
  )
}

/** The payment as the server knows it, also on another device. */
const attemptQuery = (transactionId: string) =>
  queryOptions({
    queryKey: ['payments', 'attempt', transactionId],
    queryFn: () => call(recordAttempt, { body: { transactionId } }),
    staleTime: 0,
  })

/** Asked every 4 s, slower the longer it waits, and not while the page is hidden. */
const verdictQuery = (transactionId: string, since: number) =>
  queryOptions({
    queryKey: ['payments', 'prompt', transactionId],
    queryFn: ({ signal }) => call(verifyPayment, { params: { transactionId }, signal, timeoutMs: 15_000 }),
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : pauseMs(Date.now() - since)),
    refetchOnWindowFocus: true,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

const isOver = (answer: Answer) => answer.success || answer.TransactionStatus === 'failed'

const pauseMs = (waitedMs: number): number => {
  if (waitedMs < 60_000) return 4_000
  return waitedMs < 180_000 ? 8_000 : 20_000
}

/** What became of the prompt, in the payer's words; null while it may be answered. */
const endOf = (answer: Answer): string | null => {
  if (answer.success || answer.TransactionStatus !== 'failed') return null
  return `${reasonOf(answer.Result, answer.ResultExplanation ?? '')} Nothing was taken.`
}

const reasonOf = (code: string | null, explanation: string): string => {
  if (/insufficient|not enough|balance|funds/i.test(explanation))
    return 'There was not enough money on this number.'
  if (/\bpin\b/i.test(explanation)) return 'The PIN was wrong.'
  if (code === '903') return 'The time to answer ran out.'
  if (code === '904') return 'The payment was cancelled.'
  return 'You did not approve the payment.'
}
