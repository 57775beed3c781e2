import { type FormEvent, type ReactNode, useState, useEffect } from 'react'
import type { Direction } from '#contracts/endpoint'
import { classes } from '../lib/classes'
import { type ListAddress, maxSearchLength, type Sorting } from '../lib/list-address'
import { Button } from './button'
import { TextField } from './field'
import { Icon } from './icon'
import { type Choice, Select } from './select'
import type { SortProps } from './sort-head'

type FiltersProps = {
  /** Number of active filters. */
  active: number
  columns?: string
  /** Submit by 'Apply Filters' or Enter; without it filters apply at once. */
  onSubmit?: (event: FormEvent) => void
  onClear: () => void
  /** Many fields: buttons in a field's place, and behind a press below 1100 px. */
  compact?: boolean
  children: ReactNode
}

// Enter would reload the page.
const keepPage = (event: FormEvent) => event.preventDefault()

/** Behind a press on phones. */
export const Filters = ({
  active,
  columns = 'md:grid-cols-3',
  onSubmit = keepPage,
  children,
  ...acts
}: FiltersProps) => {
  const [open, setOpen] = useState(false)
  return (
    <div>
      <Button
        variant="secondary"
        icon="filter"
        aria-expanded={open}
        className={acts.compact ? 'w-full min-[68.75rem]:hidden!' : 'w-full md:hidden!'}
        onClick={() => setOpen(!open)}
      >
        {active > 0 ? `Filters (${active})` : 'Filters'}
      </Button>
      <form
        aria-label="Filters"
        noValidate
        onSubmit={onSubmit}
        className={classes(
          'grid-cols-2 items-start gap-3',
          acts.compact ? 'max-[68.75rem]:pt-3 min-[68.75rem]:grid' : 'max-md:pt-3 md:grid',
          columns,
          open ? 'grid' : 'hidden',
        )}
      >
        {children}
        <FilterButtons active={active} applied={onSubmit !== keepPage} {...acts} />
      </form>
    </div>
  )
}

type FilterButtonsProps = Pick<FiltersProps, 'active' | 'onClear' | 'compact'> & { applied: boolean }

const FilterButtons = ({ active, applied, onClear, compact }: FilterButtonsProps) =>
  compact ? (
    <div className="flex gap-2 self-end max-md:col-span-2">
      <Button type="submit" className="flex-1 px-2! text-sm whitespace-nowrap">
        Apply Filters
      </Button>
      {active > 0 ? (
        <Button variant="ghost" aria-label="Clear Filters" className="px-2! text-sm" onClick={onClear}>
          <Icon name="close" size="sm" />
        </Button>
      ) : null}
    </div>
  ) : (
    <div className="col-span-full flex flex-wrap justify-end gap-2 empty:hidden">
      {active > 0 ? (
        <Button variant="ghost" icon="close" onClick={onClear}>
          Clear Filters
        </Button>
      ) : null}
      {applied ? <Button type="submit">Apply Filters</Button> : null}
    </div>
  )

type SearchFieldProps = {
  label: string
  hint?: string
  className?: string
  /** Focuses the search first. */
  autoFocus?: boolean
  list: Pick<ListAddress<never>, 'address' | 'onTyped'>
  name: string
}

const debounceMs = 300

/** Debounced; follows the address. */
export const SearchField = ({ list, name, ...words }: SearchFieldProps) => {
  const value = list.address.get(name)?.trim().slice(0, maxSearchLength) ?? ''
  const [text, setText] = useState(value)
  const [known, setKnown] = useState({ value, said: value })
  if (known.value !== value) {
    setKnown({ value, said: value })
    if (value !== known.said) setText(value)
  }
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === value) return
    const timer = setTimeout(() => {
      setKnown((before) => ({ ...before, said: wanted }))
      list.onTyped({ [name]: wanted || null })
    }, debounceMs)
    return () => clearTimeout(timer)
  }, [text, value, list, name])
  return (
    <TextField
      {...words}
      type="search"
      maxLength={maxSearchLength}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  )
}

type FilterSelectProps = {
  label: string
  hideLabel?: boolean
  className?: string
  list: Pick<ListAddress<never>, 'address' | 'onFilter'>
  name: string
  /** The first, '', takes all; it also stands for unknown values. */
  options: readonly Choice[]
}

/** Applies at once. */
export const FilterSelect = ({ list, name, ...select }: FilterSelectProps) => {
  const asked = list.address.get(name) ?? ''
  return (
    <Select
      {...select}
      value={select.options.some(({ value }) => value === asked) ? asked : ''}
      onChange={(event) => list.onFilter({ [name]: event.target.value || null })}
    />
  )
}

type SortChoice<Key extends string> = Sorting<Key> & { label: string }

type SortSelectProps<Key extends string> = SortProps<Key> & {
  choices: readonly SortChoice<Key>[]
  className?: string
}

const written = ({ sort, direction }: Sorting<string>) => `${sort} ${direction}`

/** For cards, which have no headings. */
export const SortSelect = <Key extends string>({
  choices,
  sorting,
  onSort,
  className,
}: SortSelectProps<Key>) => (
  <Select
    label="Sort by"
    className={className}
    options={choices.map((one) => ({ value: written(one), label: one.label }))}
    value={written(sorting)}
    onChange={(event) => {
      const wanted = choices.find((one) => written(one) === event.target.value)
      if (wanted) onSort({ sort: wanted.sort, direction: wanted.direction })
    }}
  />
)

/** Ascending and descending choices, in the order of their labels. */
export const bothOrders = <Key extends string>(
  sort: Key,
  labels: Record<Direction, string>,
): SortChoice<Key>[] =>
  (Object.keys(labels) as Direction[]).map((direction) => ({ sort, direction, label: labels[direction] }))

const ways = {
  text: ['A to Z', 'Z to A'],
  number: ['lowest first', 'highest first'],
  age: ['oldest first', 'newest first'],
} as const

export const bothWays = <Key extends string>(sort: Key, label: string, kind: keyof typeof ways) => {
  const [up, down] = ways[kind]
  return bothOrders(sort, { asc: `${label}, ${up}`, desc: `${label}, ${down}` })
}
