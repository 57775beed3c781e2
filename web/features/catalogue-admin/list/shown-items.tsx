import { keepPreviousData, useQuery, useMutation } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { MenuItem } from '#contracts/catalogue'
import type { ItemSort } from '#contracts/menu-list'
import { messageOf } from '../../../lib/call'
import { counted } from '../../../lib/format'
import { lazyComponent, usePreload } from '../../../lib/lazy'
import { notifyOutcome } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { Notice } from '../../../ui/notice'
import type { QueryState } from '../../../ui/query-result'
import { SelectBox, type Selection, useSelection } from '../../../ui/selection'
import type { SortProps } from '../../../ui/sort-head'
import { haveOrdersQuery, archive, switchAvailability, archiveMany, duplicate } from '../api'
import type { ItemView } from './filter-bar'
import { type Asking, ItemConfirm, type ItemListing, ItemGrid, ItemTable } from './item-table'

const ItemPreview = lazyComponent(() => import('./item-preview').then((m) => m.ItemPreview))
const SoldOutDialog = lazyComponent(() => import('./sold-out-dialog').then((m) => m.SoldOutDialog))

type ShownItemsProps = {
  items: MenuItem[]
  /** On all pages. */
  total: number
  /** Identifies page, filters and order; another list clears the selection. */
  listed: string
  archived: boolean
  view: ItemView
  sorted: SortProps<ItemSort>
  mayListOrders: boolean
}

export const ShownItems = ({
  items,
  total,
  listed,
  archived,
  view,
  sorted,
  mayListOrders,
}: ShownItemsProps) => {
  const ids = items.map((item) => item.id)
  const orders = useQuery({ ...haveOrdersQuery(ids), placeholderData: keepPreviousData })
  const selection = useSelection<MenuItem>(listed)
  // Never acts on items that filters hide.
  const chosen = ids.filter((id) => selection.chosen.has(id))
  return (
    <>
      {orders.isError ? <OrdersUnchecked query={orders} /> : null}
      <BulkBar items={items} total={total} chosen={chosen} archived={archived} selection={selection} />
      <ItemList
        view={view}
        mayListOrders={mayListOrders}
        items={items}
        hasOrders={orders.data}
        chosen={chosen}
        onToggle={(item) => selection.toggle([item])}
        {...sorted}
      />
      <p aria-live="polite" className="text-sm text-muted">
        {counted(total, 'item')}
      </p>
    </>
  )
}

/** Deleting is off until orders are known. */
const OrdersUnchecked = ({ query }: { query: QueryState<unknown> }) => (
  <Notice tone="danger" title="Failed to check orders">
    <p>Deleting and archiving wait until it is known which items have orders. {messageOf(query.error, '')}</p>
    <Button
      variant="secondary"
      size="sm"
      icon="refresh"
      busy={query.isFetching}
      onClick={() => void query.refetch()}
    >
      Try again
    </Button>
  </Notice>
)

type ItemListProps = Pick<
  ItemListing,
  'items' | 'hasOrders' | 'chosen' | 'onToggle' | 'sorting' | 'onSort'
> & { view: ItemView; mayListOrders: boolean }

/** Rows or cards, with their dialogs. */
const ItemList = ({ view, mayListOrders, ...list }: ItemListProps) => {
  const [seen, setSeen] = useState<MenuItem | null>(null)
  const [selling, setSelling] = useState<MenuItem | null>(null)
  const [asking, setAsking] = useState<Asking | null>(null)
  usePreload(ItemPreview, SoldOutDialog)
  const availability = useMutation(switchAvailability)
  const archiving = useMutation(archive)
  const listing: ItemListing = {
    ...list,
    onPreview: setSeen,
    onSoldOut: setSelling,
    onRemove: setAsking,
    onAvailable: (item, isAvailable) =>
      void notifyOutcome(availability.mutateAsync({ id: item.id, isAvailable }), {
        done: 'Menu item availability updated',
        failed: 'Failed to update menu item',
      }),
    onUnarchive: (item) =>
      void notifyOutcome(archiving.mutateAsync({ params: { id: item.id }, body: { isArchived: false } }), {
        done: 'Menu item unarchived successfully',
        failed: 'Failed to unarchive menu item',
      }),
  }
  return (
    <>
      {view === 'grid' ? <ItemGrid {...listing} /> : <ItemTable {...listing} />}
      <Suspense>
        {seen ? <ItemPreview item={seen} onClose={() => setSeen(null)} /> : null}
        {selling ? (
          <SoldOutDialog
            key={selling.id}
            item={selling}
            mayListOrders={mayListOrders}
            onClose={() => setSelling(null)}
          />
        ) : null}
      </Suspense>
      <ItemConfirm asking={asking} onClose={() => setAsking(null)} />
    </>
  )
}

type BulkBarProps = {
  items: readonly MenuItem[]
  /** On all pages. */
  total: number
  chosen: number[]
  archived: boolean
  selection: Selection<MenuItem>
}

/** For the whole page. */
const BulkBar = ({ items, total, chosen, archived, selection }: BulkBarProps) => (
  <div className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-2 rounded-md bg-sand-50 px-3 py-1.5">
    <SelectBox
      label={wordsOf(items.length, total, chosen.length)}
      name="Select all"
      rows={items}
      selection={selection}
      className="text-sm font-semibold"
    />
    {chosen.length > 0 ? <BulkActions chosen={chosen} archived={archived} onDone={selection.clear} /> : null}
  </div>
)

const wordsOf = (shown: number, total: number, chosen: number) => {
  if (total === shown) return chosen > 0 ? `${chosen} selected` : 'Select all'
  return chosen > 0 ? `${chosen} of ${shown} on this page selected` : `Select all ${shown} on this page`
}

type BulkActionsProps = { chosen: number[]; archived: boolean; onDone: () => void }

const BulkActions = ({ chosen, archived, onDone }: BulkActionsProps) => {
  const acts = useBulkActs(chosen)
  const [asking, setAsking] = useState(false)
  const finish = async (act: Promise<boolean>) => {
    const done = await act
    setAsking(false)
    if (done) onDone()
  }
  const shared = { variant: 'secondary', size: 'sm', disabled: acts.duplicating || acts.archiving } as const
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        {...shared}
        icon="copy"
        busy={acts.duplicating}
        onClick={() => void finish(acts.duplicateAll())}
      >
        Duplicate
      </Button>
      {archived ? (
        <Button
          {...shared}
          icon="undo"
          busy={acts.archiving}
          onClick={() => void finish(acts.archiveAs(false))}
        >
          Unarchive
        </Button>
      ) : (
        <Button {...shared} icon="archive" onClick={() => setAsking(true)}>
          Archive
        </Button>
      )}
      <ArchiveDialog
        open={asking}
        count={chosen.length}
        busy={acts.archiving}
        onConfirm={() => void finish(acts.archiveAs(true))}
        onClose={() => setAsking(false)}
      />
    </div>
  )
}

type ArchiveDialogProps = {
  open: boolean
  count: number
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

const ArchiveDialog = ({ count, ...dialog }: ArchiveDialogProps) => (
  <ConfirmDialog {...dialog} title={`Archive ${counted(count, 'menu item')}?`} confirm="Archive">
    Archived items leave the menu and nobody can order them any more. Orders already placed stay and are
    cooked. You can unarchive them at any time.
  </ConfirmDialog>
)

const useBulkActs = (chosen: number[]) => {
  const copies = useMutation(duplicate)
  const archiving = useMutation(archiveMany)
  const archiveAs = async (isArchived: boolean) => {
    const word = isArchived ? 'archive' : 'unarchive'
    const done = await notifyOutcome(archiving.mutateAsync({ body: { itemIds: chosen, isArchived } }), {
      done: `Selected menu items ${word}d successfully`,
      failed: `Failed to ${word} menu item`,
    })
    return done !== null
  }
  const duplicateAll = async () => {
    const done = await notifyOutcome(copies.mutateAsync({ body: { itemIds: chosen } }), {
      done: 'Selected menu items duplicated successfully',
      failed: 'Failed to duplicate menu items',
    })
    return done !== null
  }
  return { duplicateAll, archiveAs, duplicating: copies.isPending, archiving: archiving.isPending }
}
