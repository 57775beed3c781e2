import { useState } from 'react'
import type { ListedRefund, RefundSort } from '#contracts/refunds'
import { capitalised, counted, gradeLabel, kwacha } from '../../lib/format'
import { classes } from '../../lib/classes'
import { payByLabel } from '../../lib/pay-by'
import { schoolDay } from '../../lib/school-moment'
import { Badge, type Tone } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Checkbox } from '../../ui/checkbox'
import { IconButton } from '../../ui/icon-button'
import { Notice } from '../../ui/notice'
import type { SortProps } from '../../ui/sort-head'
import { type StackedColumn, StackedTable, StackedCell, StackedRow } from '../../ui/stacked-table'
import { ApprovalDialog, ApprovalWords } from './approval'
import { CardCheckDialog, CardRefundDialog, CardRefundWords } from './card-refund'
import { CreditDialog } from './credit-dialog'
import { RefundActions, type RefundAct } from './refund-actions'
import { RefundBar, type SkippedRefund } from './refund-bar'
import { RefundDialog } from './refund-dialog'

export type RefundManagementProps = {
  onHistory: (asked: { refundId: string; title: string }) => void
}

const columns: readonly StackedColumn<RefundSort>[] = [
  { label: 'Select', hideLabel: true },
  { label: 'Date', by: 'date' },
  { label: 'Student', by: 'student' },
  { label: 'Menu Item', by: 'item' },
  { label: 'Parent' },
  { label: 'Amount', by: 'amount', className: 'text-right' },
  { label: 'Status', by: 'status' },
  { label: 'Actions', hideLabel: true },
]

type RefundListProps = RefundManagementProps & {
  refunds: ListedRefund[]
  /** The filters and the order of the list, written out; another list forgets the selection. */
  listed: string
  sorted: SortProps<RefundSort>
}

type Asked = { act: RefundAct; refund: ListedRefund }

/** The refunds of a page with the selection, which holds those of other pages of the same list too. */
export const RefundList = ({ refunds, listed, sorted, onHistory }: RefundListProps) => {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [skipped, setSkipped] = useState<readonly SkippedRefund[]>([])
  const { chosen, toggle, clear } = useChosen(listed)
  const open = refunds.filter(({ allowed }) => allowed.complete)
  const close = () => setAsked(null)
  return (
    <>
      <SkippedRefunds skipped={skipped} onRead={() => setSkipped([])} />
      {open.length > 0 ? (
        <Checkbox
          label="Select all on this page"
          checked={open.every(({ id }) => chosen.has(id))}
          onChange={() => toggle(open)}
          className="min-h-11! self-start px-2 text-sm font-semibold"
        />
      ) : null}
      <StackedTable label="Refunds" columns={columns} sorted={sorted}>
        {refunds.map((refund) => (
          <RefundRow
            key={refund.id}
            refund={refund}
            chosen={chosen.has(refund.id)}
            onToggle={() => toggle([refund])}
            onAsk={(act) => setAsked({ act, refund })}
            onHistory={() => onHistory({ refundId: refund.id, title: titleOf(refund) })}
          />
        ))}
      </StackedTable>
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

/** What is asked before an act on a refund. */
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

/** The chosen refunds by id, as they were when they were chosen; another list forgets them. */
const useChosen = (listed: string) => {
  const [ticked, setTicked] = useState<{ listed: string; refunds: ReadonlyMap<string, ListedRefund> }>({
    listed,
    refunds: new Map(),
  })
  const chosen: ReadonlyMap<string, ListedRefund> = ticked.listed === listed ? ticked.refunds : new Map()
  return {
    chosen,
    /** Selects these, or none of them when all were selected. */
    toggle: (some: readonly ListedRefund[]) => {
      const next = new Map(chosen)
      const all = some.every(({ id }) => next.has(id))
      for (const refund of some) {
        if (all) next.delete(refund.id)
        else next.set(refund.id, refund)
      }
      setTicked({ listed, refunds: next })
    },
    clear: () => setTicked({ listed, refunds: new Map() }),
  }
}

type SkippedRefundsProps = { skipped: readonly SkippedRefund[]; onRead: () => void }

const SkippedRefunds = ({ skipped, onRead }: SkippedRefundsProps) =>
  skipped.length === 0 ? null : (
    <Notice
      tone="warning"
      title={`${counted(skipped.length, 'refund was', 'refunds were')} skipped and stayed as before`}
    >
      <ul className="list-disc pl-4 break-words">
        {skipped.map(({ id, message }) => (
          <li key={id}>{`${id}: ${message}`}</li>
        ))}
      </ul>
      <Button variant="secondary" size="sm" onClick={onRead}>
        Got it
      </Button>
    </Notice>
  )

type RefundRowProps = {
  refund: ListedRefund
  chosen: boolean
  onToggle: () => void
  onAsk: (act: RefundAct) => void
  onHistory: () => void
}

/** One sum that is owed back or was paid back. */
const RefundRow = ({ refund, chosen, onToggle, onAsk, onHistory }: RefundRowProps) => (
  <StackedRow
    className={classes('@max-4xl:grid-cols-[auto_repeat(5,minmax(0,1fr))]!', chosen && 'bg-brand-50!')}
  >
    <StackedCell
      width="third"
      className="py-1.5! @max-4xl:order-1 @max-4xl:col-span-1! @max-4xl:py-0! @4xl:w-px"
    >
      {refund.allowed.complete ? (
        <Checkbox
          label={`Select ${titleOf(refund)}`}
          hideLabel
          checked={chosen}
          onChange={onToggle}
          className="min-h-11! min-w-9"
        />
      ) : null}
    </StackedCell>
    <StackedCell width="half" className="@max-4xl:order-1 @max-4xl:self-center @max-4xl:text-muted">
      <time dateTime={refund.orderDate} className="money">
        {schoolDay(refund.orderDate)}
      </time>
    </StackedCell>
    <StackedCell width="full" className="@max-4xl:order-3">
      <span className="font-semibold break-words">{refund.student.name}</span>{' '}
      <span className="text-xs text-muted @4xl:block">{gradeLabel(refund.student.grade)}</span>
    </StackedCell>
    <StackedCell width="full" className="@max-4xl:order-3">
      <span className="break-words">{refund.menuItem.name}</span>
      <span className="block text-xs break-words text-muted">
        {`${refund.reason}, since ${schoolDay(refund.dueSince)}`}
      </span>
    </StackedCell>
    <StackedCell width="full" className="@max-4xl:order-3">
      <ParentWords parent={refund.parent} />
      <span className="mt-1 block">{refund.payBy ? payByLabel(refund.payBy) : 'Nothing was to be paid'}</span>
      <span className="text-xs break-words text-muted">{refund.reference}</span>
    </StackedCell>
    <StackedCell width="third" className="text-right font-semibold @max-4xl:order-2 @max-4xl:self-center">
      <span className="money">{kwacha(refund.amount)}</span>
    </StackedCell>
    <StackedCell width="full" className="@max-4xl:order-4">
      <Badge tone={tones[refund.status]}>{capitalised(refund.status)}</Badge>
      <CardRefundWords card={refund.card} />
      {refund.creditNote ? (
        <span className="mt-1 block text-xs text-muted">{`Credit note ${refund.creditNote}`}</span>
      ) : null}
      <ApprovalWords refund={refund} />
    </StackedCell>
    <StackedCell width="full" className="@max-4xl:order-6 @4xl:w-px">
      <div className="flex items-start justify-end gap-1.5 @4xl:flex-col @4xl:items-end">
        <RefundActions refund={refund} onAsk={onAsk} />
        <IconButton
          icon="history"
          label={`History of ${refund.menuItem.name} for ${refund.student.name}`}
          onClick={onHistory}
        />
      </div>
    </StackedCell>
  </StackedRow>
)

const ParentWords = ({ parent }: Pick<ListedRefund, 'parent'>) =>
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

const tones: Record<ListedRefund['status'], Tone> = {
  pending: 'warning',
  completed: 'brand',
  cancelled: 'neutral',
  refunded: 'info',
}
