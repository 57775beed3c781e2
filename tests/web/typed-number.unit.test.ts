import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { plainNumber, typedNumber } from '../../web/lib/typed-number'

describe('a typed number', () => {
  test.each([
    ['45', 45],
    ['45,50', 45.5],
    ['45.5', 45.5],
    ['1,000', 1000],
    ['1.200,00', 1200],
    ['1,200.00', 1200],
    ['1,234,567', 1_234_567],
    ['1.234.567', 1_234_567],
    ['1 200', 1200],
    ['1\u00A0200,5', 1200.5],
    ['K45', 45],
    ['K 1 200,50', 1200.5],
    ['45k', 45],
    ['-5', -5],
    ['0,5', 0.5],
    ['007', 7],
  ])('%s is %d', (typed, number) => expect(typedNumber(typed)).toBe(number))

  test.each([
    'abc',
    '1e3',
    '1,00,0',
    '12,50.00',
    '1.000',
    '1.234',
    '1.2345',
    '0.125',
    '0,000',
    '1.000,000',
    '1,000,00',
    '--5',
    ',',
    '.5.',
    '5-',
  ])('%s is unclear: no number, and not nothing', (typed) => {
    expect(typedNumber(typed)).toBeNaN()
    expect(plainNumber(typed)).toBe(typed)
  })

  test.each(['', '  '])('nothing is null', (typed) => expect(typedNumber(typed)).toBeNull())

  test('a number that the form holds already stays', () => {
    expect([typedNumber(8), typedNumber(null)]).toEqual([8, null])
  })

  test('decimal text gets a dot', () => {
    expect(['45,50', '1.200,00', ' 30 '].map(plainNumber)).toEqual(['45.50', '1200.00', '30'])
  })
})

test('no field of the application has the type number, which a wheel turns and a browser empties', () => {
  const files = readdirSync('web', { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  )
  expect(files.length).toBeGreaterThan(100)
  const typed = files.filter((name) =>
    /type(=|: ?|=\{)['"]number['"]/.test(readFileSync(join('web', name), 'utf8')),
  )
  expect(typed).toEqual([])
})
