/** Twice what the menu shows; the server makes its own sizes of it. */
const longestSide = 2_000
const smallEnough = 1024 * 1024

/** A phone's photograph made smaller before it is sent; as it is where that gains nothing or the browser cannot. */
export const smallerPicture = async (file: File): Promise<Blob> => {
  if (file.size <= smallEnough || typeof createImageBitmap === 'undefined') return file
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  if (!bitmap) return file
  const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(bitmap.width * scale)
  canvas.height = Math.round(bitmap.height * scale)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  // A transparent PNG would get a black ground as JPEG.
  const type = file.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp'
  const made = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, type, 0.85)
  })
  return made && made.type === type && made.size < file.size ? made : file
}
