import { zodResolver } from '@hookform/resolvers/zod'
import { FormProvider, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { auditKinds, auditExport, type AuditKind } from '#contracts/audit'
import { Filters } from '../../ui/filters'
import { FormField } from '../../ui/form'
import { kindLabels } from './entry-row'

type FilterFormProps = { filters: BookFilters; onApply: (filters: TypedFilters) => void }

const kinds = [
  { value: '', label: 'Everything' },
  ...auditKinds.map((value) => ({ value, label: kindLabels[value] })),
]

/** The filters of the books; nothing is asked before 'Apply Filters' or Enter. */
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

/** What of the books is shown; a filter that is absent takes all. Days are `YYYY-MM-DD` of school time. */
export type BookFilters = { kind?: AuditKind } & Partial<Record<Exclude<FilterKey, 'kind'>, string>>

const isValid = (key: FilterKey, text: string): boolean =>
  z.safeParse(auditExport.query, { [key]: text }).success

const typed = (key: FilterKey, message: string) =>
  z.string().check(
    z.trim(),
    z.refine((text) => text === '' || isValid(key, text), message),
  )

/** The filters as they are typed; an empty one takes all. */
const typedFilters = z
  .object({
    from: typed('from', 'Please enter a date'),
    to: typed('to', 'Please enter a date'),
    kind: typed('kind', 'Please choose one of the list'),
    who: typed('who', 'At most 100 characters'),
    about: typed('about', 'At most 60 characters'),
    minAmount: typed('minAmount', 'Please enter an amount'),
  })
  .check(
    z.refine(({ from, to }) => from === '' || to === '' || from <= to, {
      message: 'The last day is before the first',
      path: ['to'],
    }),
  )
export type TypedFilters = z.infer<typeof typedFilters>

const noFilters: TypedFilters = { from: '', to: '', kind: '', who: '', about: '', minAmount: '' }

/** What the address names and the server takes. */
export const filtersFromAddress = (search: URLSearchParams): BookFilters => {
  const named = filterKeys.map((key) => [key, search.get(key)?.trim() ?? ''] as const)
  const filters: BookFilters = Object.fromEntries(
    named.filter(([key, text]) => text !== '' && isValid(key, text)),
  )
  if (filters.from && filters.to && filters.from > filters.to) delete filters.to
  return filters
}

/** These filters as parameters of the address; null for one that is not set. */
export const parametersOf = (filters: TypedFilters): Record<string, string | null> =>
  Object.fromEntries(filterKeys.map((key) => [key, filters[key] || null]))
