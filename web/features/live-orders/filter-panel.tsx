import { useState } from 'react'
import { liveStatuses } from '#contracts/payments-console'
import { dayName } from '../../lib/format'
import { Filters } from '../../ui/filters'
import { Select } from '../../ui/select'
import { TextField } from '../../ui/text-field'
import { filterColumns, type FilterKey, filterLength, type LiveFilters } from './live-filters'

type FilterPanelProps = { filters: LiveFilters; onApply: (filters: LiveFilters) => void }

/** A filter per column; nothing is asked before 'Apply Filters' or Enter. */
export const FilterPanel = ({ filters, onApply }: FilterPanelProps) => {
  const [draft, setDraft] = useState(filters)
  return (
    <Filters
      compact
      active={Object.keys(filters).length}
      columns="md:grid-cols-3 lg:grid-cols-5"
      onApply={() => onApply(draft)}
      onClear={() => onApply({})}
    >
      {filterColumns.map(({ key }) => (
        <FilterField
          key={key}
          of={key}
          value={draft[key] ?? ''}
          onChange={(value) => setDraft({ ...draft, [key]: value })}
        />
      ))}
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
