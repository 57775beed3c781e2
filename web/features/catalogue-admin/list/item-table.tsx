import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import type { MenuItem, ItemSort } from '#contracts/catalogue'
import { kwacha } from '../../../lib/format'
import { paths } from '../../../lib/paths'
import { notifyOutcome } from '../../../lib/toast'
import { Badge } from '../../../ui/badge'
import { IconButton } from '../../../ui/button'
import { Card } from '../../../ui/card'
import { Checkbox, Switch } from '../../../ui/checkbox'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { Icon } from '../../../ui/icon'
import { SortHead, type SortProps } from '../../../ui/sort-head'
import { Cell, HeadCell, Table, TableBody, TableHead, tableRoles } from '../../../ui/table'
import { archive, removeItem } from '../api'
import {
  DietMarks,
  ItemPicture,
  TypeBadge,
  daysLabel,
  leadLabel,
  offeredLabel,
  portionsLabel,
  weeksLabel,
} from '../item-text'

export const ItemTable = (list: ItemListing) => (
  <div className="@container">
    <Table label="Menu items" aria-label="Menu items" {...tableRoles.table} className="@max-3xl:block">
      <TableHead className="@max-3xl:hidden">
        <tr>
          <HeadCell className="px-2!">
            <span className="sr-only">Select</span>
          </HeadCell>
          <SortHead by="name" {...sortProps(list)} className="w-full px-2!">
            Item
          </SortHead>
          <SortHead by="type" {...sortProps(list)} className="px-2!">
            Type
          </SortHead>
          <SortHead by="price" {...sortProps(list)} className="px-2! text-right">
            Price
          </SortHead>
          <SortHead by="offered" {...sortProps(list)} className="px-2!">
            Offered
          </SortHead>
          <SortHead by="available" {...sortProps(list)} className="px-2!">
            Available
          </SortHead>
          <HeadCell className="px-2!">
            <span className="sr-only">Actions</span>
          </HeadCell>
        </tr>
      </TableHead>
      <TableBody {...tableRoles.body} className="@max-3xl:block">
        {list.items.map((item) => (
          <ItemRow key={item.id} item={item} {...list} />
        ))}
      </TableBody>
    </Table>
  </div>
)

const sortProps = ({ sorting, onSort }: ItemListing) => ({ sorting, onSort })

const ItemRow = ({ item, ...list }: ItemListing & { item: MenuItem }) => (
  <tr
    {...tableRoles.row}
    className="hover:bg-sand-50 @max-3xl:grid @max-3xl:grid-cols-[auto_1fr_auto] @max-3xl:items-center @max-3xl:py-2"
  >
    <Cell middle {...tableRoles.cell} className="@max-3xl:px-1 @max-3xl:py-0 @3xl:w-px @3xl:px-2! @3xl:py-0!">
      <Checkbox
        label={`Select ${item.name}`}
        hideLabel
        checked={list.chosen.includes(item.id)}
        onChange={() => list.onToggle(item)}
      />
    </Cell>
    <Cell middle {...tableRoles.cell} className="@max-3xl:col-span-2 @max-3xl:py-1 @3xl:py-1.5!">
      <ItemText item={item} />
    </Cell>
    <Cell middle {...tableRoles.cell} className="px-2! py-0! @max-3xl:hidden">
      <TypeBadge type={item.type} />
    </Cell>
    <Cell middle {...tableRoles.cell} className="money px-2! py-0! text-right font-semibold @max-3xl:hidden">
      {kwacha(item.price)}
    </Cell>
    <Cell
      middle
      {...tableRoles.cell}
      className="px-2! py-0! text-xs whitespace-nowrap text-sand-800 @max-3xl:hidden"
    >
      <span className="block">{weeksLabel(item.weekNumbers)}</span>
      <span className="block text-muted">
        {[daysLabel(item.daysOfWeek), item.portionLimit && `${item.portionLimit} a day`]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </Cell>
    <Cell middle {...tableRoles.cell} className="@max-3xl:col-start-2 @max-3xl:py-0 @3xl:px-2! @3xl:py-0!">
      <div className="flex items-center gap-2.5">
        <Switch
          label={`${item.name} available`}
          hideLabel
          checked={item.isAvailable}
          onChange={(isAvailable) => list.onAvailable(item, isAvailable)}
        />
        <span aria-hidden="true" className="text-sm @3xl:hidden">
          Available
        </span>
      </div>
    </Cell>
    <Cell
      middle
      {...tableRoles.cell}
      className="@max-3xl:p-0 @max-sm:col-span-full @max-sm:justify-self-end @3xl:w-px @3xl:px-2! @3xl:py-0!"
    >
      <ItemActions item={item} {...list} hasOrders={list.hasOrders?.[item.id]} />
    </Cell>
  </tr>
)

/** On cards also the values of missing columns. */
const ItemText = ({ item }: { item: MenuItem }) => (
  <div className="flex items-center gap-3">
    <ItemPicture url={item.imageUrl} sizes="56px" className="size-14 @3xl:size-11" />
    <div className="min-w-0">
      <strong className="block font-semibold text-ink @3xl:leading-5">{item.name}</strong>
      <p className="flex min-w-0 flex-wrap items-center gap-1 text-xs @3xl:flex-nowrap">
        <DietMarks diets={item.diets} />
        <span className="line-clamp-1 min-w-0 text-muted">
          {item.description ?? item.categories.join(', ')}
        </span>
      </p>
      <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm @3xl:hidden">
        <strong className="money">{kwacha(item.price)}</strong>
        <TypeBadge type={item.type} />
        <span className="text-xs text-sand-800">{offeredLabel(item)}</span>
      </p>
    </div>
  </div>
)

export const ItemGrid = (list: ItemListing) => (
  <ul className="grid grid-cards gap-4">
    {list.items.map((item) => (
      <ItemCard key={item.id} item={item} {...list} />
    ))}
  </ul>
)

const ItemCard = ({ item, ...list }: ItemListing & { item: MenuItem }) => (
  <li>
    <Card className="flex h-full flex-col overflow-hidden">
      <div className="relative">
        <ItemPicture
          url={item.imageUrl}
          sizes="(width < 40rem) 90vw, 320px"
          className="h-36 w-full rounded-none"
        />
        <span className="absolute top-2 left-2 grid size-10 place-items-center rounded-md bg-surface/90">
          <Checkbox
            label={`Select ${item.name}`}
            hideLabel
            checked={list.chosen.includes(item.id)}
            onChange={() => list.onToggle(item)}
          />
        </span>
        <span className="absolute top-2 right-2">
          {item.isAvailable ? null : <Badge tone="warning">Unavailable</Badge>}
        </span>
      </div>
      <CardText item={item} />
      <div className="flex items-center justify-between gap-2 border-t border-line py-1 pr-1 pl-4">
        <Switch
          label={`${item.name} available`}
          hideLabel
          checked={item.isAvailable}
          onChange={(isAvailable) => list.onAvailable(item, isAvailable)}
        />
        <ItemActions item={item} {...list} hasOrders={list.hasOrders?.[item.id]} />
      </div>
    </Card>
  </li>
)

const CardText = ({ item }: { item: MenuItem }) => (
  <div className="flex flex-1 flex-col gap-2 p-4">
    <div className="flex items-start justify-between gap-2">
      <h3 className="font-semibold">{item.name}</h3>
      <span className="money font-semibold">{kwacha(item.price)}</span>
    </div>
    {item.description ? <p className="line-clamp-2 text-sm text-muted">{item.description}</p> : null}
    <p className="mt-auto flex flex-wrap items-center gap-2 text-sm text-sand-800">
      <TypeBadge type={item.type} />
      {[weeksLabel(item.weekNumbers), daysLabel(item.daysOfWeek), portionsLabel(item), leadLabel(item)]
        .filter(Boolean)
        .join(' · ')}
    </p>
  </div>
)

type ItemActionsProps = Pick<ItemListing, 'onPreview' | 'onSoldOut' | 'onRemove' | 'onUnarchive'> & {
  item: MenuItem
  hasOrders: boolean | undefined
}

/** Deletes items without orders, archives others. */
const ItemActions = ({ item, onPreview, onSoldOut, ...leaving }: ItemActionsProps) => (
  <div className="inline-flex gap-2 @3xl:gap-0 @3xl:[&>*]:min-h-9! @3xl:[&>*]:min-w-9!">
    <IconButton icon="eye" label={`Preview ${item.name}`} onClick={() => onPreview(item)} />
    <Link
      to={paths.editMenuItem(item.id)}
      aria-label={`Edit ${item.name}`}
      title={`Edit ${item.name}`}
      className="tap inline-grid place-items-center rounded-md text-muted transition-colors hover:bg-sand-100 hover:text-ink"
    >
      <Icon name="edit" />
    </Link>
    {item.isArchived ? null : (
      <IconButton icon="calendar" label={`Sold out dates of ${item.name}`} onClick={() => onSoldOut(item)} />
    )}
    <LeavingAction item={item} {...leaving} />
  </div>
)

type LeavingActionProps = Omit<ItemActionsProps, 'onPreview' | 'onSoldOut'>

const LeavingAction = ({ item, hasOrders, onRemove, onUnarchive }: LeavingActionProps) => {
  if (hasOrders === undefined) return <IconButton icon="archive" label="Checking for orders" disabled />
  if (!hasOrders)
    return (
      <IconButton
        icon="trash"
        variant="danger"
        label={`Delete ${item.name}`}
        onClick={() => onRemove({ act: 'delete', item })}
      />
    )
  if (item.isArchived)
    return <IconButton icon="undo" label={`Unarchive ${item.name}`} onClick={() => onUnarchive(item)} />
  return (
    <IconButton
      icon="archive"
      label={`Archive ${item.name}`}
      onClick={() => onRemove({ act: 'archive', item })}
    />
  )
}

/** Shared by rows and cards. */
export type ItemListing = SortProps<ItemSort> & {
  items: MenuItem[]
  /** By id; undefined until known. */
  hasOrders: Record<string, boolean> | undefined
  chosen: number[]
  onToggle: (item: MenuItem) => void
  onPreview: (item: MenuItem) => void
  onSoldOut: (item: MenuItem) => void
  onAvailable: (item: MenuItem, isAvailable: boolean) => void
  onRemove: (asking: Asking) => void
  onUnarchive: (item: MenuItem) => void
}

export type Asking = { act: 'delete' | 'archive'; item: MenuItem }

type ItemConfirmProps = { asking: Asking | null; onClose: () => void }

export const ItemConfirm = ({ asking, onClose }: ItemConfirmProps) => {
  const removing = useMutation(removeItem)
  const archiving = useMutation(archive)
  if (!asking) return null
  const { act, item } = asking
  const params = { id: item.id }
  const words =
    act === 'delete'
      ? { done: 'Menu item deleted successfully', failed: 'Failed to delete menu item' }
      : { done: 'Menu item archived successfully', failed: 'Failed to archive menu item' }
  const confirm = async () => {
    const doing =
      act === 'delete'
        ? removing.mutateAsync({ params })
        : archiving.mutateAsync({ params, body: { isArchived: true } })
    await notifyOutcome<unknown>(doing, words)
    onClose()
  }
  return (
    <ConfirmDialog
      open
      danger={act === 'delete'}
      title={act === 'delete' ? 'Delete this menu item?' : 'Archive this menu item?'}
      confirm={act === 'delete' ? 'Delete' : 'Archive'}
      busy={removing.isPending || archiving.isPending}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {act === 'delete'
        ? `“${item.name}” is removed for good and cannot be brought back. It has no orders, so nobody’s lunch changes.`
        : `“${item.name}” leaves the menu and nobody can order it any more. Orders already placed stay and are cooked. You can unarchive it at any time.`}
    </ConfirmDialog>
  )
}
