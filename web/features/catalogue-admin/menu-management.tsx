import { useQuery } from '@tanstack/react-query'
import { Suspense, useId, useState, useDeferredValue } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { type ItemSort, itemSorts } from '#contracts/menu-list'
import { lazyComponent, usePreload } from '../../lib/lazy'
import { type ListAddress, useListAddress } from '../../lib/list-address'
import { allergenTablePath } from '../../lib/papers-path'
import { schoolDate, schoolNow } from '../../lib/school-moment'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading, OpenButton } from '../../ui/card'
import { PagedList } from '../../ui/paged-list'
import { SkeletonLines, EmptyState } from '../../ui/query-result'
import { Segmented } from '../../ui/radio-cards'
import { useLeave } from '../../ui/unsaved'
import { itemsQuery } from './api'
import {
  FilterBar,
  addressWithView,
  defaultSort,
  filtersInAddress,
  isFiltered,
  type ItemFilters,
  viewInAddress,
} from './list/filter-bar'
import { ShownItems } from './list/shown-items'
import { UploadCard } from './upload-card'

const ItemForm = lazyComponent(() => import('./form/item-form').then((m) => m.ItemForm))

/** `mayListOrders`: may open Cycle History. */
export const MenuManagement = ({ mayListOrders }: { mayListOrders: boolean }) => {
  const [adding, setAdding] = useState(false)
  const [uploading, setUploading] = useState(false)
  const id = useId()
  const close = () => setAdding(false)
  const leave = useLeave()
  usePreload(ItemForm)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap gap-2">
        <OpenButton
          icon="plus"
          open={adding}
          controls={`${id}-add`}
          onToggle={() => (adding ? leave(close) : setAdding(true))}
          className="max-sm:grow"
        >
          Add New Menu Item
        </OpenButton>
        <OpenButton
          variant="secondary"
          icon="upload"
          open={uploading}
          controls={`${id}-upload`}
          onToggle={() => setUploading(!uploading)}
          className="max-sm:grow"
        >
          Bulk Upload
        </OpenButton>
        <Link to={allergenTablePath(schoolDate(schoolNow()))} className="btn btn-secondary">
          Allergen table
        </Link>
      </div>
      {uploading ? <UploadCard id={`${id}-upload`} /> : null}
      {adding ? (
        <Card id={`${id}-add`}>
          <CardHeading title="Add New Menu Item" />
          <CardBody>
            <Suspense fallback={<SkeletonLines lines={8} />}>
              <ItemForm item={null} level={3} lock="open" onLocked={close} onSaved={close} onCancel={close} />
            </Suspense>
          </CardBody>
        </Card>
      ) : null}
      <CurrentItems onAdd={() => setAdding(true)} mayListOrders={mayListOrders} />
    </div>
  )
}

type CurrentItemsProps = { onAdd: () => void; mayListOrders: boolean }

const CurrentItems = ({ onAdd, mayListOrders }: CurrentItemsProps) => {
  const list = useListAddress(itemSorts, defaultSort)
  const filters = filtersInAddress(list.address)
  const asked = { ...list.query, ...filters }
  const menu = useQuery(itemsQuery(asked))
  // Rows take longest to draw and lie below the fold on a phone.
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
