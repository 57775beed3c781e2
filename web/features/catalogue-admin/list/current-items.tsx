import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useSearchParams } from 'react-router-dom'
import { type ItemSort, itemSorts } from '#contracts/menu-items'
import { type ListAddress, useListAddress } from '../../../lib/list-address'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { EmptyState } from '../../../ui/empty-state'
import { PagedList } from '../../../ui/paged-list'
import { SkeletonLines } from '../../../ui/skeleton'
import { Segmented } from '../../../ui/segmented'
import { itemsQuery } from '../api'
import {
  FilterBar,
  addressWithView,
  asTheyCame,
  filtersInAddress,
  isFiltered,
  type ItemFilters,
  viewInAddress,
} from './filter-bar'
import { ShownItems } from './shown-items'

type CurrentItemsProps = { onAdd: () => void; mayListOrders: boolean }

/** The items of the menu as a table or cards: searched, filtered, sorted and paged as the address says. */
export const CurrentItems = ({ onAdd, mayListOrders }: CurrentItemsProps) => {
  const list = useListAddress(itemSorts, asTheyCame)
  const filters = filtersInAddress(list.address)
  const asked = { ...list.query, ...filters }
  const menu = useQuery(itemsQuery(asked))
  // The rows are most of the drawing, and lie below what stands above them on a phone.
  const isFrameDrawn = useDeferredValue(true, false)
  return (
    <Card>
      <CardHeading title="Current Menu Items" actions={<ListSwitches list={list} />} />
      <CardBody className="flex flex-col gap-4">
        <FilterBar list={list} />
        <PagedList
          query={menu}
          list={list}
          pages={({ metadata }) => metadata}
          failure="Failed to fetch menu items"
          empty={menu.data?.menuSize === 0 ? <EmptyMenu onAdd={onAdd} /> : <NothingFound filters={filters} />}
        >
          {({ data }, total) =>
            isFrameDrawn ? (
              <ShownItems
                items={data}
                total={total}
                listed={JSON.stringify(asked)}
                archived={filters.archived === true}
                view={viewInAddress(list.address)}
                sorted={list.sorted}
                mayListOrders={mayListOrders}
              />
            ) : (
              <SkeletonLines />
            )
          }
        </PagedList>
      </CardBody>
    </Card>
  )
}

const ListSwitches = ({ list: { address, onFilter } }: { list: ListAddress<ItemSort> }) => {
  const [, setAddress] = useSearchParams()
  return (
    <>
      <Segmented
        label="Active or archived"
        value={filtersInAddress(address).archived ? 'archived' : 'active'}
        onChange={(value) => onFilter({ archived: value === 'archived' ? 'true' : null })}
        segments={[
          { value: 'active', label: 'Show Active Items' },
          { value: 'archived', label: 'Show Archived Items' },
        ]}
      />
      <Segmented
        label="View"
        value={viewInAddress(address)}
        onChange={(view) => setAddress(addressWithView(address, view))}
        segments={[
          { value: 'table', label: 'Table', icon: 'table' },
          { value: 'grid', label: 'Grid', icon: 'grid' },
        ]}
      />
    </>
  )
}

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
