import { zodResolver } from '@hookform/resolvers/zod'
import { FormProvider, useForm } from 'react-hook-form'
import { auditKinds } from '#contracts/audit'
import { Filters } from '../../ui/filters'
import { FormField } from '../../ui/form'
import { type BookFilters, noFilters, typedFilters, type TypedFilters } from './book-filters'
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
