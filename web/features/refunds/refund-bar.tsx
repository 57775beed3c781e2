import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { completeRefunds, type ListedRefund } from '#contracts/refunds'
import { counted, kwacha, methodLabel, kwachaSum } from '../../lib/format'
import { adminToast } from '../../lib/toast'
import { Button, IconButton } from '../../ui/button'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import { completeMany, isMobileMoney, methodsFor, paidElsewhere } from './refund-dialogs'

const maxRefunds = 500

/** A refund a bulk act skipped. */
export type SkippedRefund = { id: string; message: string }

type RefundBarProps = {
  chosen: readonly ListedRefund[]
  onDone: (skipped: readonly SkippedRefund[]) => void
  onClear: () => void
}

export const RefundBar = ({ chosen, onDone, onClear }: RefundBarProps) => {
  const [asking, setAsking] = useState(false)
  const ask = () =>
    chosen.length > maxRefunds
      ? adminToast({
          title: 'Error',
          text: `At most ${maxRefunds} refunds are completed at once`,
          kind: 'error',
        })
      : setAsking(true)
  return (
    <section
      aria-label="Selected refunds"
      className="sticky bottom-safe z-20 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-surface px-3 py-2.5 shadow-raised sm:px-4"
    >
      <p aria-live="polite" className="min-w-0 flex-1 text-sm">
        <strong>{`${counted(chosen.length, 'refund')} selected`}</strong>
        <span className="money text-muted">{`, ${kwacha(sumOf(chosen))}`}</span>
      </p>
      <IconButton icon="close" label="Clear selection" onClick={onClear} />
      <Button className="max-sm:basis-full" onClick={ask}>
        Complete Selected
      </Button>
      {asking ? <BulkDialog refunds={chosen} onDone={onDone} onClose={() => setAsking(false)} /> : null}
    </section>
  )
}

const sumOf = (refunds: readonly ListedRefund[]): number => kwachaSum(refunds.map(({ amount }) => amount))

const bulkForm = z.object({
  method: completeRefunds.body.shape.method,
  reference: z.string().check(z.trim(), z.maxLength(100)),
  note: z.string().check(z.trim(), z.maxLength(500)),
})

type BulkDialogProps = {
  refunds: readonly ListedRefund[]
  onDone: (skipped: readonly SkippedRefund[]) => void
  onClose: () => void
}

const BulkDialog = ({ refunds, onDone, onClose }: BulkDialogProps) => {
  const completing = useMutation(completeMany)
  const elsewhere = refunds.filter((refund) => paidElsewhere(refund) !== '').length
  const warning =
    elsewhere > 0 ? ` ${counted(elsewhere, 'was', 'were')} not paid from the family's number.` : ''
  return (
    <FormDialog
      title={`Complete ${counted(refunds.length, 'refund')}?`}
      description={`Record that ${kwacha(sumOf(refunds))} was paid back, each in full. This moves no money and cannot be undone.${warning}`}
      submit={`Complete ${counted(refunds.length, 'Refund')}`}
      busyLabel="Completing..."
      schema={bulkForm}
      defaultValues={{ method: methodsFor(refunds)[0], reference: '', note: '' }}
      onSave={async ({ method, reference, note }) => {
        const body = {
          ids: refunds.map(({ id }) => id),
          method,
          ...(reference ? { reference } : {}),
          ...(note ? { note } : {}),
        }
        const { completed, amount, skipped } = await completing.mutateAsync({
          body,
        })
        const left = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
        adminToast({
          title: 'Refunds completed',
          text: `${counted(completed, 'refund')} completed, ${kwacha(amount)}${left}`,
        })
        onDone(skipped)
      }}
      failed="Failed to complete refunds"
      onClose={onClose}
      className="grid gap-4 sm:grid-cols-2"
    >
      <FormField
        name="method"
        label="Method"
        options={methodsFor(refunds).map((value) => ({ value, label: methodLabel(value) }))}
      />
      <FormField name="reference" label="Reference (optional)" maxLength={100} autoComplete="off" />
      <FormField name="note" label="Note (optional)" className="sm:col-span-2" rows={2} maxLength={500} />
    </FormDialog>
  )
}

/** `went-back` and `not-back` record a card refund's outcome. */
export type RefundAct = 'approve' | 'withdraw' | 'complete' | 'card' | 'credit' | 'went-back' | 'not-back'

/** In this order; `aside` is never the main one. */
const acts: readonly {
  act: RefundAct
  allowed: keyof ListedRefund['allowed']
  label: string
  aside?: true
}[] = [
  { act: 'approve', allowed: 'approve', label: 'Approve' },
  { act: 'went-back', allowed: 'check', label: 'Refunded' },
  { act: 'not-back', allowed: 'check', label: 'Not Refunded', aside: true },
  { act: 'card', allowed: 'card', label: 'Back to the Card' },
  { act: 'complete', allowed: 'complete', label: 'Mark as Refunded' },
  { act: 'credit', allowed: 'complete', label: 'Turn into Credit', aside: true },
  { act: 'withdraw', allowed: 'withdraw', label: 'Withdraw', aside: true },
]

type RefundActionsProps = { refund: ListedRefund; onAsk: (act: RefundAct) => void }

/** Allowed acts, the main one first. */
export const RefundActions = ({ refund, onAsk }: RefundActionsProps) => (
  <div className="flex grow flex-col gap-2 @4xl:w-full">
    {acts
      .filter(({ allowed }) => refund.allowed[allowed])
      .map(({ act, aside, ...known }, place) => {
        const label = act === 'card' && isMobileMoney(refund) ? 'Back to the Phone' : known.label
        return (
          <Button
            key={act}
            size="sm"
            variant={place === 0 && !aside ? 'primary' : 'secondary'}
            className="w-full whitespace-nowrap"
            aria-label={`${label}: ${refund.menuItem.name} for ${refund.student.name}`}
            onClick={() => onAsk(act)}
          >
            {label}
          </Button>
        )
      })}
  </div>
)
