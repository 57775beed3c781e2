import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'

/**
 * The Chromium that came with npm, unpacked once into this clone: the machine's own temporary folder may hold one that
 * another user unpacked.
 */
export const unpackedChromium = async (): Promise<string> => {
  const { TMPDIR } = process.env
  const folder = resolve('node_modules/.cache/chromium')
  await mkdir(folder, { recursive: true })
  process.env.TMPDIR = folder
  const { default: packed } = await import('@sparticuz/chromium')
  const path = await packed.executablePath()
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
  return path
}
