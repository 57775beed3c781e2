import sharp from 'sharp'
import { updateMenuItem } from '#contracts/catalogue'
import { keptPicture, pictureAddress, smallSize, maxPicture, uploadPicture } from '#contracts/pictures'
import type { Principal } from '#platform/http/route'
import { administrator, parent } from '../support/module-server'
import { cook, multipart, soup, startCatalogueOnly } from './catalogue-only'

let school: Awaited<ReturnType<typeof startCatalogueOnly>>
beforeAll(async () => {
  school = await startCatalogueOnly()
})
beforeEach(() => school.reset())
afterAll(() => school.close())

const form = (content: Buffer | string, fileName = 'dish.jpg', type = 'image/jpeg') =>
  multipart(content, { fileName, type })
const ask = (content: Buffer | string, who: Principal | null = cook) =>
  school.server.ask(who, uploadPicture.path, form(content))
const kept = async (content: Buffer): Promise<string> => {
  const answer = await ask(content)
  expect([answer.status, answer.text]).toEqual([201, expect.stringContaining('/pictures/')])
  return uploadPicture.reply.parse(answer.json()).imageUrl
}
const refusedFor = async (content: Buffer | string) => {
  const answer = await ask(content)
  return `${answer.status} ${answer.json<{ code: string }>().code}`
}
/** As anybody sees it, without a session. */
const seen = (address: string) => school.server.ask(null, address, {})

/** Red on the left, blue on the right. */
const halves = (width = 1200, height = 800) => {
  const half = { width: width / 2, height, channels: 3 as const }
  return sharp({ create: { ...half, width, background: '#d02020' } }).composite([
    { input: { create: { ...half, background: '#2020d0' } }, left: width / 2, top: 0 },
  ])
}
const colourAt = async (picture: Buffer, left: number, top: number) => {
  const { data } = await sharp(picture)
    .extract({ left, top, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return data[0]! > data[2]! ? 'red' : 'blue'
}

const shaped = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#a63' } })
    .png()
    .toBuffer()

describe('an uploaded picture', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('a %s is kept as WebP in two sizes', async (kind) => {
    const imageUrl = await kept(await halves().toFormat(kind).toBuffer())
    const large = keptPicture(imageUrl)!
    expect(large).toMatchObject({ width: 960, height: 640 })
    for (const size of [large, { ...large, ...smallSize(large) }]) {
      const answer = await seen(pictureAddress(size))
      expect(answer.headers).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      })
      expect(answer.headers['set-cookie']).toBeUndefined()
      const { format, width, height } = await sharp(answer.bytes).metadata()
      expect({ format, width, height }).toEqual({ format: 'webp', width: size.width, height: size.height })
    }
  })

  test('is turned as it was taken, and loses what the phone wrote into it', async () => {
    const taken = await halves()
      .jpeg()
      .withExif({ IFD0: { Artist: 'Mutinta' }, IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '15/1 24/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const before = await sharp(taken).metadata()
    expect([before.orientation, before.exif!.includes('Mutinta')]).toEqual([6, true])
    const imageUrl = await kept(taken)
    expect(keptPicture(imageUrl)).toMatchObject({ width: 640, height: 960 })
    const { bytes } = await seen(imageUrl)
    const after = await sharp(bytes).metadata()
    expect([after.orientation, after.exif, after.xmp, after.icc]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(bytes.includes('Mutinta')).toBe(false)
    expect(await colourAt(bytes, 320, 100)).toBe('red')
    expect(await colourAt(bytes, 320, 860)).toBe('blue')
  })

  test('is told by its content, not by its name; a small one is not enlarged; the same one has the same address', async () => {
    const small = await halves(200, 100).png().toBuffer()
    const first = await kept(small)
    expect(keptPicture(first)).toMatchObject({ width: 200, height: 100 })
    const misnamed = await school.server.ask(cook, uploadPicture.path, form(small, 'dish.txt', 'text/plain'))
    expect(misnamed.json()).toEqual({ imageUrl: first })
  })

  test.each([
    [16, 160],
    [321, 100],
    [100, 321],
    [17, 100],
    [961, 959],
  ])('is kept in its sizes with %i by %i pixels', async (width, height) => {
    const large = keptPicture(await kept(await shaped(width, height)))!
    for (const size of [large, { ...large, ...smallSize(large) }])
      expect((await seen(pictureAddress(size))).status).toBe(200)
  })

  test.each(['cmyk', 'b-w', 'rgb16', 'grey16', 'lab'] as const)(
    'is kept whatever its colours: %s',
    async (space) => {
      const picture = halves(64, 32).toColourspace(space)
      const coded = space === 'cmyk' ? picture.jpeg() : picture.png()
      const { bytes } = await seen(await kept(await coded.toBuffer()))
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', space: 'srgb', width: 64 })
    },
  )

  test('is uploaded by who has the menu alone', async () => {
    const picture = await halves(40, 40).png().toBuffer()
    const as = async (who: Principal | null) => (await ask(picture, who)).status
    expect([await as(null), await as(parent), await as(administrator(11, 'kitchen'))]).toEqual([
      401, 403, 403,
    ])
  })

  test.each([
    `/pictures/${'0'.repeat(32)}-960x640.webp`,
    '/pictures/x.webp',
    '/pictures/..%2f..%2fetc%2fpasswd',
  ])('nothing is at %s', async (address) => expect((await seen(address)).status).toBe(404))
})

describe('is refused', () => {
  test('what is no picture, moves, or is damaged', async () => {
    const still = await halves().jpeg().toBuffer()
    const frames = { width: 8, height: 16, channels: 3 as const, pageHeight: 8 }
    const moving = await sharp(Buffer.alloc(8 * 16 * 3).fill(200, 8 * 8 * 3), { raw: frames })
      .webp()
      .toBuffer()
    expect([
      await refusedFor('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      await refusedFor(Buffer.from('GIF89a')),
      await refusedFor(moving),
      await refusedFor(still.subarray(0, still.length / 2)),
      await refusedFor(still.subarray(0, 40)),
      await refusedFor(Buffer.concat([still.subarray(0, 4), Buffer.alloc(4000, 7)])),
    ]).toEqual([
      '422 not_a_picture',
      '422 not_a_picture',
      '422 picture_animated',
      '422 picture_broken',
      '422 picture_broken',
      '422 picture_broken',
    ])
  })

  test('what has more than 40 megapixels, however few bytes it has', async () => {
    const wide = { width: 8000, height: 5001, channels: 3 as const, background: '#fff' }
    const bomb = await sharp({ create: wide }).png({ compressionLevel: 9 }).toBuffer()
    expect(bomb.length).toBeLessThan(1_000_000)
    expect(await refusedFor(bomb)).toBe('422 picture_too_many_pixels')
    // A head that lies about a picture of 30,000 by 30,000 that is not there.
    const head = Buffer.from(bomb)
    head.writeUInt32BE(30_000, 16)
    head.writeUInt32BE(30_000, 20)
    expect(await refusedFor(head)).toMatch(/^422 picture_(too_many_pixels|broken)$/)
  })

  test('what is too narrow or too small to show a dish', async () => {
    expect([
      await refusedFor(await shaped(1, 640)),
      await refusedFor(await shaped(20_000, 20)),
      await refusedFor(await shaped(40, 6400)),
      await refusedFor(await shaped(1, 1)),
      await refusedFor(await shaped(100, 15)),
    ]).toEqual([
      '422 picture_too_narrow',
      '422 picture_too_narrow',
      '422 picture_too_narrow',
      '422 picture_too_small',
      '422 picture_too_small',
    ])
  })

  test('what has more than 8 MiB, and what is no file', async () => {
    const { bytes } = maxPicture
    expect(await refusedFor(Buffer.alloc(bytes + 1))).toBe('413 file_too_large')
    expect(await refusedFor(Buffer.alloc(bytes + 100_000))).toBe('413 request_too_large')
    const without = await school.server.ask(cook, uploadPicture.path, multipart('', { fileName: '' }))
    expect(`${without.status} ${without.json<{ code: string }>().code}`).toBe('422 no_file')
  })
})

const tiny = () => halves(40, 40).png().toBuffer()
const pictures = async () => {
  const { rows } = await school.database.pool.query('select hash from catalogue.pictures')
  return rows.map(({ hash }) => hash as string)
}
const monthsLater = () =>
  school.database.pool.query(`update catalogue.pictures set needed_at = needed_at - interval '31 days'`)
const removeOld = () => school.catalogue.retentions![0]!.remove(100)

describe('a menu item', () => {
  test('names an uploaded picture or an address, and none that is not kept', async () => {
    const imageUrl = await kept(await tiny())
    expect(await school.create({ imageUrl })).toMatchObject({ imageUrl })
    const elsewhere = 'https://pictures.school.test/nshima.jpg'
    expect(await school.create({ imageUrl: elsewhere })).toMatchObject({ imageUrl: elsewhere })
    const lost = pictureAddress({ hash: '0'.repeat(32), width: 9, height: 9 })
    await expect(school.create({ imageUrl: lost })).rejects.toThrow(
      'This picture is no longer stored. Upload it again.',
    )
  })

  test('keeps its picture, archived too; one that nobody names goes after 30 days', async () => {
    const imageUrl = await kept(await tiny())
    const item = await school.create({ imageUrl })
    await monthsLater()
    expect(await removeOld()).toBe(0)
    await school.archive(item.id)
    expect(await removeOld()).toBe(0)

    // Left by its item it is there for another while.
    await school.server.call(cook, updateMenuItem, {
      params: { id: item.id },
      body: { ...soup, imageUrl: null },
    })
    expect(await removeOld()).toBe(0)
    expect(await pictures()).toEqual([keptPicture(imageUrl)!.hash])
    await monthsLater()
    expect(await removeOld()).toBe(1)
    expect((await seen(imageUrl)).status).toBe(404)
  })
})
