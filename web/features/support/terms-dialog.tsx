import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getRefundWays } from '#contracts/books'
import { endpointQuery } from '../../lib/endpoint-query'
import { calendarCutoffQuery } from '../../queries/cycles'
import { orderingRulesQuery } from '../../queries/ordering'
import { waysToPayQuery } from '../../queries/payments'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { refundRulesOf, termsOf, type TermsFacts } from './terms-text'

const refundWaysQuery = { ...endpointQuery('payments', getRefundWays, {}), staleTime: 30_000 }

const useTermsFacts = (): TermsFacts => ({
  rules: useQuery(orderingRulesQuery).data,
  cutoff: useQuery(calendarCutoffQuery).data,
  ways: useQuery(waysToPayQuery).data,
  cardRefunds: useQuery(refundWaysQuery).data?.card,
})

export const TermsDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const [refunds, setRefunds] = useState(false)
  const facts = useTermsFacts()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Terms & Conditions"
      wide
      actions={
        <>
          <Button variant="secondary" onClick={() => setRefunds(true)}>
            Refund Policy
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <dl className="flex flex-col gap-4">
        {termsOf(facts).map(([name, text]) => (
          <div key={name}>
            <dt className="font-semibold">{name}</dt>
            <dd className="text-muted">{text}</dd>
          </div>
        ))}
      </dl>
      <RefundPolicyDialog facts={facts} open={refunds} onClose={() => setRefunds(false)} />
    </Dialog>
  )
}

type RefundPolicyProps = { facts: TermsFacts; open: boolean; onClose: () => void }

const RefundPolicyDialog = ({ facts, open, onClose }: RefundPolicyProps) => (
  <Dialog
    open={open}
    onClose={onClose}
    title="Refund Policy"
    actions={<Button onClick={onClose}>Close</Button>}
  >
    <div className="flex flex-col gap-4">
      {refundRulesOf(facts).map(([name, rules]) => (
        <section key={name}>
          <h3 className="font-semibold">{name}</h3>
          <ul className="list-disc pl-5 text-muted">
            {rules.map((rule) => (
              <li key={rule}>{rule}</li>
            ))}
          </ul>
        </section>
      ))}
      <p className="text-muted">To ask for a refund, come to the canteen or write to us under Contact.</p>
    </div>
  </Dialog>
)
