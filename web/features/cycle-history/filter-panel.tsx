import { useQuery } from '@tanstack/react-query'
import { grades, type Grade } from '#contracts/identity'
import type { CycleOrderSort } from '#contracts/order-reports'
import { orderStatuses, type OrderStatus } from '#contracts/ordering'
import { classes } from '../../lib/classes'
import { dayName, gradeLabel } from '../../lib/format'
import type { Sorting } from '../../lib/list-address'
import { schoolDay } from '../../lib/school-moment'
import { menuQuery } from '../../queries/catalogue'
import { cyclesQuery } from '../../queries/cycles'
import { classesQuery } from '../../queries/identity'
import { Button } from '../../ui/button'
import { Filters, bothWays } from '../../ui/filters'
import { type Choice, Select } from '../../ui/select'
import { statusLabels } from './history-orders'

type FilterPanelProps = {
  filters: HistoryFilters
  onFilter: (key: FilterKey, value: string) => void
  onClear: () => void
}

export const FilterPanel = ({ filters, onFilter, onClear }: FilterPanelProps) => (
  <Filters active={Object.keys(filters).length} columns="md:grid-cols-3 lg:grid-cols-4" onClear={onClear}>
    <ChoicesFilters filters={filters} onFilter={onFilter} />
  </Filters>
)

const numbered = (count: number, label: (value: number) => string): Choice[] =>
  Array.from({ length: count }, (_, at) => ({ value: String(at + 1), label: label(at + 1) }))

const ChoicesFilters = ({ filters, onFilter }: Omit<FilterPanelProps, 'onClear'>) => {
  const cycles = useQuery(cyclesQuery)
  const menu = useQuery(menuQuery)
  const classNames = useQuery(classesQuery)
  const select = (key: FilterKey, label: string, all: string, options: Choice[], failure?: Failure) => (
    <FilterSelect
      label={label}
      all={all}
      value={String(filters[key] ?? '')}
      options={options}
      failure={failure}
      wide={!narrow.includes(key)}
      onChange={(value) => onFilter(key, value)}
    />
  )
  return (
    <>
      {select('cycleId', 'Cycle', 'All Cycles', cycleChoices(cycles.data ?? []), {
        words: cycles.error ? 'Failed to fetch cycles' : undefined,
        retry: () => void cycles.refetch(),
      })}
      {select(
        'weekNumber',
        'Week',
        'All Weeks',
        numbered(6, (week) => `Week ${week}`),
      )}
      {select('dayOfWeek', 'Day', 'All Days', numbered(5, dayName))}
      {select(
        'status',
        'Status',
        'All Statuses',
        orderStatuses.map((value) => ({ value, label: statusLabels[value] })),
      )}
      {select('menuItemId', 'Menu Item', 'All Items', itemChoices(menu.data ?? []), {
        words: menu.error ? 'Failed to fetch menu items' : undefined,
        retry: () => void menu.refetch(),
      })}
      {select(
        'grade',
        'Grade',
        'All Grades',
        grades.map((value) => ({ value, label: gradeLabel(value) })),
      )}
      {select('class', 'Class', 'All Classes', classNames.data?.data.map(asChoice) ?? [], {
        words: classNames.error ? 'Failed to fetch classes' : undefined,
        retry: () => void classNames.refetch(),
      })}
    </>
  )
}

/** Two beside each other on a phone. */
const narrow: readonly FilterKey[] = ['weekNumber', 'dayOfWeek', 'grade', 'class']

const asChoice = (value: string): Choice => ({ value, label: value })

type Cycle = { id: number; startDate: string; endDate: string; isActive: boolean }

const cycleChoices = (cycles: readonly Cycle[]): Choice[] =>
  cycles.map(({ id, startDate, endDate, isActive }) => ({
    value: String(id),
    label: `${schoolDay(startDate)} – ${schoolDay(endDate)}${isActive ? ' (active)' : ''}`,
  }))

const itemChoices = (items: readonly { id: number; name: string; isArchived: boolean }[]): Choice[] =>
  items
    .map(({ id, name, isArchived }) => ({
      value: String(id),
      label: isArchived ? `${name} (archived)` : name,
    }))
    .toSorted((one, other) => one.label.localeCompare(other.label))

const unknownLabel = (value: string): string => (Number.isInteger(Number(value)) ? `Number ${value}` : value)

type Failure = { words: string | undefined; retry: () => void }

type FilterSelectProps = {
  label: string
  all: string
  value: string
  options: Choice[]
  failure: Failure | undefined
  /** Full width on a phone. */
  wide: boolean
  onChange: (value: string) => void
}

const FilterSelect = ({ label, all, value, options, failure, wide, onChange }: FilterSelectProps) => {
  const known = value === '' || options.some((option) => option.value === value)
  return (
    <div className={classes('min-w-0', wide && 'max-md:col-span-2')}>
      <Select
        label={label}
        value={value}
        error={failure?.words}
        options={[
          { value: '', label: all },
          ...(known ? options : [{ value, label: unknownLabel(value) }, ...options]),
        ]}
        onChange={(event) => onChange(event.target.value)}
      />
      {failure?.words ? (
        <Button variant="ghost" size="sm" icon="refresh" onClick={failure.retry}>
          Try again
        </Button>
      ) : null}
    </div>
  )
}

/** An absent filter takes all. Weeks 1–6, days 1–5. */
export type HistoryFilters = {
  cycleId?: number
  weekNumber?: number
  dayOfWeek?: number
  status?: OrderStatus
  menuItemId?: number
  grade?: Grade
  class?: string
}
export type FilterKey = keyof HistoryFilters

const lastId = 999_999_999
const numbers = { cycleId: lastId, weekNumber: 6, dayOfWeek: 5, menuItemId: lastId } as const
const numberKeys = Object.keys(numbers) as (keyof typeof numbers)[]

/** Ignores invalid values. */
export const filtersFromAddress = (search: URLSearchParams): HistoryFilters => {
  const filters: HistoryFilters = {}
  for (const key of numberKeys) {
    const text = search.get(key)
    const value = Number(text)
    if (text && Number.isInteger(value) && value >= 1 && value <= numbers[key]) filters[key] = value
  }
  const status = orderStatuses.find((one) => one === search.get('status'))
  const grade = grades.find((one) => one === search.get('grade'))
  const inClass = search.get('class')?.trim().slice(0, 20)
  return {
    ...filters,
    ...(status && { status }),
    ...(grade && { grade }),
    ...(inClass && { class: inClass }),
  }
}

export const noFilters: Record<FilterKey, null> = {
  cycleId: null,
  weekNumber: null,
  dayOfWeek: null,
  status: null,
  menuItemId: null,
  grade: null,
  class: null,
}

export const newestFirst: Sorting<CycleOrderSort> = { sort: 'date', direction: 'desc' }

export const choices = [
  ...bothWays<CycleOrderSort>('date', 'Order Date', 'age'),
  ...bothWays<CycleOrderSort>('student', 'Student', 'text'),
  ...bothWays<CycleOrderSort>('item', 'Menu Item(s)', 'text'),
  ...bothWays<CycleOrderSort>('day', 'Week and Day', 'number'),
  ...bothWays<CycleOrderSort>('price', 'Price', 'number'),
  ...bothWays<CycleOrderSort>('status', 'Status', 'text'),
]
