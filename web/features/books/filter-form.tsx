import { useState } from 'react'
import type { FormEvent } from 'react'
import { auditKinds } from '#contracts/audit'
import { Button } from '../../ui/button'
import { Select } from '../../ui/select'
import { TextField } from '../../ui/text-field'
import { checked } from './book-filters'
import type { BookFilters, Draft, FilterKey } from './book-filters'
import { kindLabels } from './book-words'

type FilterFormProps = { filters: BookFilters; onApply: (filters: BookFilters) => void }

/** The filters of the books; nothing is asked before 'Apply Filters' or Enter. On a phone they open on request. */
export const FilterForm = ({ filters, onApply }: FilterFormProps) => {
  const [draft, setDraft] = useState<Draft>(filters)
  const [tried, setTried] = useState(false)
  const [open, setOpen] = useState(false)
  const { filters: typed, errors } = checked(draft)
  const active = Object.keys(filters).length
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (Object.keys(errors).length === 0) onApply(typed)
  }
  const field = (key: FilterKey) => ({
    value: draft[key] ?? '',
    error: tried ? errors[key] : undefined,
    onChange: ({ target }: { target: { value: string } }) => setDraft({ ...draft, [key]: target.value }),
  })
  return (
    <div>
      <Button
        variant="secondary"
        icon="filter"
        aria-expanded={open}
        className="w-full md:hidden!"
        onClick={() => setOpen(!open)}
      >
        {active > 0 ? `Filters (${active})` : 'Filters'}
      </Button>
      <form
        aria-label="Filters"
        noValidate
        onSubmit={submit}
        className={`grid-cols-2 items-start gap-3 max-md:pt-3 md:grid md:grid-cols-3 ${open ? 'grid' : 'hidden'}`}
      >
        <Fields field={field} />
        <div className="col-span-full flex flex-wrap justify-end gap-2">
          {active > 0 ? (
            <Button variant="ghost" icon="close" onClick={() => onApply({})}>
              Clear Filters
            </Button>
          ) : null}
          <Button type="submit">Apply Filters</Button>
        </div>
      </form>
    </div>
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
