import * as z from 'zod/mini'
import { endpoint } from './endpoint'

type Size = { width: number; height: number }

/** Longer side in pixels of the large and the small size. A picture is never enlarged. */
const maxSide = 960
const smallSide = 320

const within = ({ width, height }: Size, side: number): Size => {
  const factor = Math.min(1, side / Math.max(width, height))
  return {
    width: Math.max(1, Math.round(width * factor)),
    height: Math.max(1, Math.round(height * factor)),
  }
}

export const largeSize = (uploaded: Size): Size => within(uploaded, maxSide)
export const smallSize = (large: Size): Size => within(large, smallSide)

export type PictureName = Size & { hash: string }

const written = /^([0-9a-f]{32})-([1-9]\d{0,2})x([1-9]\d{0,2})\.webp$/
const folder = '/pictures/'

export const pictureAddress = ({ hash, width, height }: PictureName): string =>
  `${folder}${hash}-${width}x${height}.webp`

export const readPictureName = (name: string): PictureName | null => {
  const [, hash, width, height] = written.exec(name) ?? []
  return hash ? { hash, width: Number(width), height: Number(height) } : null
}

export const keptPicture = (imageUrl: string | null | undefined): PictureName | null =>
  imageUrl?.startsWith(folder) ? readPictureName(imageUrl.slice(folder.length)) : null

export const pictureSources = (
  imageUrl: string | null | undefined,
): { src: string; srcSet?: string; width?: number; height?: number } | null => {
  if (!imageUrl) return null
  const large = keptPicture(imageUrl)
  if (!large) return { src: imageUrl }
  const { width, height } = large
  const small = { ...large, ...smallSize(large) }
  const both = [`${pictureAddress(small)} ${small.width}w`, `${imageUrl} ${width}w`]
  return { src: imageUrl, width, height, srcSet: both.join(', ') }
}

export const maxPicture = { bytes: 8 * 1024 * 1024, pixels: 40_000_000 } as const

/** Multipart with one field `file`: JPEG, PNG or WebP. Answers the `imageUrl` for a menu item. */
export const uploadPicture = endpoint('POST', '/api/menu/pictures', {
  status: 201,
  reply: z.object({ imageUrl: z.string() }),
})
