import { type ReactNode, Suspense } from 'react'
import { VerdictScreen } from '../../features/payment/verdict-screen'
import { lazyComponent } from '../../lib/lazy'
import { Logo } from '../../ui/page-title'

/** For people coming from the provider. */
export const PaymentFrame = ({ children }: { children: ReactNode }) => (
  <div className="grid min-h-dvh grid-rows-[auto_1fr]">
    <header className="flex items-center justify-center gap-3 border-b border-line bg-surface px-4 py-3">
      <Logo className="size-9" />
      <p className="font-display text-lg font-semibold">Parent &amp; Teacher Portal</p>
    </header>
    <main className="flex flex-col items-center gap-5 p-4 sm:justify-center sm:p-8">{children}</main>
  </div>
)

const PayAgain = lazyComponent(() => import('./pay-again').then((m) => m.PayAgain))

/** The first actions where nothing was charged. */
export const again = (
  <Suspense>
    <PayAgain />
  </Suspense>
)

export const Declined = () => <VerdictScreen shown={{ kind: 'declined' }} reference={null} again={again} />
