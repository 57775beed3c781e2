import sharp from 'sharp'
import { uploadPicture } from '#contracts/picture-upload'
import type { Client } from './client'
import { dishDrawings } from './drawings/dishes'

/** Uploads the drawing of a dish as the office would a photograph; answers its address, null for a dish without one. */
export const uploadDrawing = async (office: Client, dish: string): Promise<string | null> => {
  const drawing = dishDrawings[dish]
  if (!drawing) return null
  // The menu has blocked it in this process: nobody uploads SVG, but the demonstration's own drawings are written in it.
  sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] })
  const bytes = await sharp(Buffer.from(drawing())).png({ compressionLevel: 1 }).toBuffer()
  const form = new FormData()
  form.set('file', new Blob([bytes], { type: 'image/png' }), `${dish}.png`)
  const answer = await office.fetch(uploadPicture.path, { method: uploadPicture.method, body: form })
  if (!answer.ok) throw new Error(`The drawing of ${dish} was not taken: ${await answer.text()}`)
  return uploadPicture.reply.parse(await answer.json()).imageUrl
}
