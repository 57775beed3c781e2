import { useQuery, useMutation } from '@tanstack/react-query'
import { type ReactNode, type Ref, useState } from 'react'
import * as z from 'zod/mini'
import type { Parent } from '#contracts/accounts'
import { type Credit, giveCredit } from '#contracts/credit'
import { payOutCredit, refundMethods } from '#contracts/refunds'
import { kwacha, methodLabel } from '../../lib/format'
import { dateAndTime } from '../../lib/school-moment'
import { giftWaitsText, isWaiting, waitsText, adminToast } from '../../lib/toast'
import { plainNumber } from '../../lib/typed-number'
import { Button } from '../../ui/button'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import { QueryResult } from '../../ui/query-result'
import { creditQuery, give, payOut } from './parent-dialogs'

type FamilyCreditProps = {
  ref?: Ref<HTMLElement>
  parent: Pick<Parent, 'id' | 'username'>
  /** Waiting for approval. */
  waitingPayouts: ReactNode
}

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

/** At most `most` kwacha. */
const typedAmount = (most: number, tooMuch: string) =>
  z.string().check(
    z.overwrite(plainNumber),
    z.regex(/^\d{1,9}(\.\d{1,2})?$/, 'Amount must be a number with up to 2 decimal places'),
    z.refine((text) => Number(text) > 0, 'Amount must be above zero'),
    z.refine((text) => !(Number(text) > most), tooMuch),
  )

const maxGift = 1_000_000

const gift = z.object({
  amount: typedAmount(maxGift, `At most ${kwacha(maxGift)} can be given`),
  reason: giveCredit.body.shape.reason,
})

const GiftDialog = ({ parent, onClose }: { parent: FamilyCreditProps['parent']; onClose: () => void }) => {
  const giving = useMutation(give)
  return (
    <FormDialog
      title={`Give credit to ${parent.username}`}
      description="The family pays its next meals with it and reads the reason."
      submit="Give Credit"
      busyLabel="Giving..."
      schema={gift}
      defaultValues={{ amount: '', reason: '' }}
      onSave={async ({ amount, reason }) => {
        const body = { amount: Number(amount), reason }
        const reply = await giving.mutateAsync({
          params: { id: parent.id },
          body,
        })
        adminToast(isWaiting(reply) ? giftWaitsText : { title: 'Credit given' })
      }}
      failed="Failed to give credit"
      onClose={onClose}
      className="grid gap-4"
    >
      <FormField name="amount" label="Amount (K)" inputMode="decimal" autoComplete="off" />
      <FormField name="reason" label="Reason" maxLength={200} autoComplete="off" />
    </FormDialog>
  )
}

const payout = (balance: number) =>
  z.object({
    amount: typedAmount(balance, `At most ${kwacha(balance)} can be paid out`),
    method: payOutCredit.body.shape.method,
    reference: z.string().check(z.trim(), z.maxLength(100)),
  })

type PayoutDialogProps = { parent: FamilyCreditProps['parent']; balance: number; onClose: () => void }

/** A record; moves no money. */
const PayoutDialog = ({ parent, balance, onClose }: PayoutDialogProps) => {
  const paying = useMutation(payOut)
  return (
    <FormDialog
      title={`Pay out credit of ${parent.username}`}
      description="Record that the family got money for its credit. This moves no money and cannot be undone."
      submit="Pay Out"
      busyLabel="Paying out..."
      schema={payout(balance)}
      defaultValues={{ amount: balance.toFixed(2), method: 'manual', reference: '' }}
      onSave={async ({ amount, method, reference }) => {
        const body = { amount: Number(amount), method, ...(reference ? { reference } : {}) }
        const params = { id: parent.id }
        const reply = await paying.mutateAsync({ params, body })
        adminToast(isWaiting(reply) ? waitsText(reply) : { title: 'Credit paid out' })
      }}
      failed="Failed to pay out credit"
      onClose={onClose}
      className="grid gap-4 sm:grid-cols-2"
    >
      <FormField name="amount" label="Amount (K)" inputMode="decimal" autoComplete="off" />
      <FormField
        name="method"
        label="Method"
        options={refundMethods.map((value) => ({ value, label: methodLabel(value) }))}
      />
      <FormField
        name="reference"
        label="Reference (optional)"
        className="sm:col-span-2"
        maxLength={100}
        autoComplete="off"
      />
    </FormDialog>
  )
}
