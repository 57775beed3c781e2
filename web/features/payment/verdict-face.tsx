import type { ReactNode } from 'react'
import { Notice } from '../../ui/notice'
import type { Look } from './return-screen'
import { leaveAfterMs } from './use-timed-leave'
import type { Verdict } from './verify-patiently'

/** What the return page shows; without a verdict it is being asked, and without a payment there is none to ask about. */
export type Shown = Verdict | { kind: 'checking' } | { kind: 'missing' }

export type Face = {
  look: Look
  title: string
  text: string
  more?: ReactNode
  /** When it goes home by itself; null: not before it has been read. */
  homeAfterMs: number | null
}

const notVerified = {
  look: 'bad',
  title: 'Payment Verification Failed',
  text: "We couldn't verify your payment. Please contact support if payment was made.",
  homeAfterMs: leaveAfterMs.failure,
} as const

/** The words of the spec for each outcome (administrator.md section 8), and beside them what to do or leave. */
export const faceOf = (shown: Shown): Face => {
  switch (shown.kind) {
    case 'checking':
      return {
        look: 'waiting',
        title: 'Checking your payment',
        text: 'This can take some seconds. Please do not pay again.',
        homeAfterMs: null,
      }
    case 'missing':
      return {
        look: 'bad',
        title: 'Missing transaction ID',
        text: 'This address does not say which payment it is about. What you have paid for is in your order history.',
        homeAfterMs: null,
      }
    case 'paid':
      return paidFace(shown.attention)
    case 'unpaid':
      return { ...notVerified, more: <p className="text-center text-muted">Your cart is kept.</p> }
    case 'pending':
      return { ...notVerified, more: goesOn }
    case 'unknown':
      return {
        look: 'bad',
        title: 'Verification Error',
        text: 'Failed to verify payment. Please check your order status in the order history.',
        more: goesOn,
        homeAfterMs: leaveAfterMs.failure,
      }
  }
}

const paidFace = (attention: readonly string[]): Face => {
  const face = { look: 'good', title: 'Payment Successful' } as const
  if (attention.length === 0)
    return {
      ...face,
      text: 'Your payment was received and your meals are ordered.',
      homeAfterMs: leaveAfterMs.success,
    }
  return {
    ...face,
    text: 'Your payment was received, but not every meal could be ordered.',
    more: <Attention lines={attention} />,
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

const goesOn = (
  <Notice title="Please do not pay again">
    <p>
      If you have paid, your payment goes on by itself. We keep checking it, and your meals appear in your
      order history with nothing more to do.
    </p>
  </Notice>
)
