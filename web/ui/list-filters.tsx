import { useEffect, useState } from 'react'
import type { Direction } from '#contracts/sorting'
import { type ListAddress, longestSearch, type Sorting } from '../lib/list-address'
import { type Choice, Select } from './select'
import type { SortProps } from './sort-head'
import { TextField } from './text-field'

type SearchFieldProps = {
  label: string
  hint?: string
  className?: string
  /** Where the search is what a dialog begins with. */
  autoFocus?: boolean
  list: Pick<ListAddress<never>, 'address' | 'onTyped'>
  /** The parameter of the address that it sets. */
  name: string
}

const debounceMs = 300

/** A search that begins by itself, and that shows what the address says when that is changed elsewhere. */
export const SearchField = ({ list, name, ...words }: SearchFieldProps) => {
  const value = list.address.get(name)?.trim().slice(0, longestSearch) ?? ''
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
      maxLength={longestSearch}
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
  /** The parameter of the address that it sets. */
  name: string
  /** The first, '', takes all; it is also shown for what is not among them. */
  options: readonly Choice[]
}

/** A filter that works as soon as it is chosen. */
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

/** The order of a list in words, for cards that have no heads to press. */
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

/** Both orders by a key as choices, in the order in which their labels are given. */
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

/** Both orders by a key in the usual words: "Amount, lowest first" and "Amount, highest first". */
export const bothWays = <Key extends string>(sort: Key, label: string, kind: keyof typeof ways) => {
  const [up, down] = ways[kind]
  return bothOrders(sort, { asc: `${label}, ${up}`, desc: `${label}, ${down}` })
}
