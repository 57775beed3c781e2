import * as z from 'zod/mini'
import { endpoint } from './endpoint'

/** What a picture of a dish may have when it is uploaded. */
export const largestPicture = { bytes: 8 * 1024 * 1024, pixels: 40_000_000 } as const

/** Multipart with one field `file`: a JPEG, PNG or WebP. The answer is what a menu item then names as its picture. */
export const uploadPicture = endpoint('POST', '/api/menu/pictures', {
  status: 201,
  reply: z.object({ imageUrl: z.string() }),
})
