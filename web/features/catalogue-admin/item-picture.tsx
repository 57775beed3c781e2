import type { ItemType } from '#contracts/catalogue'
import { pictureSources } from '#contracts/pictures'
import { capitalised } from '../../lib/format'
import { Badge } from '../../ui/badge'
import { Picture } from '../../ui/picture'

type ItemPictureProps = { url: string | null | undefined; sizes: string; className: string }

/** The picture of a dish, or a bowl where there is none or it cannot be loaded. Give the size by class. */
export const ItemPicture = ({ url, sizes, className }: ItemPictureProps) => (
  <Picture of={pictureSources(url)} sizes={sizes} className={className} />
)

/** Which menu an item is on: primary or secondary. */
export const TypeBadge = ({ type }: { type: ItemType }) => (
  <Badge tone={type === 'primary' ? 'brand' : 'info'}>{capitalised(type)}</Badge>
)
