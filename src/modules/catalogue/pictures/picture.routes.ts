import { readPictureName } from '#contracts/pictures'
import { largestPicture, uploadPicture } from '#contracts/picture-upload'
import { replyJson } from '#platform/http/error-replies'
import { notFound } from '#platform/http/http-refusals'
import { anyone, rawRoute, withFeature, type RateLimit, type Route } from '#platform/http/route'
import { receiveUpload, uploadBodyOf } from '#platform/http/upload'
import type { CatalogueNeeds } from '../needs'
import type { keepPicture } from './picture.commands'
import { pictureBytes } from './pictures.rows'

/** Each costs up to a second of one processor: a whole menu in one go, and not many more. */
const limit: RateLimit = { name: 'pictures', points: 120, seconds: 600, by: 'user' }

/** Pictures of dishes: uploaded by who has the menu, and shown. */
export const pictureRoutes = (
  commands: { keepPicture: ReturnType<typeof keepPicture> },
  { database: { pool } }: Pick<CatalogueNeeds, 'database'>,
): Route[] => [
  rawRoute({
    method: uploadPicture.method,
    path: uploadPicture.path,
    access: withFeature('menu'),
    options: { maxBodyBytes: uploadBodyOf(largestPicture.bytes), limit },
    serve: async (context) => {
      const { bytes } = await receiveUpload(context, largestPicture.bytes)
      const imageUrl = await commands.keepPicture(bytes)
      replyJson(context, uploadPicture.status, uploadPicture.reply.parse({ imageUrl }))
    },
  }),

  // The address holds the hash of what is there, so nobody finds one by guessing, and every copy of it is the same.
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
