import { useState } from 'react'
import { classes } from '../lib/classes'
import { Icon } from './icon'

/** Where a picture is, in which sizes; nothing for no picture. The numbers are those of its large size. */
type PictureSources = { src: string; srcSet?: string; width?: number; height?: number }

type PictureProps = {
  of: PictureSources | null
  /** How wide it is shown, as the `sizes` of an image: `64px`. */
  sizes: string
  /** Its frame: give width and height, or a shape, so that nothing moves when it comes. */
  className: string
  /** Loads it at once; others wait until they come near the screen. */
  eager?: boolean
}

/** A picture that only decorates. A bowl stands where there is none, or none that can be loaded. */
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
