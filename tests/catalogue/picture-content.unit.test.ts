import { assertPicture } from '#modules/catalogue/picture-content.decide'
import { keptPicture, largeSize, pictureAddress, smallSize } from '#contracts/catalogue'

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : part)),
  )

const pngStart = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const chunk = (name: string, size: number) => bytes([0, 0, 0, size], name, Array(size + 4).fill(0))
const png = (...chunks: Uint8Array[]) => bytes(pngStart, ...chunks.map((one) => [...one]))
const webp = (rest: string, flags = 0) =>
  bytes('RIFF', [0, 0, 0, 0], 'WEBP', rest, [0, 0, 0, 0, flags, 0, 0, 0])

const codeOf = (content: Uint8Array) => {
  try {
    assertPicture(content)
    return 'taken'
  } catch (error) {
    const { code, message } = error as { code: string; message: string }
    return `${code}: ${message}`
  }
}

describe('a file is told by its first bytes', () => {
  test.each([
    ['a JPEG', bytes([0xff, 0xd8, 0xff, 0xe0], 'JFIF')],
    ['a PNG', png(chunk('IHDR', 13), chunk('IDAT', 4))],
    ['a plain WebP', webp('VP8 ')],
    ['a WebP with a profile that stands still', webp('VP8X', 0x20)],
  ])('%s is a picture', (_what, content) => expect(codeOf(content)).toBe('taken'))

  test.each([
    ['nothing', bytes(), 'This file is not a picture. Choose a JPEG, PNG or WebP picture.'],
    ['a page', bytes('<html>'), 'This file is not a picture. Choose a JPEG, PNG or WebP picture.'],
    [
      'half a signature',
      bytes([0xff, 0xd8]),
      'This file is not a picture. Choose a JPEG, PNG or WebP picture.',
    ],
    [
      'a sound',
      bytes('RIFF', [0, 0, 0, 0], 'WAVE'),
      'This file is not a picture. Choose a JPEG, PNG or WebP picture.',
    ],
    ['a GIF', bytes('GIF89a'), 'A GIF cannot be used. Choose a JPEG, PNG or WebP picture.'],
    [
      'an SVG',
      bytes('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
      'A drawing (SVG) cannot be used. Choose a JPEG, PNG or WebP picture.',
    ],
    [
      'a HEIC',
      bytes([0, 0, 0, 24], 'ftypheic'),
      'A HEIC picture cannot be used: let the phone save it as JPEG ("most compatible"). Choose a JPEG, PNG or WebP picture.',
    ],
    ['a PDF', bytes('%PDF-1.7'), 'A PDF cannot be used. Choose a JPEG, PNG or WebP picture.'],
  ])('%s is none', (_what, content, words) => expect(codeOf(content)).toBe(`not_a_picture: ${words}`))

  test.each([
    ['PNG', png(chunk('IHDR', 13), chunk('acTL', 8), chunk('IDAT', 4))],
    ['WebP', webp('VP8X', 0x12)],
  ])('a %s that moves is refused', (_kind, content) =>
    expect(codeOf(content)).toBe(
      'picture_animated: A picture that moves cannot be used. Choose one that stands still.',
    ),
  )

  test('a PNG whose chunks lead nowhere ends the search', () =>
    expect(codeOf(png(bytes([0xff, 0xff, 0xff, 0xff], 'junk')))).toBe('taken'))
})

describe('sizes and addresses', () => {
  test.each([
    [
      { width: 4000, height: 3000 },
      { width: 960, height: 720 },
      { width: 320, height: 240 },
    ],
    [
      { width: 3000, height: 4000 },
      { width: 720, height: 960 },
      { width: 240, height: 320 },
    ],
    [
      { width: 200, height: 100 },
      { width: 200, height: 100 },
      { width: 200, height: 100 },
    ],
    [
      { width: 9000, height: 2 },
      { width: 960, height: 1 },
      { width: 320, height: 1 },
    ],
  ])('%j is shown as %j and %j', (uploaded, large, small) => {
    expect(largeSize(uploaded)).toEqual(large)
    expect(smallSize(large)).toEqual(small)
  })

  const hash = 'a1'.repeat(16)
  test('an address tells hash and size', () => {
    const picture = { hash, width: 960, height: 720 }
    expect(pictureAddress(picture)).toBe(`/pictures/${hash}-960x720.webp`)
    expect(keptPicture(pictureAddress(picture))).toEqual(picture)
  })

  test.each([
    null,
    '',
    'https://example.org/a.jpg',
    `/pictures/${hash}.webp`,
    `/pictures/${hash}-0x720.webp`,
    `/pictures/../${hash}-960x720.webp`,
    `https://example.org/pictures/${hash}-960x720.webp`,
    `/pictures/${hash}-960x720.webp\n`,
  ])('%j is no picture of ours', (address) => expect(keptPicture(address)).toBeNull())
})
