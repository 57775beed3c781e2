import { useState } from 'react'
import { auditKinds } from '#contracts/audit'
import { Filters } from '../../ui/filters'
import { Select } from '../../ui/select'
import { TextField } from '../../ui/text-field'
import { type BookFilters, checked, type Draft, type FilterKey } from './book-filters'
import { kindLabels } from './book-words'

type FilterFormProps = { filters: BookFilters; onApply: (filters: BookFilters) => void }

/** The filters of the books; nothing is asked before 'Apply Filters' or Enter. */
export const FilterForm = ({ filters, onApply }: FilterFormProps) => {
  const [draft, setDraft] = useState<Draft>(filters)
  const [tried, setTried] = useState(false)
  const { filters: typed, errors } = checked(draft)
  const apply = () => {
    setTried(true)
    if (Object.keys(errors).length === 0) onApply(typed)
  }
  const field = (key: FilterKey) => ({
    value: draft[key] ?? '',
    error: tried ? errors[key] : undefined,
    onChange: ({ target }: { target: { value: string } }) => setDraft({ ...draft, [key]: target.value }),
  })
  return (
    <Filters active={Object.keys(filters).length} onApply={apply} onClear={() => onApply({})}>
      <Fields field={field} />
    </Filters>
  )
}

type FieldOf = (key: FilterKey) => {
  value: string
  error: string | undefined
  onChange: (event: { target: { value: string } }) => void
}

const kinds = [
  { value: '', label: 'Everything' },
  ...auditKinds.map((value) => ({ value, label: kindLabels[value] })),
]

const Fields = ({ field }: { field: FieldOf }) => (
  <>
    <TextField {...field('from')} label="From" type="date" />
    <TextField {...field('to')} label="To" type="date" />
    <Select {...field('kind')} label="Kind" options={kinds} />
    <TextField {...field('who')} label="Who" maxLength={100} autoComplete="off" />
    <TextField {...field('about')} label="Order or payment" maxLength={60} autoComplete="off" />
    <TextField {...field('minAmount')} label="From amount (K)" inputMode="decimal" autoComplete="off" />
  </>
)
