import { useId, useState } from 'react'
import type { PendingGroup, PendingSort } from '#contracts/transfers'
import { classes } from '../../lib/classes'
import { counted, kwacha, kwachaSum, payByLabel } from '../../lib/format'
import { dateAndTime, schoolDay } from '../../lib/school-moment'
import { Breakable } from '../../ui/badge'
import { IconButton } from '../../ui/button'
import { type StackedColumn, StackedCell, StackedRow, StackedTable } from '../../ui/data-table'
import { type Choosing, SelectBox } from '../../ui/selection'
import type { SortProps } from '../../ui/sort-head'
import { OrderBox, type PendingOrder, PhoneLink } from './pending-groups'

/** Unpaid meals of one reference: what one payment is expected for. */
type Transfer = {
  group: PendingGroup
  reference: string
  orders: PendingOrder[]
  /** Once per family, on its first row. */
  lapsesAt: string | null
}

const transfersOf = (groups: readonly PendingGroup[]): Transfer[] =>
  groups.flatMap((group) =>
    [...new Set(group.orders.map(({ reference }) => reference))].map((reference, at) => ({
      group,
      reference,
      orders: group.orders.filter((order) => order.reference === reference),
      lapsesAt: at === 0 ? group.lapsesAt : null,
    })),
  )

const columns: readonly StackedColumn<PendingSort>[] = [
  { label: 'Select', hideLabel: true, className: 'w-9' },
  { label: 'Parent', by: 'parent', className: 'w-62' },
  { label: 'Student' },
  { label: 'Reference', className: 'w-26' },
  { label: 'Amount', by: 'amount', className: 'w-23 text-right' },
  { label: 'Waiting since', by: 'waiting', className: 'w-36' },
  { label: 'Status', className: 'w-33' },
  { label: 'Meals', hideLabel: true, className: 'w-10' },
]

type TransferTableProps = {
  groups: readonly PendingGroup[]
  selection: Choosing<PendingOrder>
  sorted: SortProps<PendingSort>
}

/** A row a reference, those of a parent together. */
export const TransferTable = ({ groups, selection, sorted }: TransferTableProps) => (
  <StackedTable dense label="Pending payments" columns={columns} sorted={sorted}>
    {transfersOf(groups).map((transfer) => (
      <TransferRow
        key={`${transfer.group.parentId} ${transfer.reference}`}
        transfer={transfer}
        selection={selection}
      />
    ))}
  </StackedTable>
)

type TransferRowProps = { transfer: Transfer; selection: Choosing<PendingOrder> }

const small = '@4xl:py-px! @4xl:leading-4 @4xl:align-middle'

const TransferRow = ({ transfer, selection }: TransferRowProps) => {
  const { group, reference, orders, lapsesAt } = transfer
  const [open, setOpen] = useState(false)
  const id = useId()
  const isChosen = orders.every((order) => selection.chosen.has(order.id))
  const since = orders.map(({ orderDate }) => orderDate).toSorted()[0]!
  return (
    <>
      <StackedRow className={classes(isChosen && 'bg-brand-50', open && '@max-4xl:rounded-b-none')}>
        <StackedCell width="third" className={classes(small, '@max-4xl:col-span-1! @max-4xl:order-1')}>
          <SelectBox
            label={<span className="sr-only">Select</span>}
            name={`Select ${reference} of ${group.parentUsername}`}
            rows={orders}
            selection={selection}
            className="min-h-8!"
          />
        </StackedCell>
        <StackedCell width="most" className={classes(small, '@max-4xl:order-2')}>
          <Parent {...group} />
        </StackedCell>
        <StackedCell label="Student" className={classes(small, '@max-4xl:order-4')}>
          <span className="block @4xl:line-clamp-1">{namesOf(orders)}</span>
          <span className="text-muted">{counted(orders.length, 'order')}</span>
        </StackedCell>
        <StackedCell label="Reference" className={classes(small, '@max-4xl:order-6')}>
          <span className="money font-semibold">{reference}</span>
        </StackedCell>
        <StackedCell label="Amount" className={classes(small, '@4xl:text-right @max-4xl:order-5')}>
          <strong className="money">{kwacha(kwachaSum(orders.map(({ amount }) => amount)))}</strong>
        </StackedCell>
        <StackedCell label="Waiting since" className={classes(small, '@max-4xl:order-7')}>
          <span className="money">{schoolDay(since)}</span>
          <span className="block text-muted @4xl:truncate">{payByLabel(orders[0]!.payBy)}</span>
          {lapsesAt === null ? null : (
            <span className="block font-semibold text-danger-700">
              {`Cancelled unless paid until ${dateAndTime(lapsesAt)}`}
            </span>
          )}
        </StackedCell>
        <StackedCell width="full" className={classes(small, 'whitespace-nowrap @max-4xl:order-8')}>
          <span className="font-semibold text-warning-700">Payment Pending</span>
        </StackedCell>
        <StackedCell width="third" className={classes(small, 'px-0! @max-4xl:order-3 @max-4xl:col-span-1!')}>
          <IconButton
            icon={open ? 'chevron-up' : 'chevron-down'}
            label={`${open ? 'Hide' : 'Show'} the meals of ${reference}`}
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            className="@4xl:min-h-8! @4xl:min-w-8!"
            onClick={() => setOpen(!open)}
          />
        </StackedCell>
      </StackedRow>
      {open ? (
        <tr
          id={id}
          className="bg-sand-50 @max-4xl:-mt-3 @max-4xl:block @max-4xl:rounded-b-md @max-4xl:border @max-4xl:border-t-0 @max-4xl:border-line"
        >
          <td colSpan={columns.length} className="@max-4xl:block">
            <ul aria-label={`Meals of ${reference}`} className="divide-y divide-line">
              {orders.map((order) => (
                <OrderBox
                  key={order.id}
                  order={order}
                  chosen={selection.chosen.has(order.id)}
                  onSwitch={() => selection.toggle([order])}
                />
              ))}
            </ul>
          </td>
        </tr>
      ) : null}
    </>
  )
}

const namesOf = (orders: readonly PendingOrder[]): string =>
  [...new Set(orders.map(({ student }) => student.name))].join(', ')

const Parent = ({ parentName, parentUsername, parentPhone }: PendingGroup) => (
  <>
    <span className="block font-semibold">{parentName || <Breakable text={parentUsername} />}</span>
    <span className="flex gap-x-2 text-muted @max-4xl:flex-wrap">
      {parentName ? <span className="min-w-0 break-words @4xl:truncate">{parentUsername}</span> : null}
      {parentPhone ? <PhoneLink phone={parentPhone} /> : null}
    </span>
  </>
)
