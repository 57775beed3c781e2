import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import {
  liveSorts,
  type LiveOrder,
  type LiveSort,
  liveStatuses,
  liveOrders,
  notPaidYet,
} from '#contracts/payments-console'
import { messageOf } from '../../lib/call'
import { counted, dayName } from '../../lib/format'
import { useListAddress, maxSearchLength, readFilters, type Sorting } from '../../lib/list-address'
import { schoolClock, schoolNow } from '../../lib/school-moment'
import { Card, CardBody } from '../../ui/card'
import { type StackedColumn, StackedTable } from '../../ui/data-table'
import { TextField } from '../../ui/field'
import { SortSelect, Filters, bothWays } from '../../ui/filters'
import { Icon } from '../../ui/icon'
import { PagedList } from '../../ui/paged-list'
import { EmptyState } from '../../ui/query-result'
import { Select } from '../../ui/select'
import type { SortProps } from '../../ui/sort-head'
import { LiveRow } from './live-row'
import { liveOrdersQuery, type OnHistory } from './live-text'

const filterColumns = [
  { key: 'time', label: 'Time' },
  { key: 'parent', label: 'Parent' },
  { key: 'student', label: 'Student' },
  { key: 'items', label: 'Items' },
  { key: 'amount', label: 'Amount' },
  { key: 'status', label: 'Status' },
  { key: 'transactionId', label: 'Transaction ID' },
  { key: 'week', label: 'Week' },
  { key: 'day', label: 'Day' },
] as const

/** Every payment attempt, read again by itself; filters, order and page are in the address. */
export const LiveOrders = ({ onHistory }: { onHistory: OnHistory }) => {
  const list = useListAddress(liveSorts, newestFirst)
  const filters = filtersFromAddress(list.address)
  const orders = useQuery(liveOrdersQuery({ ...list.query, ...filters }))
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  return (
    <Card>
      <CardBody className="flex flex-col gap-4 sm:px-3!">
        <FilterPanel
          key={JSON.stringify(filters)}
          filters={filters}
          onApply={(next) => list.onFilter(parametersOf(next))}
        />
        <PagedList
          query={orders}
          list={list}
          pages={({ pagination: { totalOrders, totalPages } }) => ({ total: totalOrders, totalPages })}
          failure="Failed to fetch orders"
          empty={<NoLiveOrders filtered={Object.keys(filters).length > 0} />}
          renderHead={(total) => <Freshness orders={orders} total={total} />}
        >
          {({ data }) => (
            <LiveTable
              orders={data}
              sorted={list.sorted}
              open={open}
              onToggle={toggle}
              onHistory={onHistory}
            />
          )}
        </PagedList>
      </CardBody>
    </Card>
  )
}

const NoLiveOrders = ({ filtered }: { filtered: boolean }) => (
  <EmptyState title="No Live Orders" icon="clock">
    {filtered
      ? 'No payment attempt matches these filters. Clear one of them to see more.'
      : 'Payment attempts appear here as soon as a family goes to pay.'}
  </EmptyState>
)

type FreshnessProps = {
  orders: { dataUpdatedAt: number; error: Error | null }
  total: number
}

/** One fixed line, so that nothing jumps. */
const Freshness = ({ orders, total }: FreshnessProps) => (
  <div className="flex min-h-6 flex-wrap items-center justify-between gap-x-4 text-sm text-muted">
    <p className="money whitespace-normal">{counted(total, 'payment attempt')}</p>
    {orders.error ? (
      <p role="alert" className="flex items-center gap-1.5 font-semibold text-danger-700">
        <Icon name="alert" size="sm" />
        {`Not refreshed since ${clock(orders.dataUpdatedAt)}. ${messageOf(orders.error, 'Failed to fetch orders')}`}
      </p>
    ) : (
      <p className="money whitespace-normal">{`Refreshed every 5 s · last at ${clock(orders.dataUpdatedAt)}`}</p>
    )}
  </div>
)

const clock = (at: number) => schoolClock(schoolNow(at))

type LiveTableProps = {
  orders: LiveOrder[]
  sorted: SortProps<LiveSort>
  open: ReadonlySet<string>
  onToggle: (id: string) => void
  onHistory: OnHistory
}

/** Parent, Student and Items share the rest. */
const widths: Partial<Record<FilterKey, string>> = {
  time: 'w-26',
  amount: 'w-22 text-right',
  status: 'w-30',
  transactionId: 'w-23',
  week: 'w-12',
  day: 'w-16',
}

const columns: readonly StackedColumn<LiveSort>[] = [
  { label: 'Details', hideLabel: true, className: 'w-9' },
  ...filterColumns.map(({ key, label }) => ({
    label,
    by: liveSorts.find((sort) => sort === key),
    className: widths[key],
  })),
  { label: 'Actions', hideLabel: true, className: 'w-20' },
]

/** The attempts of a page; each opens to its lines by child. */
const LiveTable = ({ orders, sorted, open, onToggle, onHistory }: LiveTableProps) => (
  <>
    <SortSelect choices={sortOrders} className="w-full sm:w-64 xl:hidden" {...sorted} />
    <StackedTable dense label="Payment attempts" columns={columns} sorted={sorted}>
      {orders.map((order) => (
        <LiveRow
          key={order.id}
          order={order}
          open={open.has(order.id)}
          onToggle={() => onToggle(order.id)}
          onHistory={onHistory}
          columns={columns.length}
        />
      ))}
    </StackedTable>
  </>
)

type FilterPanelProps = { filters: LiveFilters; onApply: (filters: LiveFilters) => void }

/** Applies on submit only. */
const FilterPanel = ({ filters, onApply }: FilterPanelProps) => {
  const { register, handleSubmit } = useForm({ resolver: zodResolver(liveFilters), defaultValues: filters })
  return (
    <Filters
      compact
      active={Object.keys(filters).length}
      columns="md:grid-cols-3 min-[68.75rem]:grid-cols-5"
      onSubmit={handleSubmit(onApply)}
      onClear={() => onApply({})}
    >
      {filterColumns.map(({ key, label }) => {
        const options = choices[key]
        return options ? (
          <Select key={key} {...register(key)} label={label} options={options} />
        ) : (
          <TextField
            key={key}
            {...register(key)}
            label={label}
            maxLength={maxSearchLength}
            autoComplete="off"
            inputMode={key === 'amount' ? 'decimal' : undefined}
            placeholder={placeholders[key]}
          />
        )
      })}
    </Filters>
  )
}

const choices: Partial<Record<FilterKey, readonly { value: string; label: string }[]>> = {
  status: [
    { value: '', label: 'Any status' },
    ...[...liveStatuses, notPaidYet].map((status) => ({ value: status, label: status })),
  ],
  week: [
    { value: '', label: 'Any week' },
    ...[1, 2, 3, 4, 5, 6].map((week) => ({ value: String(week), label: `Week ${week}` })),
  ],
  day: [
    { value: '', label: 'Any day' },
    ...[1, 2, 3, 4, 5].map((day) => ({ value: String(day), label: dayName(day) })),
  ],
}

const placeholders: Partial<Record<FilterKey, string>> = { time: '2026-09-16', amount: '45.00' }

type FilterKey = (typeof filterColumns)[number]['key']

/** Absent or empty: no filter. */
const liveFilters = z.pick(liveOrders.query, {
  time: true,
  parent: true,
  student: true,
  items: true,
  amount: true,
  status: true,
  transactionId: true,
  week: true,
  day: true,
})
type LiveFilters = z.infer<typeof liveFilters>

/** Cuts overlong filters. */
export const filtersFromAddress = (address: URLSearchParams): LiveFilters =>
  readFilters(
    address,
    liveFilters,
    filterColumns.map(({ key }) => key),
  )

/** Null for unset filters. */
export const parametersOf = (filters: LiveFilters): Record<FilterKey, string | null> =>
  Object.fromEntries(
    filterColumns.map(({ key }) => [key, filters[key]?.trim().slice(0, maxSearchLength) || null]),
  ) as Record<FilterKey, string | null>

const newestFirst: Sorting<LiveSort> = { sort: 'time', direction: 'desc' }

const sortOrders = [
  ...bothWays<LiveSort>('time', 'Time', 'age'),
  ...bothWays<LiveSort>('parent', 'Parent', 'text'),
  ...bothWays<LiveSort>('student', 'Student', 'text'),
  ...bothWays<LiveSort>('items', 'Items', 'text'),
  ...bothWays<LiveSort>('amount', 'Amount', 'number'),
  ...bothWays<LiveSort>('status', 'Status', 'text'),
  ...bothWays<LiveSort>('transactionId', 'Transaction ID', 'text'),
]
