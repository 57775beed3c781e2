import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { MenuItem } from '#contracts/catalogue'
import { counted } from '../../lib/format'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { QueryFaces } from '../../ui/query-faces'
import { Segmented } from '../../ui/segmented'
import { haveOrdersQuery, menuQuery } from './api'
import { BulkBar } from './bulk-bar'
import { FilterBar } from './filter-bar'
import { addressWithFilters, filterItems, filtersFromAddress } from './item-filters'
import type { ItemFilters } from './item-filters'
import { ItemList } from './item-list'
import { OrdersUnchecked } from './orders-unchecked'
import { stillShown, toggled } from './selection'

/** The items of the menu as a table or cards, filtered by the address. */
export const CurrentItems = ({ onAdd }: { onAdd: () => void }) => {
  const [search, setSearch] = useSearchParams()
  const filters = filtersFromAddress(search)
  const setFilters = (next: ItemFilters) => setSearch(addressWithFilters(search, next), { replace: true })
  const menu = useQuery(menuQuery)
  return (
    <Card>
      <CardHeading
        title="Current Menu Items"
        actions={<ListSwitches filters={filters} onChange={setFilters} />}
      />
      <CardBody className="flex flex-col gap-4">
        <FilterBar filters={filters} onChange={setFilters} />
        <QueryFaces
          query={menu}
          failure="Failed to fetch menu items"
          isEmpty={(items) => items.length === 0}
          empty={<EmptyMenu onAdd={onAdd} />}
        >
          {(items) => <ShownItems items={items} filters={filters} />}
        </QueryFaces>
      </CardBody>
    </Card>
  )
}

type ListSwitchesProps = { filters: ItemFilters; onChange: (filters: ItemFilters) => void }

const ListSwitches = ({ filters, onChange }: ListSwitchesProps) => (
  <>
    <Segmented
      label="Active or archived"
      value={filters.archived ? 'archived' : 'active'}
      onChange={(value) => onChange({ ...filters, archived: value === 'archived' })}
      segments={[
        { value: 'active', label: 'Show Active Items' },
        { value: 'archived', label: 'Show Archived Items' },
      ]}
    />
    <Segmented
      label="View"
      value={filters.view}
      onChange={(view) => onChange({ ...filters, view })}
      segments={[
        { value: 'table', label: 'Table', icon: 'table' },
        { value: 'grid', label: 'Grid', icon: 'grid' },
      ]}
    />
  </>
)

const ShownItems = ({ items, filters }: { items: MenuItem[]; filters: ItemFilters }) => {
  const orders = useQuery({
    ...haveOrdersQuery(items.map((item) => item.id)),
    placeholderData: keepPreviousData,
  })
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const shown = filterItems(items, filters)
  const chosen = stillShown(
    ticked,
    shown.map((item) => item.id),
  )
  if (shown.length === 0) return <NothingFound archived={filters.archived} />
  return (
    <>
      {orders.isError ? <OrdersUnchecked query={orders} /> : null}
      <BulkBar
        shown={shown.map((item) => item.id)}
        chosen={chosen}
        archived={filters.archived}
        onChoose={(ids) => setTicked(new Set(ids))}
      />
      <ItemList
        view={filters.view}
        items={shown}
        hasOrders={orders.data}
        chosen={chosen}
        onToggle={(id) => setTicked(toggled(ticked, id))}
      />
      <p className="text-sm text-muted">{counted(shown.length, 'item')}</p>
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

const NothingFound = ({ archived }: { archived: boolean }) => (
  <EmptyState title="No results found" icon="search">
    {archived ? 'No archived item matches these filters.' : 'No active item matches these filters.'}
  </EmptyState>
)
