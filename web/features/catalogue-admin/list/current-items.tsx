import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'
import type { ReplyOf } from '#contracts/endpoint'
import { itemSorts, type listMenuItems } from '#contracts/menu-items'
import { useListAddress } from '../../../lib/list-address'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { EmptyState } from '../../../ui/empty-state'
import { QueryFaces } from '../../../ui/query-faces'
import { Segmented } from '../../../ui/segmented'
import { itemsQuery } from '../api'
import { FilterBar } from './filter-bar'
import {
  addressWithView,
  askedInAddress,
  asTheyCame,
  isFiltered,
  type ItemFilters,
  parametersOf,
  queryOf,
} from './item-filters'
import { ShownItems } from './shown-items'

/** The items of the menu as a table or cards: searched, filtered, sorted and paged as the address says. */
export const CurrentItems = ({ onAdd }: { onAdd: () => void }) => {
  const { address, sorted, onPage, onFilter, onTyped } = useListAddress(itemSorts, asTheyCame)
  const [, setAddress] = useSearchParams()
  const asked = askedInAddress(address)
  const menu = useQuery(itemsQuery(queryOf(asked)))
  const filterBy = (filters: ItemFilters) => onFilter(parametersOf(filters))
  return (
    <Card>
      <CardHeading
        title="Current Menu Items"
        actions={
          <ListSwitches
            filters={asked.filters}
            onFilter={filterBy}
            onView={(filters) => setAddress(addressWithView(address, filters))}
          />
        }
      />
      <CardBody className="flex flex-col gap-4">
        <FilterBar
          filters={asked.filters}
          onFilter={filterBy}
          onSearch={(search) => onTyped({ search: search || null })}
          {...sorted}
        />
        <QueryFaces<ReplyOf<typeof listMenuItems>>
          query={menu}
          failure="Failed to fetch menu items"
          isEmpty={({ metadata }) => metadata.total === 0}
          empty={
            menu.data?.menuSize === 0 ? <EmptyMenu onAdd={onAdd} /> : <NothingFound filters={asked.filters} />
          }
        >
          {(found) => (
            <ShownItems
              found={found}
              asked={asked}
              busy={menu.isPlaceholderData}
              onSort={sorted.onSort}
              onPage={onPage}
            />
          )}
        </QueryFaces>
      </CardBody>
    </Card>
  )
}

type ListSwitchesProps = {
  filters: ItemFilters
  onFilter: (filters: ItemFilters) => void
  onView: (filters: ItemFilters) => void
}

const ListSwitches = ({ filters, onFilter, onView }: ListSwitchesProps) => (
  <>
    <Segmented
      label="Active or archived"
      value={filters.archived ? 'archived' : 'active'}
      onChange={(value) => onFilter({ ...filters, archived: value === 'archived' })}
      segments={[
        { value: 'active', label: 'Show Active Items' },
        { value: 'archived', label: 'Show Archived Items' },
      ]}
    />
    <Segmented
      label="View"
      value={filters.view}
      onChange={(view) => onView({ ...filters, view })}
      segments={[
        { value: 'table', label: 'Table', icon: 'table' },
        { value: 'grid', label: 'Grid', icon: 'grid' },
      ]}
    />
  </>
)

const EmptyMenu = ({ onAdd }: { onAdd: () => void }) => (
  <EmptyState
    title="No menu items yet"
    action={
      <Button icon="plus" onClick={onAdd}>
        Add New Menu Item
      </Button>
    }
  >
    Add the first dish, or upload a whole menu from a CSV file.
  </EmptyState>
)

const NothingFound = ({ filters }: { filters: ItemFilters }) => (
  <EmptyState title="No results found" icon="search">
    {nothingWords(filters)}
  </EmptyState>
)

const nothingWords = (filters: ItemFilters) => {
  if (!isFiltered(filters)) return 'Every item is in the archive. Show Archived Items to bring one back.'
  return filters.archived
    ? 'No archived item matches these filters.'
    : 'No active item matches these filters.'
}
