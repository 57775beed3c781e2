import type { ReactNode } from 'react'
import { paths } from '../../lib/paths'
import { useCartHere } from '../../queries/cart-here'
import type { IconName } from '../../ui/icon'
import { Notice } from '../../ui/notice'
import { PageTitle } from '../../ui/page-title'
import type { Verdict } from './api'
import { LeaveActions, ReturnScreen, useTimedLeave, type Outcome, leaveAfterMs } from './return-screen'

const CartKept = () => (useCartHere() ? <p className="text-center text-muted">Your cart is kept.</p> : null)

type VerdictScreenProps = {
  shown: Shown
  /** For asking the tuckshop. */
  reference: string | null
  /** Other ways after a declined card. */
  again?: ReactNode
  /** What was paid, where it is known; `acts` on it, and its meals under all buttons. */
  paid?: { amount: ReactNode; acts: ReactNode; meals: ReactNode } | null
}

/** Can be stopped for slow readers. */
export const VerdictScreen = ({ shown, reference, again, paid }: VerdictScreenProps) => {
  const { outcome, title, text, more, quoted, also, homeAfterMs } = contentOf(shown)
  const leave = useTimedLeave(paths.home, homeAfterMs)
  return (
    <ReturnScreen
      outcome={outcome}
      title={title}
      actions={
        shown.kind === 'checking' ? null : (
          <>
            {again}
            <LeaveActions leave={leave} also={also} isSecond={again !== undefined} />
            {paid?.acts}
          </>
        )
      }
      below={paid?.meals}
    >
      <PageTitle>{title}</PageTitle>
      <p className="text-balance text-muted">{text}</p>
      {quoted && reference ? (
        <p className="text-sm">
          Reference <strong className="money">{reference}</strong>
        </p>
      ) : null}
      {paid?.amount}
      {more ? <div className="text-left">{more}</div> : null}
      {leave.leaving && homeAfterMs !== null ? (
        <p className="text-sm text-muted">You return home in {homeAfterMs / 1000} seconds.</p>
      ) : null}
    </ReturnScreen>
  )
}

/** Without a verdict: checking, or no payment at all. */
type Shown = Verdict | { kind: 'checking' } | { kind: 'missing' }

type VerdictContent = {
  outcome: Outcome
  title: string
  text: string
  more?: ReactNode
  /** Shows the reference for asking. */
  quoted?: boolean
  /** A link besides home. */
  also?: { label: string; icon: IconName; to: string }
  homeAfterMs: number | null
}

const toCart = { label: 'Back to the cart', icon: 'cart', to: paths.tab('cart') } as const
const toOrders = { label: 'Open Order History', icon: 'history', to: paths.tab('orders') } as const

const notVerified = {
  outcome: 'bad',
  title: 'Payment Verification Failed',
  text: "We couldn't verify your payment. Please contact support if payment was made.",
  quoted: true,
  homeAfterMs: leaveAfterMs.failure,
} as const

/** Spec words (administrator.md section 8). */
const contentOf = (shown: Shown): VerdictContent => {
  switch (shown.kind) {
    case 'checking':
      return {
        outcome: 'waiting',
        title: 'Checking your payment',
        text: 'We are asking the card provider whether it has arrived. This usually takes a few seconds.',
        more: mayClose,
        homeAfterMs: null,
      }
    case 'missing':
      return {
        outcome: 'bad',
        title: 'Missing transaction ID',
        text: 'This address does not say which payment it is about. What you have paid for is in your order history.',
        also: toOrders,
        homeAfterMs: null,
      }
    case 'paid':
      return paidContent(shown.attention)
    case 'declined':
      return {
        outcome: 'bad',
        title: 'Card declined',
        text: 'Your card was declined. Nothing was charged.',
        more: <CartKept />,
        homeAfterMs: null,
      }
    case 'unpaid':
      return {
        ...notVerified,
        more: <CartKept />,
        also: toCart,
      }
    case 'pending':
      return { ...notVerified, more: goesOn, also: toOrders }
    case 'unknown':
      return {
        outcome: 'bad',
        title: 'Verification Error',
        text: 'Failed to verify payment. Please check your order status in the order history.',
        more: goesOn,
        quoted: true,
        also: toOrders,
        homeAfterMs: leaveAfterMs.failure,
      }
  }
}

const paidContent = (attention: readonly string[]): VerdictContent => {
  const content = { outcome: 'good', title: 'Payment Successful' } as const
  if (attention.length === 0)
    return {
      ...content,
      text: 'Your payment was received and your meals are ordered.',
      also: { ...toOrders, label: 'See your orders' },
      homeAfterMs: leaveAfterMs.success,
    }
  return {
    ...content,
    text: 'Your payment was received, but not every meal could be ordered.',
    more: <Attention lines={attention} />,
    quoted: true,
    also: toOrders,
    homeAfterMs: null,
  }
}

const Attention = ({ lines }: { lines: readonly string[] }) => (
  <Notice tone="warning" title="These meals need attention">
    <ul className="flex flex-col gap-2 text-left">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  </Notice>
)

const mayClose = (
  <Notice title="Please do not pay again">
    <p>
      You can close this page: your payment continues without you, and your meals appear in your order
      history.
    </p>
  </Notice>
)

/** For a payment that may not be over. */
export const goesOn = (
  <Notice title="Please do not pay again">
    <p>If you have paid, your payment continues without you, and your meals appear in your order history.</p>
  </Notice>
)
