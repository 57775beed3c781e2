import type { ReactNode } from 'react'
import type { CycleOrder, CycleOrderSort } from '#contracts/order-reports'
import { classes } from '../../lib/classes'
import { gradeLabel, kwacha } from '../../lib/format'
import { schoolClock, schoolDay } from '../../lib/school-moment'
import { Badge, OldPrice } from '../../ui/badge'
import { IconButton } from '../../ui/button'
import { Checkbox } from '../../ui/checkbox'
import { type DataColumn, DataTable } from '../../ui/data-table'
import { SortSelect } from '../../ui/filters'
import { SelectBox, type Selection } from '../../ui/selection'
import type { SortProps } from '../../ui/sort-head'
import { choices } from './filter-panel'
import { itemsOf, type OnHistory, statusLabels, statusTones, titleOf, weekAndDay } from './history-orders'

type RowActs = {
  selection: Selection<CycleOrder>
  /** A next page is loading: selection is off. */
  busy: boolean
  onHistory: OnHistory
}

type OrderTableProps = RowActs & {
  orders: readonly CycleOrder[]
  sorted: SortProps<CycleOrderSort>
  children: ReactNode
}

/** Rows with checkboxes. */
export const OrderTable = ({ orders, sorted, children, ...acts }: OrderTableProps) => (
  <>
    <SortSelect choices={choices} className="w-full sm:w-64 xl:hidden" {...sorted} />
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <SelectBox
        label="Select all on this page"
        rows={orders}
        selection={acts.selection}
        disabled={acts.busy || orders.length === 0}
        className="min-h-11! px-2 text-sm font-semibold"
      />
      {children}
    </div>
    <DataTable
      label="Orders"
      columns={columnsOf(acts)}
      rows={orders}
      keyOf={({ id }) => id}
      rowClass={({ id }) =>
        classes(
          '@max-4xl:grid-cols-[auto_repeat(5,minmax(0,1fr))]!',
          acts.selection.chosen.has(id) && 'bg-brand-50!',
        )
      }
      sorted={sorted}
    />
  </>
)

/** Two lines of three values on a tablet. */
const thirdOnTablet = '@xl:@max-4xl:col-span-2!'

const columnsOf = ({ selection, busy, onHistory }: RowActs): DataColumn<CycleOrder, CycleOrderSort>[] => [
  {
    label: 'Select',
    hideLabel: true,
    width: 'third',
    className: 'py-1.5! @max-4xl:order-1 @max-4xl:col-span-1! @max-4xl:py-0! @4xl:w-px',
    cell: (order) => (
      <Checkbox
        label={`Select ${titleOf(order)}`}
        hideLabel
        checked={selection.chosen.has(order.id)}
        disabled={busy}
        onChange={() => selection.toggle([order])}
        className="min-h-11! min-w-9"
      />
    ),
  },
  {
    label: 'Order Date',
    by: 'date',
    width: 'most',
    className: '@max-4xl:order-2 @max-4xl:self-center',
    cell: ({ orderDate }) => (
      <time dateTime={orderDate} className="money @max-4xl:text-muted">
        <span className="whitespace-nowrap">{schoolDay(orderDate)}</span>{' '}
        <span className="@4xl:block @4xl:text-muted">{schoolClock(orderDate)}</span>
      </time>
    ),
  },
  {
    label: 'Student',
    by: 'student',
    width: 'full',
    className: classes(thirdOnTablet, '@max-4xl:order-4'),
    cell: ({ student }) => (
      <>
        <span className="font-semibold break-words">{student.name}</span>{' '}
        <span className="text-xs text-muted @4xl:block">{gradeLabel(student.grade)}</span>
      </>
    ),
  },
  {
    label: 'Menu Item(s)',
    by: 'item',
    width: 'full',
    className: classes(thirdOnTablet, 'break-words @max-4xl:order-5'),
    cell: itemsOf,
  },
  {
    label: 'Week and Day',
    by: 'day',
    named: 'Week and day',
    width: 'half',
    className: classes(thirdOnTablet, '@max-4xl:order-7'),
    cell: weekAndDay,
  },
  {
    label: 'Details',
    width: 'full',
    className: classes(thirdOnTablet, '@max-4xl:order-6'),
    cell: (order) => <OrderDetails order={order} />,
  },
  {
    label: 'Price',
    by: 'price',
    named: true,
    headClass: 'text-right',
    width: 'half',
    className: classes(thirdOnTablet, '@max-4xl:order-8 @4xl:text-right'),
    cell: (order) => <OrderPrice order={order} />,
  },
  {
    label: 'Status',
    by: 'status',
    width: 'full',
    className: classes(thirdOnTablet, '@max-4xl:order-9 @xl:self-center'),
    cell: ({ status }) => <Badge tone={statusTones[status]}>{statusLabels[status]}</Badge>,
  },
  {
    label: 'History',
    hideLabel: true,
    width: 'third',
    className:
      'px-0! py-1.5! @max-4xl:order-3 @max-4xl:col-span-1! @max-4xl:py-0! @max-4xl:text-right @4xl:w-px',
    cell: (order) => (
      <IconButton
        icon="history"
        label={`History of ${titleOf(order)}`}
        onClick={() => onHistory({ orderId: order.id, title: titleOf(order) })}
      />
    ),
  },
]

const OrderDetails = ({ order: { category, sideDish, comments } }: { order: CycleOrder }) => {
  const chosen = [category, sideDish].filter(Boolean).join(' · ')
  return (
    <div className="text-sm break-words empty:hidden">
      {chosen ? <p className="first-letter:uppercase">{chosen}</p> : null}
      {comments ? <p className="text-xs text-muted">{`“${comments}”`}</p> : null}
    </div>
  )
}

const OrderPrice = ({ order }: { order: CycleOrder }) => (
  <span className="money font-semibold">
    {order.originalPrice > order.discountedPrice ? (
      <OldPrice price={order.originalPrice} className="font-normal text-muted @4xl:block @max-4xl:mr-1.5" />
    ) : null}
    {kwacha(order.discountedPrice)}
    {order.paymentStatus === 'pending' ? (
      <span className="block text-xs font-normal text-warning-700">Not paid yet</span>
    ) : null}
  </span>
)
