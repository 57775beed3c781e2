import type { ItemType } from '#contracts/catalogue'
import { capitalised } from '../../lib/format'
import { Badge } from '../../ui/badge'

/** Which menu an item is on: primary or secondary. */
export const TypeBadge = ({ type }: { type: ItemType }) => (
  <Badge tone={type === 'primary' ? 'brand' : 'info'}>{capitalised(type)}</Badge>
)
