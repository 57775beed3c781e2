import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type Ref, useState } from 'react'
import type { Credit } from '#contracts/credit'
import type { Parent } from '#contracts/parents'
import { kwacha } from '../../lib/format'
import { dateAndTime } from '../../lib/school-moment'
import { Button } from '../../ui/button'
import { QueryResult } from '../../ui/query-result'
import { creditQuery } from './api'
import { GiftDialog, PayoutDialog } from './credit-dialogs'

type FamilyCreditProps = {
  ref: Ref<HTMLElement>
  parent: Parent
  /** Its payouts that wait for another administrator. */
  waitingPayouts: ReactNode
}

/** The credit of a family with its entries, newest first; a gift, and a payout while there is a balance. */
export const FamilyCredit = ({ ref, parent, waitingPayouts }: FamilyCreditProps) => {
  const credit = useQuery(creditQuery(parent.id))
  const [asked, setAsked] = useState<'gift' | 'payout' | null>(null)
  const close = () => setAsked(null)
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label={`Credit of ${parent.username}`}
      className="outline-none flex w-full max-w-form flex-col gap-2"
    >
      <QueryResult query={credit} failure="Failed to fetch credit">
        {({ balance, held, entries }) => (
          <>
            <p>
              Credit <strong className="money">{kwacha(balance)}</strong>
            </p>
            {waitingPayouts}
            {held > 0 ? (
              <p className="text-sm text-muted">{`${kwacha(held)} is held by a payment under way`}</p>
            ) : null}
            {entries.length > 0 ? <Entries entries={entries} /> : null}
            <div className="flex flex-wrap gap-2">
              <Button variant="secondary" size="sm" icon="plus" onClick={() => setAsked('gift')}>
                Give Credit
              </Button>
              {balance > 0 ? (
                <Button variant="secondary" size="sm" icon="wallet" onClick={() => setAsked('payout')}>
                  Pay Out
                </Button>
              ) : null}
            </div>
            {asked === 'gift' ? <GiftDialog parent={parent} onClose={close} /> : null}
            {asked === 'payout' ? <PayoutDialog parent={parent} balance={balance} onClose={close} /> : null}
          </>
        )}
      </QueryResult>
    </section>
  )
}

const shownAtFirst = 5

const Entries = ({ entries }: Pick<Credit, 'entries'>) => {
  const [all, setAll] = useState(false)
  return (
    <>
      <ul aria-label="Credit entries" className="divide-y divide-line rounded-md border border-line text-sm">
        {(all ? entries : entries.slice(0, shownAtFirst)).map((entry) => (
          <li
            key={`${entry.at} ${entry.kind} ${entry.balanceAfter} ${entry.about.orderId}`}
            className="flex items-start justify-between gap-3 px-3 py-2"
          >
            <span className="min-w-0 break-words">
              {entry.text}
              <span className="block text-xs text-muted">{dateAndTime(entry.at)}</span>
            </span>
            <span className="money shrink-0 text-right font-semibold">
              {signed(entry.amount)}
              <span className="block text-xs font-normal text-muted">{`then ${kwacha(entry.balanceAfter)}`}</span>
            </span>
          </li>
        ))}
      </ul>
      {!all && entries.length > shownAtFirst ? (
        <Button variant="ghost" size="sm" className="self-start" onClick={() => setAll(true)}>
          {`Show all ${entries.length} entries`}
        </Button>
      ) : null}
    </>
  )
}

const signed = (amount: number): string => `${amount < 0 ? '−' : '+'}${kwacha(Math.abs(amount))}`
