// `node scripts/draw-icons.mjs`: draws the application icons from web/public/favicon.svg in Chromium (npm's, or CHROME_PATH). Run it when
// the drawing changes.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { root } from './root.mjs'

const folder = join(root, 'web/public')
const drawing = readFileSync(join(folder, 'favicon.svg'), 'utf8')
const ground = /fill="(#\w+)"/.exec(drawing)[1]

const embedded = async () => {
  process.env.TMPDIR = join(root, 'node_modules/.cache/chromium')
  mkdirSync(process.env.TMPDIR, { recursive: true })
  const { default: packed } = await import('@sparticuz/chromium')
  return packed.executablePath()
}
const browser = await chromium.launch({
  executablePath: process.env.CHROME_PATH || (await embedded()),
  args: ['--no-sandbox', '--disable-gpu'],
})

/** With round corners, or filled for devices that cut their own shape. */
const draw = async (size, { filled = false } = {}) => {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  const style = `body { margin: 0; background: ${filled ? ground : 'none'} }
    svg { display: block; width: 100vw; height: 100vh; transform: scale(${filled ? 0.88 : 1}) }`
  await page.setContent(`<style>${style}</style>${drawing}`)
  const png = await page.screenshot({ omitBackground: true })
  await page.close()
  return png
}

/** An icon file holding one PNG. */
const icoOf = (png, size) => {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.set([size, size], 6)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}

const write = (name, bytes) => writeFileSync(join(folder, name), bytes)
write('icon-192.png', await draw(192))
write('icon-512.png', await draw(512))
write('icon-maskable-512.png', await draw(512, { filled: true }))
write('apple-touch-icon.png', await draw(180, { filled: true }))
write('favicon.ico', icoOf(await draw(32), 32))
await browser.close()
