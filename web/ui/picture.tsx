import { useState } from 'react'
import { classes } from '../lib/classes'
import { Icon } from './icon'

/** Dimensions of the large size; nothing for no picture. */
type PictureSources = { src: string; srcSet?: string; width?: number; height?: number }

type PictureProps = {
  of: PictureSources | null
  /** `sizes` of the image, e.g. `64px`. */
  sizes: string
  /** Needs width and height or a shape, so that nothing jumps. */
  className: string
  /** Otherwise loads near the viewport. */
  eager?: boolean
}

/** Decorative. A bowl replaces a missing picture. */
export const Picture = ({ of, sizes, className, eager = false }: PictureProps) => {
  const [broken, setBroken] = useState<string | null>(null)
  const frame = classes('shrink-0 overflow-hidden rounded-md', className)
  if (!of || broken === of.src)
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
      {...of}
      sizes={sizes}
      alt=""
      loading={eager ? 'eager' : 'lazy'}
      className={classes(frame, 'bg-sand-100 object-cover')}
      onError={() => setBroken(of.src)}
    />
  )
}
