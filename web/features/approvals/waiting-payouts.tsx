import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type WaitingPayout, approvePayout, listPayouts, withdrawPayout } from '#contracts/refunds'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'
import { kwacha, methodLabel } from '../../lib/format'
import { dateAndTime } from '../../lib/school-moment'
import { notifyOutcome } from '../../lib/toast'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Explained, Notice } from '../../ui/notice'
import { QueryResult } from '../../ui/query-result'

type Act = 'approve' | 'withdraw'

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
        <Notice tone="warning" title="Payouts and gifts awaiting approval">
          <ul aria-label="Payouts and gifts that wait" className="flex w-full flex-col gap-3">
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

const wayOf = ({ kind, method }: WaitingPayout): string =>
  kind === 'gift' || method === null ? 'gift' : `payout (${methodLabel(method)})`

const inFull = ({ method, reference, note }: WaitingPayout): string =>
  ` (${[method === null ? 'gift' : methodLabel(method), reference, note].filter(Boolean).join(', ')})`

const unproven = ({ proof }: WaitingPayout): string =>
  proof === 'not on any statement' ? ' This money is not on any statement.' : ''

const behind = ({ parent, reference, note, approval, why }: WaitingPayout): string =>
  [
    `Asked by ${approval.by} on ${dateAndTime(approval.at)}`,
    `For ${parent.username}`,
    reference,
    note,
    why?.approve,
  ]
    .filter(Boolean)
    .join('. ')

type PayoutLineProps = { payout: WaitingPayout; named: boolean; onAsk: (act: Act) => void }

const PayoutLine = ({ payout, named, onAsk }: PayoutLineProps) => (
  <li className="flex flex-wrap items-start justify-between gap-2">
    <Explained
      className="min-w-0"
      line={
        <>
          <strong className="money">{kwacha(payout.amount)}</strong>
          {` ${wayOf(payout)}${named ? ` to ${payout.parent.name}` : ''}`}
          {unproven(payout) ? <span className="block">{unproven(payout)}</span> : null}
        </>
      }
    >
      {`${behind(payout)}.`}
    </Explained>
    <div className="flex flex-wrap gap-2">
      {payout.allowed.approve ? (
        <Button size="sm" onClick={() => onAsk('approve')}>
          {words[payout.kind].approve.press}
        </Button>
      ) : null}
      {payout.allowed.withdraw ? (
        <Button size="sm" variant="secondary" onClick={() => onAsk('withdraw')}>
          {words[payout.kind].withdraw.press}
        </Button>
      ) : null}
    </div>
  </li>
)

const words = {
  payout: {
    approve: {
      press: 'Approve Payout',
      title: 'Approve this payout?',
      confirm: 'Approve',
      done: 'Payout approved',
      failed: 'Failed to approve the payout',
      after: 'then counts as paid out. This moves no money and cannot be undone.',
    },
    withdraw: {
      press: 'Withdraw Payout',
      title: 'Withdraw this payout?',
      confirm: 'Withdraw',
      done: 'Payout withdrawn',
      failed: 'Failed to withdraw the payout',
      after: 'stays credit of the family.',
    },
  },
  gift: {
    approve: {
      press: 'Approve Gift',
      title: 'Approve this gift?',
      confirm: 'Approve',
      done: 'Gift approved',
      failed: 'Failed to approve the gift',
      after: 'is then credit of the family. This cannot be undone.',
    },
    withdraw: {
      press: 'Withdraw Gift',
      title: 'Withdraw this gift?',
      confirm: 'Withdraw',
      done: 'Gift withdrawn',
      failed: 'Failed to withdraw the gift',
      after: 'is not given.',
    },
  },
} as const

type PayoutActDialogProps = { act: Act; payout: WaitingPayout; onClose: () => void }

const PayoutActDialog = ({ act, payout, onClose }: PayoutActDialogProps) => {
  const acting = useMutation(act === 'approve' ? approve : withdraw)
  const { title, confirm, done, failed, after } = words[payout.kind][act]
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
      {`${kwacha(payout.amount)}${inFull(payout)} ${payout.kind === 'gift' ? 'to' : 'of'} ${payout.parent.name}, asked by ${payout.approval.by}, ${after}${unproven(payout)}`}
    </ConfirmDialog>
  )
}

/** Refetched whenever shown. */
const payoutsQuery = (parentId?: number) => ({
  ...endpointQuery('refunds', listPayouts, { query: parentId === undefined ? {} : { parentId } }),
  staleTime: 0,
})

const approve = endpointMutation(approvePayout, 'refunds')
const withdraw = endpointMutation(withdrawPayout, 'refunds')
