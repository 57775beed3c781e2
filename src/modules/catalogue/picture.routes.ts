import { createHash } from 'node:crypto'
import type { Metadata, SharpOptions } from 'sharp'
import {
  readPictureName,
  maxPicture,
  uploadPicture,
  pictureAddress,
  largeSize,
  smallSize,
} from '#contracts/pictures'
import { receiveUpload, uploadBodyOf } from '#platform/http/body'
import { replyJson, notFound } from '#platform/http/request'
import { anyone, rawRoute, withFeature, type RateLimit, type Route } from '#platform/http/route'
import { limitConcurrency } from '#platform/pacing'
import type { Ports } from '#platform/ports'
import { assertPicture } from './picture-content.decide'
import { insertPicture, pictureBytes } from './pictures.rows'
import { refused } from './refusals'

const limit: RateLimit = { name: 'pictures', points: 120, seconds: 600, by: 'user' }

export const pictureRoutes = (
  commands: { keepPicture: ReturnType<typeof keepPicture> },
  { database: { pool } }: Ports,
): Route[] => [
  rawRoute({
    method: uploadPicture.method,
    path: uploadPicture.path,
    access: withFeature('menu'),
    options: { maxBodyBytes: uploadBodyOf(maxPicture.bytes), limit },
    serve: async (context) => {
      const { bytes } = await receiveUpload(context, maxPicture.bytes)
      const imageUrl = await commands.keepPicture(bytes)
      replyJson(context, uploadPicture.status, uploadPicture.reply.parse({ imageUrl }))
    },
  }),

  // The address holds the content's hash: it cannot be guessed, and every copy is the same.
  rawRoute({
    method: 'GET',
    path: '/pictures/:name',
    access: anyone,
    serve: async (context, { params }) => {
      const name = readPictureName((params as { name: string }).name)
      const bytes = name && (await pictureBytes(pool, name))
      if (!bytes) throw notFound()
      context.type = 'image/webp'
      context.set('Cache-Control', 'public, max-age=31536000, immutable')
      context.body = bytes
    },
  }),
]

// Half a SHA-256: unguessable and unique.
const hashDigits = 32

/** The same picture gets the same address. Throws a refusal for an unusable picture. */
export const keepPicture =
  ({ database: { knex }, now }: Ports) =>
  async (uploaded: Buffer): Promise<string> => {
    const sizes = await drawSizes(uploaded)
    const large = sizes[0]!
    const hash = createHash('sha256').update(large.bytes).digest('hex').slice(0, hashDigits)
    await insertPicture(knex, hash, sizes, now())
    return pictureAddress({ hash, width: large.width, height: large.height })
  }

/** WebP, rotated upright, without metadata. */
type DrawnSize = { width: number; height: number; bytes: Buffer }

/** Loaded with the first picture: a service that gets none holds 20 MiB less. */
const loadSharp = async () => {
  const { default: sharp } = await import('sharp')
  // Blocks every decoder but those named below.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
  })
  // One thread leaves the others to requests; pictures do not repeat, so no cache.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

const maxSeconds = 10
const quality = 80

const narrowest = 10
const minSide = 16

/** A 40 megapixel picture can take 160 MB to decode. */
const twoAtOnce = limitConcurrency(2)

const input: SharpOptions = { failOn: 'error', limitInputPixels: maxPicture.pixels, autoOrient: true }

/**
 * Large and small size, or one if it is small; 10 s each. Throws `not_a_picture`, `picture_animated`, `picture_broken`,
 * `picture_too_many_pixels`, `picture_too_narrow` or `picture_too_small`.
 */
const drawSizes = async (bytes: Buffer): Promise<DrawnSize[]> => {
  assertPicture(bytes)
  return twoAtOnce(async () => {
    const { width, height } = (await metadataOf(bytes)).autoOrient
    assertShape(width, height)
    const large = largeSize({ width, height })
    const small = smallSize(large)
    const sizes = small.width < large.width || small.height < large.height ? [large, small] : [large]
    const drawn: DrawnSize[] = []
    for (const size of sizes) drawn.push({ ...size, bytes: await draw(drawn[0]?.bytes ?? bytes, size) })
    return drawn
  })
}

/** Reads the header before any pixel is decoded. */
const metadataOf = async (bytes: Buffer): Promise<Metadata> => {
  const sharp = await loadSharp()
  const metadata = await sharp(bytes, { ...input, limitInputPixels: false })
    .metadata()
    .catch(broken)
  if (metadata.width * metadata.height > maxPicture.pixels)
    throw refused(
      'picture_too_many_pixels',
      'This picture has more than 40 megapixels. Make it smaller and choose it again.',
    )
  return metadata
}

const assertShape = (width: number, height: number): void => {
  const [short, long] = [Math.min(width, height), Math.max(width, height)]
  if (long > short * narrowest)
    throw refused(
      'picture_too_narrow',
      `This picture has ${width} by ${height} pixels. Choose one whose longer side is at most ${narrowest} times the shorter.`,
    )
  if (short < minSide)
    throw refused(
      'picture_too_small',
      `This picture has ${width} by ${height} pixels. Choose one with at least ${minSide} on each side.`,
    )
}

const draw = async (bytes: Buffer, { width, height }: { width: number; height: number }): Promise<Buffer> => {
  const sharp = await loadSharp()
  return sharp(bytes, input)
    .resize({ width, height, fit: 'fill' })
    .webp({ quality })
    .timeout({ seconds: maxSeconds })
    .toBuffer()
    .catch(broken)
}

const broken = (): never => {
  throw refused('picture_broken', 'This picture is damaged or was cut off. Choose another file.')
}
