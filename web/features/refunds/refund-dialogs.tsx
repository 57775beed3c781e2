import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { QueryOf } from '#contracts/endpoint'
import {
  refundMethods,
  type ListedRefund,
  type CardRefundState,
  type RefundMethod,
  approveRefund,
  checkCardRefund,
  completeRefund,
  completeRefunds,
  listRefunds,
  refundToCard,
  refundToCredit,
  withdrawRefund,
} from '#contracts/refunds'
import { endpointMutation, listQuery } from '../../lib/endpoint-query'
import { kwacha, methodLabel, paidFromText, payByLabel } from '../../lib/format'
import { dateAndTime } from '../../lib/school-moment'
import { isWaiting, waitsText, adminToast, notifyOutcome, type ToastText } from '../../lib/toast'
import { plainNumber } from '../../lib/typed-number'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import { Explained } from '../../ui/notice'

type RefundDialogProps = { refund: ListedRefund; onClose: () => void }

/** A record; moves no money. */
export const RefundDialog = ({ refund, onClose }: RefundDialogProps) => {
  const completing = useMutation(complete)
  return (
    <FormDialog
      title="Mark as Refunded"
      description={`Record that ${kwacha(refund.amount)} for ${refund.menuItem.name}, ordered for ${refund.student.name}, was paid back. This moves no money and cannot be undone.${paidElsewhere(refund)}`}
      submit="Mark as Refunded"
      schema={refundForm(refund.amount)}
      defaultValues={{
        amount: refund.amount.toFixed(2),
        method: methodsFor([refund])[0],
        reference: '',
        note: '',
      }}
      onSave={async (typed) => {
        const body = refundBody(typed)
        const params = { id: refund.id }
        const reply = await completing.mutateAsync({ params, body })
        adminToast(isWaiting(reply) ? waitsText(reply) : { title: 'Refund completed' })
      }}
      failed="Failed to mark order as refunded"
      onClose={onClose}
      className="grid gap-4 sm:grid-cols-2"
    >
      <FormField name="amount" label="Amount (K)" inputMode="decimal" autoComplete="off" />
      <FormField
        name="method"
        label="Method"
        options={methodsFor([refund]).map((value) => ({ value, label: methodLabel(value) }))}
      />
      <FormField
        name="reference"
        label="Reference (optional)"
        className="sm:col-span-2"
        maxLength={100}
        autoComplete="off"
      />
      <FormField name="note" label="Note (optional)" className="sm:col-span-2" rows={2} maxLength={500} />
    </FormDialog>
  )
}

/** Where the phone that paid is not the family's, so that another may have been made to pay. */
export const paidElsewhere = ({ paidFrom, allowed }: ListedRefund): string => {
  if (!paidFrom || paidFrom.own) return ''
  return ` ${paidFromText(paidFrom)}${allowed.card ? ': Back to the Phone returns it there' : ''}.`
}

/** Cash first for what came in as cash. */
export const methodsFor = (
  refunds: readonly Pick<ListedRefund, 'proof'>[],
): [RefundMethod, ...RefundMethod[]] => {
  const [first, ...others] = refundMethods
  return refunds.every(({ proof }) => proof === 'till')
    ? ['cash', first, ...others.filter((method) => method !== 'cash')]
    : [first, ...others]
}

/** At most `owed` kwacha. */
const refundForm = (owed: number) =>
  z.object({
    amount: z.string().check(
      z.overwrite(plainNumber),
      z.regex(/^\d{1,9}(\.\d{1,2})?$/, 'Amount must be a number with up to 2 decimal places'),
      z.refine((text) => Number(text) > 0, 'Amount must be above zero'),
      z.refine((text) => !(Number(text) > owed), `At most ${kwacha(owed)} is owed`),
    ),
    method: z.enum(refundMethods),
    reference: z.string().check(z.trim(), z.maxLength(100)),
    note: z.string().check(z.trim(), z.maxLength(500)),
  })

/** Omits an empty reference or note. */
const refundBody = ({ amount, method, reference, note }: z.output<ReturnType<typeof refundForm>>) => ({
  amount: Number(amount),
  method,
  ...(reference ? { reference } : {}),
  ...(note ? { note } : {}),
})

/** Asks before a sum that is owed becomes credit of the family. */
export const CreditDialog = ({ refund, onClose }: { refund: ListedRefund; onClose: () => void }) => {
  const turning = useMutation(turnIntoCredit)
  const turn = async () => {
    const params = { id: refund.id }
    const done = await notifyOutcome(turning.mutateAsync({ params }), {
      done: 'Refund turned into credit',
      failed: 'Failed to turn refund into credit',
    })
    if (done) onClose()
  }
  return (
    <ConfirmDialog
      open
      title="Turn into credit?"
      confirm="Turn into Credit"
      busy={turning.isPending}
      onConfirm={() => void turn()}
      onClose={onClose}
    >
      {`${kwacha(refund.amount)} for ${refund.menuItem.name}, ordered for ${refund.student.name}, becomes credit with which the family pays its next meals. The refund then counts as paid back.${paidElsewhere(refund)}`}
    </ConfirmDialog>
  )
}

const titles: Record<CardRefundState['state'], string> = {
  requested: 'Back to the card: not known yet',
  pending: 'Back to the card: under way',
  done: 'Back on the card',
  failed: 'Not back on the card',
  check: 'Back to the card: please check',
}

const kinds: Record<CardRefundState['state'], ToastText['kind']> = {
  requested: 'info',
  pending: 'info',
  done: 'success',
  failed: 'error',
  check: 'warning',
}

/** Nothing without a card refund. */
export const CardRefundText = ({ card }: Pick<ListedRefund, 'card'>) => {
  if (card === null) return null
  const title = <strong>{titles[card.state]}</strong>
  return card.reason ? (
    <Explained line={title} className="max-w-72 text-xs">
      {card.reason}
    </Explained>
  ) : (
    <p className="mt-1 max-w-72 text-xs">{title}</p>
  )
}

const outcomeToast = ({ state, reason }: CardRefundState): ToastText => ({
  title: titles[state],
  kind: kinds[state],
  ...(reason ? { text: reason } : {}),
})

/** Goes back only whole. */
export const isMobileMoney = ({ payBy }: Pick<ListedRefund, 'payBy'>): boolean =>
  payBy === 'airtel' || payBy === 'mtn'

type CardDialogProps = { refund: ListedRefund; onClose: () => void }

/** Disabled while the provider is called. */
export const CardRefundDialog = ({ refund, onClose }: CardDialogProps) => {
  const asking = useMutation(askCard)
  const ask = async () => {
    const params = { id: refund.id }
    await notifyOutcome(asking.mutateAsync({ params }), {
      done: (reply) => (isWaiting(reply) ? waitsText(reply) : outcomeToast(reply)),
      failed: 'Failed to ask the card provider',
    })
    onClose()
  }
  const isMobile = isMobileMoney(refund)
  const sum = `${kwacha(refund.amount)} for ${refund.menuItem.name}, ordered for ${refund.student.name},`
  const what = isMobile
    ? `${sum} goes back by ${payByLabel(refund.payBy ?? '')} with all else of its payment: its other refunds are completed too.`
    : `${sum} goes back to the card that paid.`
  return (
    <ConfirmDialog
      open
      title={isMobile ? 'Back to the phone?' : 'Back to the card?'}
      confirm={isMobile ? 'Back to the Phone' : 'Back to the Card'}
      busy={asking.isPending}
      busyLabel="Asking..."
      onConfirm={() => void ask()}
      onClose={onClose}
    >
      {`${what} The card provider moves the money; this cannot be undone.`}
    </ConfirmDialog>
  )
}

const checkForm = z.object({ note: z.string().check(z.trim(), z.maxLength(500)) })

/** Found in the card provider's portal. */
export const CardCheckDialog = ({ refund, wentBack, onClose }: CardDialogProps & { wentBack: boolean }) => {
  const saying = useMutation(recordCardRefundOutcome)
  const sum = `${kwacha(refund.amount)} for ${refund.menuItem.name}, ordered for ${refund.student.name}`
  return (
    <FormDialog
      title={wentBack ? 'Was it refunded?' : 'Was it not refunded?'}
      description={
        wentBack
          ? `The card provider's portal shows that ${sum}, went back to the card. The refund then counts as paid back.`
          : `The card provider's portal shows no refund of ${sum}. Be sure: it is then owed again, and may be paid back in any way.`
      }
      submit={wentBack ? 'Refunded' : 'Not Refunded'}
      schema={checkForm}
      defaultValues={{ note: '' }}
      onSave={({ note }) =>
        saying.mutateAsync({
          params: { id: refund.id },
          body: { outcome: wentBack ? 'done' : 'failed', ...(note ? { note } : {}) },
        })
      }
      done={wentBack ? 'Refund completed' : 'Owed again'}
      failed="Failed to record the outcome"
      onClose={onClose}
      className="grid gap-4"
    >
      <FormField name="note" label="Note (optional)" rows={2} maxLength={500} />
    </FormDialog>
  )
}

const askedOf = ({ asked }: ListedRefund): string => {
  if (!asked) return ''
  const { amount, method, reference, note, toCard } = asked
  const way = toCard ? 'back to the card' : methodLabel(method)
  return `${kwacha(amount)} (${[way, reference, note].filter(Boolean).join(', ')})`
}

/** Also why the asker cannot approve. */
export const ApprovalText = ({ refund }: { refund: ListedRefund }) =>
  refund.approval === null ? null : (
    <Explained line={<strong>Awaiting approval</strong>} className="max-w-72 text-xs">
      {`${askedOf(refund)}, asked by ${refund.approval.by} on ${dateAndTime(refund.approval.at)}.`}
      {refund.why ? ` ${refund.why.approve}.` : ''}
    </Explained>
  )

const words = {
  approve: {
    title: 'Approve this refund?',
    confirm: 'Approve',
    done: 'Refund approved',
    failed: 'Failed to approve the refund',
  },
  withdraw: {
    title: 'Withdraw this refund?',
    confirm: 'Withdraw',
    done: 'Refund withdrawn: it is owed as before',
    failed: 'Failed to withdraw the refund',
  },
} as const

type ApprovalDialogProps = { act: keyof typeof words; refund: ListedRefund; onClose: () => void }

/** Confirms an approval as shown, or a withdrawal. */
export const ApprovalDialog = ({ act, refund, onClose }: ApprovalDialogProps) => {
  const approving = useMutation(approve)
  const withdrawing = useMutation(withdraw)
  const { title, confirm, done, failed } = words[act]
  const params = { id: refund.id }
  const judge = async () => {
    const judged =
      act === 'approve'
        ? approving.mutateAsync({ params, body: { askedAt: refund.approval?.at } })
        : withdrawing.mutateAsync({ params })
    await notifyOutcome(judged, { done, failed })
    onClose()
  }
  return (
    <ConfirmDialog
      open
      title={title}
      confirm={confirm}
      busy={approving.isPending || withdrawing.isPending}
      onConfirm={() => void judge()}
      onClose={onClose}
    >
      {`${askedOf(refund)} for ${refund.menuItem.name}, ordered for ${refund.student.name}, asked by ${refund.approval?.by}. ${thenOf(act, refund)}`}
    </ConfirmDialog>
  )
}

const thenOf = (act: keyof typeof words, refund: ListedRefund): string => {
  if (act === 'withdraw') return 'It stays owed to the family.'
  return refund.asked?.toCard
    ? 'The card provider is asked to pay it back; this cannot be undone.'
    : `It then counts as paid back. This moves no money and cannot be undone.${paidElsewhere(refund)}`
}

export const refundsQuery = (query: QueryOf<typeof listRefunds>) =>
  listQuery('refunds', listRefunds, { query })

const complete = endpointMutation(completeRefund, 'refunds', 'payments', 'ordering')
export const completeMany = endpointMutation(completeRefunds, 'refunds', 'payments', 'ordering')
const turnIntoCredit = endpointMutation(refundToCredit, 'refunds', 'payments', 'ordering')
const askCard = endpointMutation(refundToCard, 'refunds', 'payments', 'ordering')
const recordCardRefundOutcome = endpointMutation(checkCardRefund, 'refunds', 'payments', 'ordering')
const approve = endpointMutation(approveRefund, 'refunds', 'payments', 'ordering')
const withdraw = endpointMutation(withdrawRefund, 'refunds')
