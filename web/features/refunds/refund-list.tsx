import { useState } from 'react'
import type { Proof } from '#contracts/credit'
import type { ListedRefund, RefundSort } from '#contracts/refunds'
import { classes } from '../../lib/classes'
import { capitalised, counted, gradeLabel, kwacha, paidFromText, payByLabel } from '../../lib/format'
import { schoolDay } from '../../lib/school-moment'
import { Badge, type Tone } from '../../ui/badge'
import { IconButton } from '../../ui/button'
import { Checkbox } from '../../ui/checkbox'
import { type DataColumn, DataTable } from '../../ui/data-table'
import { SkippedNotice } from '../../ui/notice'
import { useSelection } from '../../ui/selection'
import type { SortProps } from '../../ui/sort-head'
import { RefundActions, type RefundAct, RefundBar, type SkippedRefund } from './refund-bar'
import {
  ApprovalDialog,
  ApprovalText,
  CardCheckDialog,
  CardRefundDialog,
  CardRefundText,
  CreditDialog,
  RefundDialog,
} from './refund-dialogs'

export type RefundManagementProps = {
  onHistory: (asked: { refundId: string; title: string }) => void
}

type RefundListProps = RefundManagementProps & {
  refunds: ListedRefund[]
  /** Identifies filters and order; another list clears the selection. */
  listed: string
  sorted: SortProps<RefundSort>
}

type Asked = { act: RefundAct; refund: ListedRefund }

export const RefundList = ({ refunds, listed, sorted, onHistory }: RefundListProps) => {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [skipped, setSkipped] = useState<readonly SkippedRefund[]>([])
  const { chosen, toggle, clear } = useSelection<ListedRefund>(listed)
  const open = refunds.filter(({ allowed }) => allowed.complete)
  const close = () => setAsked(null)
  return (
    <>
      <SkippedNotice
        title={`${counted(skipped.length, 'refund was', 'refunds were')} skipped and stayed as before`}
        skipped={skipped.map(({ id, message }) => ({ id, words: `${id}: ${message}` }))}
        onRead={() => setSkipped([])}
      />
      {open.length > 0 ? (
        <Checkbox
          label="Select all on this page"
          checked={open.every(({ id }) => chosen.has(id))}
          onChange={() => toggle(open)}
          className="min-h-11! self-start px-2 text-sm font-semibold"
        />
      ) : null}
      <DataTable
        label="Refunds"
        columns={columnsOf({
          isChosen: ({ id }) => chosen.has(id),
          onToggle: (refund) => toggle([refund]),
          onAsk: setAsked,
          onHistory: (refund) => onHistory({ refundId: refund.id, title: titleOf(refund) }),
        })}
        rows={refunds}
        keyOf={({ id }) => id}
        rowClass={({ id }) =>
          classes('@max-4xl:grid-cols-[auto_repeat(5,minmax(0,1fr))]!', chosen.has(id) && 'bg-brand-50!')
        }
        sorted={sorted}
      />
      {chosen.size > 0 ? (
        <RefundBar
          chosen={[...chosen.values()]}
          onDone={(left) => {
            setSkipped(left)
            clear()
          }}
          onClear={clear}
        />
      ) : null}
      {asked ? <ActDialog key={asked.refund.id} {...asked} onClose={close} /> : null}
    </>
  )
}

const ActDialog = ({ act, refund, onClose }: Asked & { onClose: () => void }) => {
  switch (act) {
    case 'complete':
      return <RefundDialog refund={refund} onClose={onClose} />
    case 'approve':
    case 'withdraw':
      return <ApprovalDialog act={act} refund={refund} onClose={onClose} />
    case 'credit':
      return <CreditDialog refund={refund} onClose={onClose} />
    case 'card':
      return <CardRefundDialog refund={refund} onClose={onClose} />
    case 'went-back':
    case 'not-back':
      return <CardCheckDialog refund={refund} wentBack={act === 'went-back'} onClose={onClose} />
  }
}

const titleOf = ({ menuItem, student, amount }: ListedRefund): string =>
  `${menuItem.name} for ${student.name}, ${kwacha(amount)}`

type RowActs = {
  isChosen: (refund: ListedRefund) => boolean
  onToggle: (refund: ListedRefund) => void
  onAsk: (asked: Asked) => void
  onHistory: (refund: ListedRefund) => void
}

const columnsOf = ({
  isChosen,
  onToggle,
  onAsk,
  onHistory,
}: RowActs): DataColumn<ListedRefund, RefundSort>[] => [
  {
    label: 'Select',
    hideLabel: true,
    width: 'third',
    className: 'py-1.5! @max-4xl:order-1 @max-4xl:col-span-1! @max-4xl:py-0! @4xl:w-px',
    cell: (refund) =>
      refund.allowed.complete ? (
        <Checkbox
          label={`Select ${titleOf(refund)}`}
          hideLabel
          checked={isChosen(refund)}
          onChange={() => onToggle(refund)}
          className="min-h-11! min-w-9"
        />
      ) : null,
  },
  {
    label: 'Date',
    by: 'date',
    width: 'half',
    className: '@max-4xl:order-1 @max-4xl:self-center @max-4xl:text-muted',
    cell: ({ orderDate }) => (
      <time dateTime={orderDate} className="money">
        {schoolDay(orderDate)}
      </time>
    ),
  },
  {
    label: 'Student',
    by: 'student',
    width: 'full',
    className: '@max-4xl:order-3',
    cell: ({ student }) => (
      <>
        <span className="font-semibold break-words">{student.name}</span>{' '}
        <span className="text-xs text-muted @4xl:block">{gradeLabel(student.grade)}</span>
      </>
    ),
  },
  {
    label: 'Menu Item',
    by: 'item',
    width: 'full',
    className: '@max-4xl:order-3',
    cell: ({ menuItem, reason, dueSince }) => (
      <>
        <span className="break-words">{menuItem.name}</span>
        <span className="block text-xs break-words text-muted">
          {`${reason}, since ${schoolDay(dueSince)}`}
        </span>
      </>
    ),
  },
  {
    label: 'Parent',
    width: 'full',
    className: '@max-4xl:order-3',
    cell: ({ parent, payBy, paidFrom, reference, proof }) => (
      <>
        <ParentText parent={parent} />
        <span className="mt-1 block">{payBy ? payByLabel(payBy) : 'Nothing was to be paid'}</span>
        {paidFrom ? (
          <span className={classes('block break-words', !paidFrom.own && 'font-semibold text-danger-700')}>
            {paidFromText(paidFrom)}
          </span>
        ) : null}
        <span className="text-xs break-words text-muted">{reference}</span>
        {proof ? <span className="block text-xs">{proofText[proof]}</span> : null}
      </>
    ),
  },
  {
    label: 'Amount',
    by: 'amount',
    headClass: 'text-right',
    width: 'third',
    className: 'text-right font-semibold @max-4xl:order-2 @max-4xl:self-center',
    cell: ({ amount }) => <span className="money">{kwacha(amount)}</span>,
  },
  {
    label: 'Status',
    by: 'status',
    width: 'full',
    className: '@max-4xl:order-4',
    cell: (refund) => <StatusText refund={refund} />,
  },
  {
    label: 'Actions',
    hideLabel: true,
    width: 'full',
    className: '@max-4xl:order-6 @4xl:w-px',
    cell: (refund) => (
      <div className="flex items-start justify-end gap-2 @4xl:flex-col @4xl:items-end">
        <RefundActions refund={refund} onAsk={(act) => onAsk({ act, refund })} />
        <IconButton
          icon="history"
          label={`History of ${refund.menuItem.name} for ${refund.student.name}`}
          onClick={() => onHistory(refund)}
        />
      </div>
    ),
  },
]

const StatusText = ({ refund }: { refund: ListedRefund }) => (
  <>
    <Badge tone={tones[refund.status]}>{capitalised(refund.status)}</Badge>
    {refund.paidBack === undefined ? null : (
      <span className="mt-1 block text-xs">
        {`${kwacha(refund.paidBack)} paid back, ${kwacha(refund.amount)} still owed`}
      </span>
    )}
    <CardRefundText card={refund.card} />
    {refund.creditNote ? (
      <span className="mt-1 block text-xs text-muted">{`Credit note ${refund.creditNote}`}</span>
    ) : null}
    <ApprovalText refund={refund} />
  </>
)

const ParentText = ({ parent }: Pick<ListedRefund, 'parent'>) =>
  parent === null ? (
    <span className="text-muted">Deleted account</span>
  ) : (
    <>
      <span className="block break-words">{parent.name}</span>
      <span className="block text-xs break-words text-muted">{parent.username}</span>
      {parent.phone ? (
        <a href={`tel:${parent.phone}`} className="money text-xs whitespace-nowrap underline">
          {parent.phone}
        </a>
      ) : null}
    </>
  )

const proofText: Record<Proof, string> = {
  provider: 'Proven by the provider',
  statement: 'On a statement',
  till: 'In the till',
  'not on any statement': 'Not on any statement',
}

const tones: Record<ListedRefund['status'], Tone> = {
  pending: 'warning',
  completed: 'brand',
  cancelled: 'neutral',
  refunded: 'info',
}
