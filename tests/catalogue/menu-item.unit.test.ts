import { type MenuItemFields } from '#contracts/catalogue'
import { standardAllergens } from '#contracts/health'
import { keptPicture, largeSize, pictureAddress, smallSize } from '#contracts/pictures'
import {
  assertDeletable,
  assertNameKept,
  copyOf,
  mealOf as mealOfForm,
  orderability,
  distinctLines,
  oneLine,
  severalLines,
} from '#modules/catalogue/menu-item.decide'
import { assertPicture } from '#modules/catalogue/picture-content.decide'
import { nshima, nshimaForm, nshimaItem } from './meals'

const mealOf = (form: MenuItemFields) => mealOfForm(form, [...standardAllergens, 'Mustard'])

const refusal = (code: string, more: object = {}) =>
  expect.objectContaining({ name: 'Refusal', code, ...more })

describe('the meal a form describes', () => {
  test('is what was filled in, its price in ngwee', () => {
    expect(mealOf(nshimaForm)).toEqual(nshima)
    expect(mealOf({ ...nshimaForm, price: '0' }).price).toBe(0)
  })

  test('has proteins trimmed, lowercase and once', () => {
    expect(
      mealOf({ ...nshimaForm, categories: [' Beef ', 'beef', 'Kapenta', 'KAPENTA'] }).categories,
    ).toEqual(['beef', 'kapenta'])
  })

  test('describes only proteins it offers, under their clean names', () => {
    const proteinDescriptions = { ' Beef': ' Slow-cooked\u0000 ', fish: 'From the lake', vegetarian: '  ' }
    expect(mealOf({ ...nshimaForm, proteinDescriptions }).proteinDescriptions).toEqual({
      beef: 'Slow-cooked',
    })
  })

  test('has each week and day once and in order, each side dish and allergen once', () => {
    expect(
      mealOf({
        ...nshimaForm,
        weekNumbers: [6, 1, 6],
        daysOfWeek: [5, 2, 2],
        sideDishes: ['Chips', 'chips', 'Rice'],
        allergens: ['Milk', 'milk; MUSTARD and Groundnuts'],
      }),
    ).toMatchObject({
      weekNumbers: [1, 6],
      daysOfWeek: [2, 5],
      sideDishes: ['Chips', 'Rice'],
      allergens: ['Milk', 'Mustard', 'Peanuts'],
    })
  })

  test.each([
    [{ description: '', imageUrl: '' }],
    [{ description: null, imageUrl: null }],
    [{ description: undefined, imageUrl: undefined }],
  ])('without description and picture has none: %j', (empty) => {
    expect(mealOf({ ...nshimaForm, ...empty })).toMatchObject({ description: null, imageUrl: null })
  })

  test.each([
    ['name', { name: '\u0000\u200B ' }, 'Name is required'],
    ['price', { price: '4.505' }, 'Price must be a valid positive number with up to 2 decimal places'],
    ['categories', { categories: ['\u0001'] }, 'Select at least one category'],
  ])('is refused at %s', (field, wrong, message) => {
    expect(() => mealOf({ ...nshimaForm, ...wrong })).toThrow(
      refusal('item_invalid', { message, fields: { [field]: message } }),
    )
  })
})

describe('the name lock', () => {
  const renamed = { ...nshima, name: 'Nshima and beef' }

  test('refuses a new name once the item has orders', () => {
    expect(() => assertNameKept(nshimaItem, renamed, true)).toThrow(refusal('name_locked'))
    expect(() => assertNameKept(nshimaItem, { ...nshima, name: nshima.name.toUpperCase() }, true)).toThrow(
      refusal('name_locked'),
    )
  })

  test('lets everything else change, and any name while there are no orders', () => {
    expect(() => assertNameKept(nshimaItem, { ...nshima, price: 1, type: 'secondary' }, true)).not.toThrow()
    expect(() => assertNameKept(nshimaItem, renamed, false)).not.toThrow()
  })
})

test('an item with orders cannot be deleted', () => {
  expect(() => assertDeletable(true)).toThrow(refusal('item_has_orders'))
  expect(() => assertDeletable(false)).not.toThrow()
})

describe('a copy', () => {
  test('is the same meal under a name that says so', () => {
    expect(copyOf({ ...nshimaItem, isArchived: true })).toEqual({
      ...nshima,
      name: 'Nshima with beef stew (Copy)',
    })
    expect(copyOf({ ...nshimaItem, name: 'Soup (Copy)' }).name).toBe('Soup (Copy) (Copy)')
  })

  test('of a long name still fits the form', () => {
    const { name } = copyOf({ ...nshimaItem, name: `${'x'.repeat(112)}🍲${'x'.repeat(6)}` })
    expect(name).toBe(`${'x'.repeat(112)} (Copy)`)
    expect(name.length).toBeLessThanOrEqual(120)
  })
})

describe('what can still be ordered', () => {
  const items = new Map(
    [
      nshimaItem,
      { ...nshimaItem, id: 8, name: 'Soup', isAvailable: false },
      { ...nshimaItem, id: 9, name: 'Pie', isArchived: true },
      { ...nshimaItem, id: 10, name: 'Fish', isArchived: true, isAvailable: false },
    ].map((item) => [item.id, item]),
  )

  test('all of it is valid', () => {
    expect(orderability([7, 7], items)).toEqual({ valid: true, unavailable: [], archived: [], missing: [] })
    expect(orderability([], items).valid).toBe(true)
  })

  test('names what is not, once and by reason; archived counts before unavailable', () => {
    expect(orderability([10, 7, 8, 9, 404, 8, 404], items)).toEqual({
      valid: false,
      unavailable: ['Soup'],
      archived: ['Fish', 'Pie'],
      missing: ['404'],
    })
  })

  test.each([8, 9, 404])('one bad item (%d) makes it invalid', (id) => {
    expect(orderability([7, id], items).valid).toBe(false)
  })
})

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
    expect(codeOf(content)).toBe('picture_animated: An animated picture cannot be used. Choose a still one.'),
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

test.each([
  ['  Beef   stew ', 'Beef stew'],
  ['Beef\r\nstew\t!', 'Beef stew !'],
  ['Beef\u0000\u001b[31m stew\u007f', 'Beef [31m stew'],
  ['\u202Ewets feeB\u2069', 'wets feeB'],
  ['Be\u200Bef\uFEFF', 'Beef'],
  ['half \uD83C', 'half'],
  ['Cafe\u0301', 'Café'],
  ['🍲 stew 👩‍🍳', '🍲 stew 👩‍🍳'],
  ['=SUM(A1)', '=SUM(A1)'],
  ['\u0001\u2028', ''],
])('%j as one line is %j', (text, line) => expect(oneLine(text)).toBe(line))

test.each([
  ['One\r\ntwo\rthree\nfour\u2028five', 'One\ntwo\nthree\nfour\nfive'],
  ['One\u0000two\tthree', 'One two three'],
  ['\n\n spaced  out \n', 'spaced  out'],
])('%j keeps its lines: %j', (text, lines) => expect(severalLines(text)).toBe(lines))

test('each line stands once, without regard to case, in the order given, none empty', () => {
  expect(distinctLines(['Chips', ' ', 'Rice', 'chips ', '\u0007', 'Rice'])).toEqual(['Chips', 'Rice'])
})
