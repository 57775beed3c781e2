import { useState } from 'react'
import type { FormEvent } from 'react'
import { liveStatuses } from '#contracts/payments-console'
import { dayName } from '../../lib/format'
import { Button } from '../../ui/button'
import { Icon } from '../../ui/icon'
import { Select } from '../../ui/select'
import { TextField } from '../../ui/text-field'
import { filterColumns, filterLength } from './live-filters'
import type { FilterKey, LiveFilters } from './live-filters'

type FilterPanelProps = { filters: LiveFilters; onApply: (filters: LiveFilters) => void }

/** A filter per column; nothing is asked before 'Apply Filters' or Enter. On a phone it opens on request. */
export const FilterPanel = ({ filters, onApply }: FilterPanelProps) => {
  const [draft, setDraft] = useState(filters)
  const [open, setOpen] = useState(false)
  const active = Object.keys(filters).length
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onApply(draft)
    setOpen(false)
  }
  const clear = () => {
    setDraft({})
    onApply({})
  }
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
        onSubmit={submit}
        className={`grid-cols-2 items-end gap-3 max-md:pt-3 md:grid md:grid-cols-3 lg:grid-cols-5 ${open ? 'grid' : 'hidden'}`}
      >
        {filterColumns.map(({ key }) => (
          <FilterField
            key={key}
            of={key}
            value={draft[key] ?? ''}
            onChange={(value) => setDraft({ ...draft, [key]: value })}
          />
        ))}
        <div className="flex gap-2 max-md:col-span-2">
          <Button type="submit" className="flex-1 px-2! text-sm whitespace-nowrap">
            Apply Filters
          </Button>
          {active > 0 ? (
            <Button variant="ghost" aria-label="Clear filters" className="px-2! text-sm" onClick={clear}>
              <Icon name="close" size="sm" />
            </Button>
          ) : null}
        </div>
      </form>
    </div>
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

type FilterFieldProps = { of: FilterKey; value: string; onChange: (value: string) => void }

const FilterField = ({ of, value, onChange }: FilterFieldProps) => {
  const label = filterColumns.find(({ key }) => key === of)?.label
  const options = choices[of]
  if (options)
    return (
      <Select
        label={label}
        options={options}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  return (
    <TextField
      label={label}
      value={value}
      maxLength={filterLength}
      autoComplete="off"
      inputMode={of === 'amount' ? 'decimal' : undefined}
      placeholder={placeholders[of]}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
