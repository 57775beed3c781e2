import { Suspense, useState, type ReactNode } from 'react'
import type { HistorySubject } from '../../features/payment-history/history-subject'
import { lazyComponent } from '../../lib/lazy'

const PaymentHistory = lazyComponent(() =>
  import('../../features/payment-history/payment-history').then((m) => m.PaymentHistory),
)

type WithHistoryProps = { children: (ask: (subject: HistorySubject) => void) => ReactNode }

export const WithHistory = ({ children }: WithHistoryProps) => {
  const [subject, setSubject] = useState<HistorySubject | null>(null)
  return (
    <>
      {children(setSubject)}
      <Suspense fallback={null}>
        {subject ? <PaymentHistory subject={subject} onClose={() => setSubject(null)} /> : null}
      </Suspense>
    </>
  )
}
