import type { Sorting } from '../lib/list-address'
import { Select } from './select'
import type { SortProps } from './sort-head'

export type SortChoice<Key extends string> = Sorting<Key> & { label: string }

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
  className = 'w-48',
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
