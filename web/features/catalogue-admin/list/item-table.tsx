import type { MenuItem } from '#contracts/catalogue'
import { kwacha } from '../../../lib/format'
import { Checkbox } from '../../../ui/checkbox'
import { Switch } from '../../../ui/switch'
import { SortHead } from '../../../ui/sort-head'
import { Cell, HeadCell, Table, TableBody, TableHead, tableRoles } from '../../../ui/table'
import { ItemActions, type ItemListing } from './item-actions'
import { ItemPicture, TypeBadge } from '../item-picture'
import { daysLabel, offeredLabel, portionsLabel, weeksLabel } from './offered'

/** The items as rows; where there is no room for a table, each row becomes a small card. */
export const ItemTable = (list: ItemListing) => (
  <div className="@container">
    <Table label="Menu items" aria-label="Menu items" {...tableRoles.table} className="@max-3xl:block">
      <TableHead className="@max-3xl:hidden">
        <tr>
          <HeadCell>
            <span className="sr-only">Select</span>
          </HeadCell>
          <SortHead by="name" {...sortProps(list)}>
            Item
          </SortHead>
          <SortHead by="type" {...sortProps(list)}>
            Type
          </SortHead>
          <SortHead by="price" {...sortProps(list)} className="text-right">
            Price
          </SortHead>
          <SortHead by="offered" {...sortProps(list)}>
            Offered
          </SortHead>
          <SortHead by="available" {...sortProps(list)}>
            Available
          </SortHead>
          <HeadCell>
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
    <Cell middle {...tableRoles.cell} className="@max-3xl:px-1 @max-3xl:py-0 @3xl:w-px">
      <Checkbox
        label={`Select ${item.name}`}
        hideLabel
        checked={list.chosen.includes(item.id)}
        onChange={() => list.onToggle(item.id)}
      />
    </Cell>
    <Cell middle {...tableRoles.cell} className="@max-3xl:col-span-2 @max-3xl:py-1">
      <ItemWords item={item} />
    </Cell>
    <Cell middle {...tableRoles.cell} className="@max-3xl:hidden">
      <TypeBadge type={item.type} />
    </Cell>
    <Cell middle {...tableRoles.cell} className="money text-right font-semibold @max-3xl:hidden">
      {kwacha(item.price)}
    </Cell>
    <Cell middle {...tableRoles.cell} className="text-sand-800 @max-3xl:hidden">
      <span className="block whitespace-nowrap">{weeksLabel(item.weekNumbers)}</span>
      <span className="block text-xs text-muted">{daysLabel(item.daysOfWeek)}</span>
      <span className="block text-xs text-muted">{portionsLabel(item)}</span>
    </Cell>
    <Cell middle {...tableRoles.cell} className="@max-3xl:col-start-2 @max-3xl:py-0">
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
      className="@max-3xl:p-0 @max-sm:col-span-full @max-sm:justify-self-end @3xl:w-px"
    >
      <ItemActions item={item} {...list} hasOrders={list.hasOrders?.[item.id]} />
    </Cell>
  </tr>
)

/** Picture, name and description; without room for columns also what those would say. */
const ItemWords = ({ item }: { item: MenuItem }) => (
  <div className="flex items-center gap-3">
    <ItemPicture url={item.imageUrl} sizes="56px" className="size-14" />
    <div className="min-w-0">
      <strong className="block font-semibold text-ink">{item.name}</strong>
      <p className="line-clamp-1 text-xs text-muted">{item.description ?? item.categories.join(', ')}</p>
      <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm @3xl:hidden">
        <strong className="money">{kwacha(item.price)}</strong>
        <TypeBadge type={item.type} />
        <span className="text-xs text-sand-800">{offeredLabel(item)}</span>
      </p>
    </div>
  </div>
)
