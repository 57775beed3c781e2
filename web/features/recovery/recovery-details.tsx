import { zodResolver } from '@hookform/resolvers/zod'
import { useController, useForm } from 'react-hook-form'
import type { AmendedLine, FailedOrder } from '#contracts/payments-console'
import { counted, kwacha, paidWithText } from '../../lib/format'
import { dateAndTime } from '../../lib/school-moment'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Notice } from '../../ui/notice'
import { amendedLines, isChange, charged, statusTone, unresolved } from './amendments'
import { RecoveryLines } from './recovery-lines'

type DetailsActs = {
  /** Answers whether the orders are made. */
  onRetry: (amendments: readonly AmendedLine[]) => Promise<boolean>
  retrying: boolean
  onAccept: () => void
  onWaive: () => void
  onHistory: () => void
  onClose: () => void
}

type RecoveryDetailsProps = DetailsActs & { order: FailedOrder }

/** With the acts the server allows. */
export const RecoveryDetails = ({ order, onRetry, onClose, ...acts }: RecoveryDetailsProps) => {
  const { control, handleSubmit } = useForm({
    resolver: zodResolver(amendedLines),
    defaultValues: { cartItems: [] },
  })
  const {
    field: { value: amendments, onChange },
  } = useController({ control, name: 'cartItems' })
  const changes = order.cartItems.filter((line) => amendments.some((amendment) => isChange(line, amendment)))
  const retry = handleSubmit(async ({ cartItems }) => {
    if (await onRetry(cartItems)) onClose()
  })
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Order Details"
      actions={
        <DetailsActions order={order} changes={changes.length} onRetry={() => void retry()} {...acts} />
      }
    >
      <div className="flex flex-col gap-4">
        <Facts order={order} onHistory={acts.onHistory} />
        <RecoveryLines order={order} amendments={amendments} onAmend={onChange} />
      </div>
    </Dialog>
  )
}

const Facts = ({ order, onHistory }: { order: FailedOrder; onHistory: () => void }) => {
  const open = unresolved(order)
  const facts: [string, string][] = [
    ['Date', dateAndTime(order.orderDate)],
    ['Customer', order.parentName ? `${order.parentName} (${order.customer})` : order.customer],
    ['Amount', kwacha(order.amount)],
    ['Received', order.receivedAmount === null ? 'Not known' : kwacha(order.receivedAmount)],
    ['Payment ref', order.paymentRef],
  ]
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={statusTone(order.status)}>{order.status}</Badge>
        {open.length > 0 ? (
          <span className="text-sm text-muted">{`${counted(open.length, 'meal')} without an order, ${kwacha(charged(open))}`}</span>
        ) : null}
        <Button size="sm" variant="ghost" icon="history" className="ml-auto" onClick={onHistory}>
          History
        </Button>
      </div>
      <dl className="grid grid-cols-1 gap-x-6 gap-y-2 text-sm sm:grid-cols-2">
        {facts.map(([term, value]) => (
          <div key={term} className="min-w-0">
            <dt className="text-xs font-semibold text-muted">{term}</dt>
            <dd className="font-semibold break-all">{value}</dd>
          </div>
        ))}
      </dl>
      {order.paidWith === null ? null : (
        <Notice>{`${paidWithText(order.paidWith)}. There is nothing left to do.`}</Notice>
      )}
      {order.error ? (
        <div className="rounded-md bg-danger-50 px-3 py-2 text-sm">
          <p className="font-semibold text-danger-700">Error</p>
          <p className="break-words">{order.error}</p>
        </div>
      ) : null}
    </>
  )
}

type DetailsActionsProps = Omit<DetailsActs, 'onRetry' | 'onClose' | 'onHistory'> & {
  order: FailedOrder
  changes: number
  onRetry: () => void
}

const DetailsActions = ({ order: { allowed }, changes, ...acts }: DetailsActionsProps) => (
  <>
    {allowed.waive ? (
      <Button variant="secondary" icon="refund" disabled={acts.retrying} onClick={acts.onWaive}>
        Give Money Back
      </Button>
    ) : null}
    {allowed.accept ? (
      <Button variant="secondary" icon="check" disabled={acts.retrying} onClick={acts.onAccept}>
        Accept Payment
      </Button>
    ) : null}
    {allowed.retry ? (
      <Button icon="refresh" busy={acts.retrying} onClick={acts.onRetry}>
        {changes > 0 ? `Retry with ${counted(changes, 'change')}` : 'Retry'}
      </Button>
    ) : null}
  </>
)
