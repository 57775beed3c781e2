import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { liveStatuses } from '#contracts/payments-console'
import { dayName } from '../../lib/format'
import { longestSearch } from '../../lib/list-address'
import { Filters } from '../../ui/filters'
import { Select } from '../../ui/select'
import { TextField } from '../../ui/text-field'
import { filterColumns, type FilterKey, liveFilters, type LiveFilters } from './live-filters'

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
