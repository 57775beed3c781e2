import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { liveStatuses, liveOrders, type LiveSort } from '#contracts/payments-console'
import { dayName } from '../../lib/format'
import { longestSearch, readFilters, type Sorting } from '../../lib/list-address'
import { Filters } from '../../ui/filters'
import { Select } from '../../ui/select'
import { TextField } from '../../ui/text-field'
import { bothWays } from '../../ui/list-filters'

type FilterPanelProps = { filters: LiveFilters; onApply: (filters: LiveFilters) => void }

/** A filter per column; nothing is asked before 'Apply Filters' or Enter. */
export const FilterPanel = ({ filters, onApply }: FilterPanelProps) => {
  const { register, handleSubmit } = useForm({ resolver: zodResolver(liveFilters), defaultValues: filters })
  return (
    <Filters
      compact
      active={Object.keys(filters).length}
      columns="md:grid-cols-3 lg:grid-cols-5"
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
            maxLength={longestSearch}
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
    ...liveStatuses.map((status) => ({ value: status, label: status })),
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

/** The columns that can be filtered, by their names on the wire and in the address. */
export const filterColumns = [
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

export type FilterKey = (typeof filterColumns)[number]['key']

/** What the list is filtered by; a column without a filter is absent or empty. */
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
export type LiveFilters = z.infer<typeof liveFilters>

/** What the address asks for; a filter that is too long is cut. */
export const filtersFromAddress = (address: URLSearchParams): LiveFilters =>
  readFilters(
    address,
    liveFilters,
    filterColumns.map(({ key }) => key),
  )

/** These filters as parameters of the address; null for one that is not set. */
export const parametersOf = (filters: LiveFilters): Record<FilterKey, string | null> =>
  Object.fromEntries(
    filterColumns.map(({ key }) => [key, filters[key]?.trim().slice(0, longestSearch) || null]),
  ) as Record<FilterKey, string | null>

export const newestFirst: Sorting<LiveSort> = { sort: 'time', direction: 'desc' }

export const orders = [
  ...bothWays<LiveSort>('time', 'Time', 'age'),
  ...bothWays<LiveSort>('parent', 'Parent', 'text'),
  ...bothWays<LiveSort>('student', 'Student', 'text'),
  ...bothWays<LiveSort>('items', 'Items', 'text'),
  ...bothWays<LiveSort>('amount', 'Amount', 'number'),
  ...bothWays<LiveSort>('status', 'Status', 'text'),
  ...bothWays<LiveSort>('transactionId', 'Transaction ID', 'text'),
]
