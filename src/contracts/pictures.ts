type Size = { width: number; height: number }

/** The longer side of what is shown large, and of what is shown in lists, in pixels. A picture is never enlarged. */
const largestSide = 960
const smallSide = 320

const within = ({ width, height }: Size, side: number): Size => {
  const factor = Math.min(1, side / Math.max(width, height))
  return {
    width: Math.max(1, Math.round(width * factor)),
    height: Math.max(1, Math.round(height * factor)),
  }
}

/** The large size of an uploaded picture, which its address tells. */
export const largeSize = (uploaded: Size): Size => within(uploaded, largestSide)
/** The small size, which follows from the large one. */
export const smallSize = (large: Size): Size => within(large, smallSide)

/** The picture's hash, and the width and height of this size of it. */
export type PictureName = Size & { hash: string }

const written = /^([0-9a-f]{32})-([1-9]\d{0,2})x([1-9]\d{0,2})\.webp$/
const folder = '/pictures/'

/** Where such a picture is: what it shows never changes at this address. */
export const pictureAddress = ({ hash, width, height }: PictureName): string =>
  `${folder}${hash}-${width}x${height}.webp`

/** What the name of a picture says; null where it is none. */
export const readPictureName = (name: string): PictureName | null => {
  const [, hash, width, height] = written.exec(name) ?? []
  return hash ? { hash, width: Number(width), height: Number(height) } : null
}

/** The same of the picture of a menu item; null for a picture that is kept elsewhere. */
export const keptPicture = (imageUrl: string | null | undefined): PictureName | null =>
  imageUrl?.startsWith(folder) ? readPictureName(imageUrl.slice(folder.length)) : null

/** Where a menu item's picture is, for an `<img>`: one of ours in both its sizes; null for no picture. */
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
