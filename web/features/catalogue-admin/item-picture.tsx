import { useState } from 'react'
import type { ItemType } from '#contracts/catalogue'
import { classes } from '../../lib/classes'
import { Icon } from '../../ui/icon'
import { capitalised } from '../../lib/format'
import { Badge } from '../../ui/badge'

type ItemPictureProps = { url: string | null | undefined; className: string }

/** The picture of a dish, or a bowl where there is none or it cannot be loaded. Give the size by class. */
export const ItemPicture = ({ url, className }: ItemPictureProps) => {
  const [broken, setBroken] = useState<string | null>(null)
  const frame = classes('shrink-0 overflow-hidden rounded-md', className)
  if (!url || broken === url)
    return (
      <span
        aria-hidden="true"
        className={classes(frame, 'grid place-items-center bg-accent-50 text-accent-600')}
      >
        <Icon name="bowl" size="lg" />
      </span>
    )
  return (
    <img
      src={url}
      alt=""
      loading="lazy"
      className={classes(frame, 'bg-sand-100 object-cover')}
      onError={() => setBroken(url)}
    />
  )
}

/** Which menu an item is on: primary or secondary. */
export const TypeBadge = ({ type }: { type: ItemType }) => (
  <Badge tone={type === 'primary' ? 'brand' : 'info'}>{capitalised(type)}</Badge>
)
