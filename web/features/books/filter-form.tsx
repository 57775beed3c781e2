import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { auditKinds } from '#contracts/audit'
import { Filters } from '../../ui/filters'
import { Select } from '../../ui/select'
import { TextField } from '../../ui/text-field'
import { type BookFilters, noFilters, typedFilters, type TypedFilters } from './book-filters'
import { kindLabels } from './entry-row'

type FilterFormProps = { filters: BookFilters; onApply: (filters: TypedFilters) => void }

const kinds = [
  { value: '', label: 'Everything' },
  ...auditKinds.map((value) => ({ value, label: kindLabels[value] })),
]

/** The filters of the books; nothing is asked before 'Apply Filters' or Enter. */
export const FilterForm = ({ filters, onApply }: FilterFormProps) => {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(typedFilters),
    defaultValues: { ...noFilters, ...filters },
  })
  const { from, to, who, about, minAmount } = formState.errors
  return (
    <Filters
      active={Object.keys(filters).length}
      onSubmit={handleSubmit(onApply)}
      onClear={() => onApply(noFilters)}
    >
      <TextField {...register('from', { deps: 'to' })} label="From" type="date" error={from?.message} />
      <TextField {...register('to')} label="To" type="date" error={to?.message} />
      <Select {...register('kind')} label="Kind" options={kinds} />
      <TextField {...register('who')} label="Who" maxLength={100} autoComplete="off" error={who?.message} />
      <TextField
        {...register('about')}
        label="Order or payment"
        maxLength={60}
        autoComplete="off"
        error={about?.message}
      />
      <TextField
        {...register('minAmount')}
        label="From amount (K)"
        inputMode="decimal"
        autoComplete="off"
        error={minAmount?.message}
      />
    </Filters>
  )
}
