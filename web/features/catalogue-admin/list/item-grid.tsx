import type { MenuItem } from '#contracts/catalogue'
import { kwacha } from '../../../lib/format'
import { Badge } from '../../../ui/badge'
import { Card } from '../../../ui/card'
import { Checkbox } from '../../../ui/checkbox'
import { Switch } from '../../../ui/switch'
import { ItemActions, type ItemListing } from './item-actions'
import { ItemPicture, TypeBadge } from '../item-picture'
import { daysLabel, portionsLabel, weeksLabel } from './offered'

/** The items as cards with their pictures. */
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
            onChange={() => list.onToggle(item.id)}
          />
        </span>
        <span className="absolute top-2 right-2">
          {item.isAvailable ? null : <Badge tone="warning">Unavailable</Badge>}
        </span>
      </div>
      <CardWords item={item} />
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

const CardWords = ({ item }: { item: MenuItem }) => (
  <div className="flex flex-1 flex-col gap-2 p-4">
    <div className="flex items-start justify-between gap-2">
      <h3 className="font-semibold">{item.name}</h3>
      <span className="money font-semibold">{kwacha(item.price)}</span>
    </div>
    {item.description ? <p className="line-clamp-2 text-sm text-muted">{item.description}</p> : null}
    <p className="mt-auto flex flex-wrap items-center gap-2 text-sm text-sand-800">
      <TypeBadge type={item.type} />
      {[weeksLabel(item.weekNumbers), daysLabel(item.daysOfWeek), portionsLabel(item)]
        .filter(Boolean)
        .join(' · ')}
    </p>
  </div>
)
