import type { RollSort } from '#contracts/roll'
import type { ListAddress } from '../../lib/list-address'
import { noClass } from '../../lib/no-class'
import { Filters } from '../../ui/filters'
import { bothWays, FilterSelect, SearchField, SortSelect } from '../../ui/list-filters'

const families = [
  { value: '', label: 'All families' },
  { value: 'true', label: 'With an account' },
  { value: 'false', label: 'Without an account' },
]

const atSchool = [
  { value: '', label: 'Everyone' },
  { value: 'false', label: 'At the school' },
  { value: 'true', label: 'Left the school' },
]

const orders = [
  ...bothWays<RollSort>('name', 'Name', 'text'),
  ...bothWays<RollSort>('class', 'Class', 'number'),
  ...bothWays<RollSort>('number', 'Number', 'number'),
]

const filters = ['class', 'claimed', 'left'] as const

type RollFiltersProps = { list: ListAddress<RollSort>; classes: readonly string[] }

/** Which children are shown, and in which order. */
export const RollFilters = ({ list, classes }: RollFiltersProps) => (
  <div className="flex flex-col gap-3 xl:flex-row">
    <SearchField
      list={list}
      name="text"
      label="Search children"
      hint="Child, admission number or family"
      className="min-w-0 xl:w-64"
    />
    <div className="min-w-0 flex-1">
      <Filters
        columns="md:grid-cols-4"
        active={filters.filter((name) => list.address.has(name)).length}
        onClear={() => list.onFilter({ class: null, claimed: null, left: null })}
      >
        <FilterSelect
          list={list}
          name="class"
          label="Class"
          options={[
            { value: '', label: 'All classes' },
            ...classes.map((value) => ({ value, label: value })),
            { value: noClass, label: 'Without a class' },
          ]}
        />
        <FilterSelect list={list} name="claimed" label="Family" options={families} />
        <FilterSelect list={list} name="left" label="At the school" options={atSchool} />
        <SortSelect choices={orders} {...list.sorted} />
      </Filters>
    </div>
  </div>
)
