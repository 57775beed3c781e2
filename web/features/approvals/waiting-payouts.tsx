import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WaitingPayout } from '#contracts/approvals'
import { kwacha, methodLabel } from '../../lib/format'
import { notifyOutcome } from '../../lib/notify-outcome'
import { dateAndTime } from '../../lib/school-moment'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Notice } from '../../ui/notice'
import { QueryResult } from '../../ui/query-result'
import { approve, payoutsQuery, withdraw } from './api'

type Act = 'approve' | 'withdraw'

/** The payouts of credit that wait for another administrator, of one family or of all; nothing where none does. */
export const WaitingPayouts = ({ parentId }: { parentId?: number }) => {
  const payouts = useQuery(payoutsQuery(parentId))
  const [asked, setAsked] = useState<{ act: Act; payout: WaitingPayout } | null>(null)
  return (
    <QueryResult
      query={payouts}
      waiting={null}
      failure="Failed to fetch payouts"
      isEmpty={({ data }) => data.length === 0}
      empty={null}
    >
      {({ data }) => (
        <Notice tone="warning" title="Payouts of credit that wait for approval">
          <ul aria-label="Payouts that wait" className="flex w-full flex-col gap-3">
            {data.map((payout) => (
              <PayoutLine
                key={payout.id}
                payout={payout}
                named={parentId === undefined}
                onAsk={(act) => setAsked({ act, payout })}
              />
            ))}
          </ul>
          {asked ? <PayoutActDialog {...asked} onClose={() => setAsked(null)} /> : null}
        </Notice>
      )}
    </QueryResult>
  )
}

const sumOf = ({ amount, method, reference }: WaitingPayout): string =>
  `${kwacha(amount)} (${methodLabel(method)}${reference ? `, ${reference}` : ''})`

type PayoutLineProps = { payout: WaitingPayout; named: boolean; onAsk: (act: Act) => void }

const PayoutLine = ({ payout, named, onAsk }: PayoutLineProps) => (
  <li className="flex flex-wrap items-center justify-between gap-2">
    <p className="min-w-0 break-words">
      <strong className="money">{sumOf(payout)}</strong>
      {named ? ` to ${payout.parent.name} (${payout.parent.username})` : ''}
      <span className="block text-xs">
        {`Asked by ${payout.approval.by} on ${dateAndTime(payout.approval.at)}.`}
        {payout.allowed.approve ? '' : ' You asked for this: another administrator has to approve it.'}
      </span>
    </p>
    <div className="flex flex-wrap gap-2">
      {payout.allowed.approve ? (
        <Button size="sm" onClick={() => onAsk('approve')}>
          Approve Payout
        </Button>
      ) : null}
      {payout.allowed.withdraw ? (
        <Button size="sm" variant="secondary" onClick={() => onAsk('withdraw')}>
          Withdraw Payout
        </Button>
      ) : null}
    </div>
  </li>
)

const words = {
  approve: {
    title: 'Approve this payout?',
    confirm: 'Approve',
    done: 'Payout approved',
    failed: 'Failed to approve the payout',
    after: 'then counts as paid out. This moves no money and cannot be undone.',
  },
  withdraw: {
    title: 'Withdraw this payout?',
    confirm: 'Withdraw',
    done: 'Payout withdrawn',
    failed: 'Failed to withdraw the payout',
    after: 'stays credit of the family.',
  },
} as const

type PayoutActDialogProps = { act: Act; payout: WaitingPayout; onClose: () => void }

const PayoutActDialog = ({ act, payout, onClose }: PayoutActDialogProps) => {
  const acting = useMutation(act === 'approve' ? approve : withdraw)
  const { title, confirm, done, failed, after } = words[act]
  const judge = async () => {
    await notifyOutcome(acting.mutateAsync({ params: { id: payout.id } }), { done, failed })
    onClose()
  }
  return (
    <ConfirmDialog
      open
      title={title}
      confirm={confirm}
      busy={acting.isPending}
      onConfirm={() => void judge()}
      onClose={onClose}
    >
      {`${sumOf(payout)} of ${payout.parent.name}, asked by ${payout.approval.by}, ${after}`}
    </ConfirmDialog>
  )
}
