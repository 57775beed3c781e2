import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { useSearchParams } from 'react-router-dom'
import * as z from 'zod/mini'
import {
  type EntrySort,
  entrySorts,
  auditKinds,
  auditExport,
  type AuditKind,
  auditEntries,
} from '#contracts/audit'
import type { QueryOf } from '#contracts/endpoint'
import { listQuery } from '../../lib/endpoint-query'
import { downloadFrom } from '../../lib/files'
import { counted } from '../../lib/format'
import { lazyComponent } from '../../lib/lazy'
import { type Sorting, useListAddress } from '../../lib/list-address'
import { plainNumber } from '../../lib/typed-number'
import { Button } from '../../ui/button'
import { Card, CardBody } from '../../ui/card'
import { Filters } from '../../ui/filters'
import { FormField } from '../../ui/form'
import { PagedList, ListCount } from '../../ui/paged-list'
import { SkeletonLines, EmptyState } from '../../ui/query-result'
import { Tabs } from '../../ui/tabs'
import { EntryList, kindLabels, type OnHistory } from './entry-list'

const DayEnd = lazyComponent(() => import('./day-end/day-end').then((m) => m.DayEnd))

const Month = lazyComponent(() => import('./month').then((m) => m.Month))

const Settlements = lazyComponent(() => import('./settlements/settlements').then((m) => m.Settlements))

const tabs = [
  { key: 'history', label: 'History' },
  { key: 'day-end', label: 'Day end' },
  { key: 'month', label: 'Month' },
  { key: 'settlements', label: 'Settlements' },
] as const
type TabKey = (typeof tabs)[number]['key']

const parts = { history: null, 'day-end': DayEnd, month: Month, settlements: Settlements } as const

/** The part is in the address. */
export const BooksParts = ({ onHistory }: { onHistory: OnHistory }) => {
  const [search, setSearch] = useSearchParams()
  const current = tabs.find((tab) => tab.key === search.get('books')) ?? tabs[0]
  const Part = parts[current.key]
  const choose = (key: TabKey) => {
    const next = new URLSearchParams({ section: 'history', tab: 'books' })
    if (key !== tabs[0].key) next.set('books', key)
    setSearch(next, { replace: true })
  }
  return (
    <Tabs label="Books" tabs={tabs} current={current.key} onChange={choose}>
      {Part === null ? (
        <Books onHistory={onHistory} />
      ) : (
        <Suspense fallback={<SkeletonLines lines={6} />}>
          <Part />
        </Suspense>
      )}
    </Tabs>
  )
}

const newestFirst: Sorting<EntrySort> = { sort: 'time', direction: 'desc' }

export const Books = ({ onHistory }: { onHistory: OnHistory }) => {
  const list = useListAddress(entrySorts, newestFirst)
  const filters = filtersFromAddress(list.address)
  const entries = useQuery(entriesQuery({ ...list.query, ...filters }))
  return (
    <Card>
      <CardBody className="flex flex-col gap-4">
        <FilterForm
          key={JSON.stringify(filters)}
          filters={filters}
          onApply={(next) => list.onFilter(parametersOf(next))}
        />
        <PagedList
          query={entries}
          list={list}
          pages={({ pagination: { totalEntries, totalPages } }) => ({ total: totalEntries, totalPages })}
          failure="Failed to fetch history"
          empty={<NoEntries filtered={Object.keys(filters).length > 0} />}
          renderHead={(total) => (
            <div className="flex flex-wrap items-center justify-between gap-3">
              <ListCount>{counted(total, 'entry', 'entries')}</ListCount>
              <Button
                variant="secondary"
                icon="download"
                onClick={() => downloadFrom(exportAddress(filters))}
              >
                Export CSV
              </Button>
            </div>
          )}
        >
          {({ data }) => <EntryList entries={data} sorted={list.sorted} onHistory={onHistory} />}
        </PagedList>
      </CardBody>
    </Card>
  )
}

const NoEntries = ({ filtered }: { filtered: boolean }) => (
  <EmptyState title="No results found" icon="history">
    {filtered
      ? 'Nothing in the books matches these filters. Clear one of them to see more.'
      : 'The books begin with the first checkout.'}
  </EmptyState>
)

type FilterFormProps = { filters: BookFilters; onApply: (filters: TypedFilters) => void }

const kinds = [
  { value: '', label: 'Everything' },
  ...auditKinds.map((value) => ({ value, label: kindLabels[value] })),
]

export const FilterForm = ({ filters, onApply }: FilterFormProps) => {
  const form = useForm({
    resolver: zodResolver(typedFilters),
    defaultValues: { ...noFilters, ...filters },
  })
  return (
    <FormProvider {...form}>
      <Filters
        active={Object.keys(filters).length}
        onSubmit={form.handleSubmit(onApply)}
        onClear={() => onApply(noFilters)}
      >
        <FormField name="from" deps="to" label="From" type="date" />
        <FormField name="to" label="To" type="date" />
        <FormField name="kind" label="Kind" options={kinds} />
        <FormField name="who" label="Who" maxLength={100} autoComplete="off" />
        <FormField name="about" label="Order or payment" maxLength={60} autoComplete="off" />
        <FormField name="minAmount" label="From amount (K)" inputMode="decimal" autoComplete="off" />
      </Filters>
    </FormProvider>
  )
}

const filterKeys = ['from', 'to', 'kind', 'who', 'about', 'minAmount'] as const
type FilterKey = (typeof filterKeys)[number]

/** An absent filter takes all. Days are `YYYY-MM-DD` of school time. */
export type BookFilters = { kind?: AuditKind } & Partial<Record<Exclude<FilterKey, 'kind'>, string>>

const isValid = (key: FilterKey, text: string): boolean =>
  z.safeParse(auditExport.query, { [key]: text }).success

const typed = (key: FilterKey, message: string) =>
  z.string().check(
    z.trim(),
    z.refine((text) => text === '' || isValid(key, text), message),
  )

/** As typed; empty takes all. */
const typedFilters = z
  .object({
    from: typed('from', 'Please enter a date'),
    to: typed('to', 'Please enter a date'),
    kind: typed('kind', 'Please choose one of the list'),
    who: typed('who', 'At most 100 characters'),
    about: typed('about', 'At most 60 characters'),
    minAmount: z.pipe(
      z.string().check(z.overwrite(plainNumber)),
      typed('minAmount', 'Please enter an amount'),
    ),
  })
  .check(
    z.refine(({ from, to }) => from === '' || to === '' || from <= to, {
      message: 'The last day is before the first',
      path: ['to'],
    }),
  )
export type TypedFilters = z.infer<typeof typedFilters>

const noFilters: TypedFilters = { from: '', to: '', kind: '', who: '', about: '', minAmount: '' }

/** Filters of the address that the server accepts. */
export const filtersFromAddress = (search: URLSearchParams): BookFilters => {
  const named = filterKeys.map((key) => [key, search.get(key)?.trim() ?? ''] as const)
  const filters: BookFilters = Object.fromEntries(
    named.filter(([key, text]) => text !== '' && isValid(key, text)),
  )
  if (filters.from && filters.to && filters.from > filters.to) delete filters.to
  return filters
}

export const parametersOf = (filters: TypedFilters): Record<string, string | null> =>
  Object.fromEntries(filterKeys.map((key) => [key, filters[key] || null]))

export const entriesQuery = (query: QueryOf<typeof auditEntries>) =>
  listQuery('payments', auditEntries, { query })

export const exportAddress = (filters: BookFilters): string => {
  const query = new URLSearchParams(filters).toString()
  return query ? `${auditExport.path}?${query}` : auditExport.path
}
