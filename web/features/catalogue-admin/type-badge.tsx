import type { ItemType } from '#contracts/catalogue'
import { Badge } from '../../ui/badge'
import { capitalised } from './offered'

/** Which menu an item is on: primary or secondary. */
export const TypeBadge = ({ type }: { type: ItemType }) => (
  <Badge tone={type === 'primary' ? 'brand' : 'info'}>{capitalised(type)}</Badge>
)
