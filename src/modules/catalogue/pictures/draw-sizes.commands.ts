import sharp, { type Metadata, type SharpOptions } from 'sharp'
import { largeSize, smallSize } from '#contracts/pictures'
import { largestPicture } from '#contracts/picture-upload'
import { atMost } from '#platform/at-most'
import { refused } from '../refusals'
import { assertPicture } from './picture-content.decide'

/** One size of a picture: WebP, turned as it was taken, without anything but its pixels. */
export type DrawnSize = { width: number; height: number; bytes: Buffer }

// Whatever a file claims to be, no other decoder is asked.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})
// One thread for a picture leaves the others to requests; no picture comes twice, so none is worth remembering.
sharp.concurrency(1)
sharp.cache(false)

const longestSeconds = 10
const quality = 80

/** A picture of 40 megapixels can take 160 MB while it is decoded. */
const twoAtOnce = atMost(2)

// A truncated file is refused; a warning about some tag that a phone wrote is not.
const input: SharpOptions = { failOn: 'error', limitInputPixels: largestPicture.pixels, autoOrient: true }

/**
 * The large and the small size of an uploaded picture, or one where it is small already. At most two are made at once,
 * each in 10 s. Throws `not_a_picture`, `picture_animated`, `picture_broken` or `picture_too_many_pixels`.
 */
export const drawSizes = async (bytes: Buffer): Promise<DrawnSize[]> => {
  assertPicture(bytes)
  return twoAtOnce(async () => {
    const { width, height } = (await metadataOf(bytes)).autoOrient
    const large = largeSize({ width, height })
    const small = smallSize(large)
    const sizes = small.width < large.width || small.height < large.height ? [large, small] : [large]
    const drawn: DrawnSize[] = []
    for (const size of sizes) drawn.push({ ...size, bytes: await draw(drawn[0]?.bytes ?? bytes, size) })
    return drawn
  })
}

/** What its head says, before any pixel is decoded. */
const metadataOf = async (bytes: Buffer): Promise<Metadata> => {
  const metadata = await sharp(bytes, { ...input, limitInputPixels: false })
    .metadata()
    .catch(broken)
  if (metadata.width * metadata.height > largestPicture.pixels)
    throw refused(
      'picture_too_many_pixels',
      'This picture has more than 40 megapixels. Make it smaller and choose it again.',
    )
  return metadata
}

/** The size is exact: a picture keeps its shape to the pixel that its address tells. */
const draw = (bytes: Buffer, { width, height }: { width: number; height: number }): Promise<Buffer> =>
  sharp(bytes, input)
    .resize({ width, height, fit: 'fill' })
    .webp({ quality })
    .timeout({ seconds: longestSeconds })
    .toBuffer()
    .catch(broken)

const broken = (): never => {
  throw refused('picture_broken', 'This picture is damaged or was cut off. Choose another file.')
}
