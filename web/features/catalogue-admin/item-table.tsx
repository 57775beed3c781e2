import type { MenuItem } from '#contracts/catalogue'
import { kwacha } from '../../lib/format'
import { Badge } from '../../ui/badge'
import { Checkbox } from '../../ui/checkbox'
import { Switch } from '../../ui/switch'
import { Cell, HeadCell, Table, TableBody, TableHead } from '../../ui/table'
import { tableRoles } from '../../ui/table-roles'
import { ItemActions } from './item-actions'
import type { ItemListing } from './item-listing'
import { ItemPicture } from './item-picture'
import { daysLabel, typeLabel, weeksLabel } from './offered'

/** The items as rows; where there is no room for a table, each row becomes a small card. */
export const ItemTable = (list: ItemListing) => (
  <div className="@container">
    <Table label="Menu items" {...tableRoles.table} className="@max-3xl:block">
      <TableHead className="@max-3xl:hidden">
        <tr>
          <HeadCell>
            <span className="sr-only">Select</span>
          </HeadCell>
          <HeadCell>Item</HeadCell>
          <HeadCell>Type</HeadCell>
          <HeadCell className="text-right">Price</HeadCell>
          <HeadCell>Offered</HeadCell>
          <HeadCell>Available</HeadCell>
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

const ItemRow = ({ item, ...list }: ItemListing & { item: MenuItem }) => (
  <tr
    {...tableRoles.row}
    className="hover:bg-sand-50 @max-3xl:flex @max-3xl:flex-wrap @max-3xl:items-center @max-3xl:gap-x-3 @max-3xl:py-2"
  >
    <Cell {...tableRoles.cell} className="w-px align-middle @max-3xl:p-1">
      <Checkbox
        label={`Select ${item.name}`}
        hideLabel
        checked={list.chosen.includes(item.id)}
        onChange={() => list.onToggle(item.id)}
      />
    </Cell>
    <Cell {...tableRoles.cell} className="align-middle @max-3xl:min-w-48 @max-3xl:flex-1 @max-3xl:p-1">
      <div className="flex items-center gap-3">
        <ItemPicture url={item.imageUrl} className="size-12" />
        <div className="min-w-0">
          <p className="font-semibold text-ink">{item.name}</p>
          <p className="line-clamp-1 text-xs text-muted">{item.description ?? choicesOf(item)}</p>
        </div>
      </div>
    </Cell>
    <Cell {...tableRoles.cell} className="align-middle @max-3xl:p-1">
      <Badge tone={item.type === 'primary' ? 'brand' : 'info'}>{typeLabel(item.type)}</Badge>
    </Cell>
    <Cell {...tableRoles.cell} className="money text-right align-middle font-semibold @max-3xl:p-1">
      {kwacha(item.price)}
    </Cell>
    <Cell {...tableRoles.cell} className="align-middle text-sand-800 @max-3xl:p-1">
      <span className="block whitespace-nowrap @max-3xl:inline">{weeksLabel(item.weekNumbers)}</span>
      <span className="text-xs text-muted @max-3xl:ml-2">{daysLabel(item.daysOfWeek)}</span>
    </Cell>
    <Cell {...tableRoles.cell} className="align-middle @max-3xl:p-1">
      <Switch
        label={`${item.name} available`}
        hideLabel
        checked={item.isAvailable}
        onChange={(isAvailable) => list.onAvailable(item, isAvailable)}
      />
    </Cell>
    <Cell {...tableRoles.cell} className="w-px align-middle @max-3xl:ml-auto @max-3xl:p-0">
      <ItemActions item={item} {...list} hasOrders={list.hasOrders?.[item.id]} />
    </Cell>
  </tr>
)

const choicesOf = (item: MenuItem) => item.categories.join(', ')
