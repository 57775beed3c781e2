import type { RollSort } from '#contracts/roll'
import type { ListAddress } from '../../lib/list-address'
import { Filters } from '../../ui/filters'
import { bothWays, FilterSelect, SearchField, SortSelect } from '../../ui/list-filters'

/** In the address: children without a class. Longer than the name of any class can be. */
export const noClass = 'children-without-a-class'

const families = [
  { value: '', label: 'All families' },
  { value: 'true', label: 'With an account' },
  { value: 'false', label: 'Without an account' },
]

const orders = [
  ...bothWays<RollSort>('name', 'Name', 'text'),
  ...bothWays<RollSort>('class', 'Class', 'number'),
  ...bothWays<RollSort>('number', 'Number', 'number'),
]

type RollFiltersProps = { list: ListAddress<RollSort>; classes: readonly string[] }

/** Which children are shown, and in which order. */
export const RollFilters = ({ list, classes }: RollFiltersProps) => (
  <div className="flex flex-col gap-3 lg:flex-row">
    <SearchField
      list={list}
      name="text"
      label="Search children"
      hint="Child, admission number or family"
      className="min-w-0 lg:w-72"
    />
    <div className="min-w-0 flex-1">
      <Filters
        active={['class', 'claimed'].filter((name) => list.address.has(name)).length}
        onClear={() => list.onFilter({ class: null, claimed: null })}
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
        <SortSelect choices={orders} className="max-md:col-span-2" {...list.sorted} />
      </Filters>
    </div>
  </div>
)
