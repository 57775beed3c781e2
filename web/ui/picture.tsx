import { useCallback, useState } from 'react'
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
  /** `near`: as the browser thinks best, which on a slow line is far ahead. */
  when?: 'atOnce' | 'near' | 'seen'
}

/** Decorative. A bowl replaces a missing picture. */
export const Picture = ({ of, sizes, className, when = 'near' }: PictureProps) => {
  const [broken, setBroken] = useState<string | null>(null)
  const { isSeen, watch } = useSeen()
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
  if (when === 'seen' && !isSeen)
    return <span ref={watch} aria-hidden="true" className={classes(frame, 'bg-sand-100')} />
  return (
    <img
      {...of}
      sizes={sizes}
      alt=""
      loading={when === 'near' ? 'lazy' : 'eager'}
      className={classes(frame, 'bg-sand-100 object-cover')}
      onError={() => setBroken(of.src)}
    />
  )
}

const useSeen = () => {
  const [isSeen, setSeen] = useState(false)
  const watch = useCallback((place: HTMLElement | null) => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    if (place) observer.observe(place)
    return () => observer.disconnect()
  }, [])
  return { isSeen, watch }
}
